import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { seed } from '../model/seed.ts';
import { clientsOf, expectProblem } from '../support/control.ts';
import { sampleOf } from '../support/depth.ts';

// A snapshot that breaks a rule is refused and changes nothing. Each rule is broken once: first those of the schema,
// place by place, then those that tie one place to another.

type Snapshot = ReturnType<Mock['snapshot']>;
type Path = readonly (string | number)[];
// biome-ignore lint/suspicious/noExplicitAny: what is broken here has any shape
type Any = any;

let controlled: ReturnType<typeof clientsOf>;

/** A state in which everything is there that a snapshot can hold. Each test leaves it as it was. */
let good: Snapshot;

beforeAll(async () => {
  const set = { readAfterWrite: 'lagging', treeDeletion: 'asynchronous' } as const;
  controlled = clientsOf(await createMock({ seed, clock: '2026-07-01T12:00:00Z', set }));
  const { mock, api, control } = controlled;
  await control('POST', '/organizations', { json: { key: 'sandbox-key', name: 'Sandbox' } });
  await control('POST', '/organizations', { json: { key: 'empty-key', name: 'Empty', copyOf: null } });
  await control('POST', '/organizations/org-beta/keys', { json: { key: 'revoked-key' } });
  const { keyIds } = (await control('GET', '/organizations/org-beta')).body;
  await control('DELETE', `/organizations/org-beta/keys/${keyIds[1]}`);
  await api('POST', '/drives', { json: { name: 'Not listed yet' } });
  await api('POST', '/mcp-servers', { json: { name: 'Not listed yet', url: 'https://mcp.example.com' } });
  await api('DELETE', '/drives/drive-two/items/tree?path=/a');
  good = mock.snapshot();
});

afterAll(() => controlled.mock.close());

async function refuse(change: (snapshot: Any) => unknown, status: number, says: RegExp, organization?: string) {
  const { mock, control } = controlled;
  const whole = JSON.parse(JSON.stringify(good));
  const broken = organization === undefined ? whole : whole.organizations.find(({ id }: Any) => id === organization);
  const query = organization === undefined ? '' : `?organization=${organization}`;
  const json = change(broken) ?? broken;
  expectProblem(await control('PUT', `/snapshot${query}`, { json }), status, says);
  if (organization === undefined) expect(() => mock.restore(json)).toThrow(inCode(says));
  expect(JSON.stringify(mock.snapshot())).toBe(JSON.stringify(good));
}

/** The same of `restore()`, which is refused with the same place. */
function inCode(says: RegExp): RegExp {
  return new RegExp(`^This is not a snapshot\\. [^]*${says.source.replace(/^body(\\\.)?/, '')}`);
}

/** Every place in a value, one of each kind: items of a list count as one where they look alike. */
function placesIn(value: unknown, path: Path = [], seen = new Set<string>()): Path[] {
  const kind = path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
  const isNew = !seen.has(kind);
  seen.add(kind);
  const here = isNew && path.length > 0 ? [path] : [];
  if (typeof value !== 'object' || value === null || path.at(-1) === 'metadata') return here;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...here, ...entries.flatMap(([name, inner]) => placesIn(inner, [...path, name], seen))];
}

function at(value: Any, path: Path): Any {
  return path.reduce((inner, part) => inner[part], value);
}

function set(value: Any, path: Path, replacement: unknown): void {
  at(value, path.slice(0, -1))[path.at(-1) as string] = replacement;
}

type Change = (snapshot: Any) => void;

const alpha = ['organizations', 0];
const beta = ['organizations', 1];
const put = (path: Path, value: unknown): Change => {
  return (snapshot) => set(snapshot, path, value);
};
const add = (path: Path, value: unknown): Change => {
  return (snapshot) => void at(snapshot, path).push(value);
};
/** Adds the item at a place to its list once more. */
const repeat = (path: Path): Change => {
  return (snapshot) => void at(snapshot, path.slice(0, -1)).push(at(snapshot, path));
};
const drop = (path: Path): Change => {
  return (snapshot) => void delete at(snapshot, path.slice(0, -1))[path.at(-1) as string];
};
const firstFiles = [...alpha, 'drives', 0, 'files'];
const firstTask = [...alpha, 'deferred', 'tasks', 0];

/** How a message names a place. */
function named(path: Path): RegExp {
  return new RegExp(`body\\.${path.join('\\.')}`);
}

/** Whether a field need not be there. */
function isOptional(place: Path): boolean {
  const name = String(place.at(-1));
  if (name === 'index') return place.includes('origin');
  return optional.has(name) && !place.includes('tools');
}

const optional = new Set(['clockMs', 'description', 'summary', 'metadata', 'next', 'activeRevisionId', 'copied']);

describe('an invalid snapshot is refused and changes nothing', () => {
  it('when a value has the wrong type, is null or is missing where it is required', async () => {
    const places = placesIn(good);
    expect(places.length).toBeGreaterThan(50);
    for (const place of sampleOf(places, 30)) {
      const wrong = typeof at(good, place) === 'object' ? 'text' : { of: 'another type' };
      await refuse(put(place, wrong), 422, named(place));
      await refuse(put(place, null), 422, named(place));
      if (typeof place.at(-1) === 'string' && !isOptional(place)) await refuse(drop(place), 422, named(place));
    }
  });

  it('when it has an unknown field', async () => {
    const isObject = (place: Path) => typeof at(good, place) === 'object' && !Array.isArray(at(good, place));
    const objects = placesIn(good).filter((place) => isObject(place) && place.at(-1) !== 'metadata');
    expect(objects.length).toBeGreaterThanOrEqual(15);
    for (const place of [[], ...objects]) {
      await refuse(put([...place, 'colour'], 'red'), 422, named([...place, 'colour']));
    }
  });

  it('when it is not an object, or missing', async () => {
    for (const value of [[], [good], 5, 'text', true]) await refuse(() => value, 422, /body/);
    const { mock, control } = controlled;
    for (const value of [null, {}, { ...good, clockMs: Number.NaN }])
      expect(() => mock.restore(value as Snapshot)).toThrow(/^This is not a snapshot\. Pass what/);
    expectProblem(await control('PUT', '/snapshot'), 422, /body is required/);
    expect(mock.snapshot()).toEqual(good);
  });
});

describe('an inconsistent snapshot is refused and changes nothing', () => {
  it.each<[string, Change, RegExp]>([
    ['a duplicate organization', repeat(alpha), /organizations\.4\.id .*twice/],
    ['a duplicate key', add([...alpha, 'keys'], 'alpha-key'), /organizations\.0\.keys .*twice/],
    ['a key of two organizations', add([...beta, 'keys'], 'alpha-key'), /organizations\.1\.keys .*twice/],
    ['a revoked key that is in use', add(['revokedKeys'], 'beta-key'), /revokedKeys .*twice/],
    ['a key that no header can carry', add([...alpha, 'keys'], 'two words'), /keys\.2 .*printable/],
    ['a duplicate agent', repeat([...alpha, 'agents', 0]), /agents\.4\.id .*twice/],
    ['a duplicate revision', put([...alpha, 'agents', 0, 'revisions', 1, 'id'], 'rev-1'), /revisions\.1\.id .*twice/],
    ['a duplicate drive', repeat([...alpha, 'drives', 0]), /drives\.\d+\.id .*twice/],
    ['a duplicate MCP server', repeat([...beta, 'mcpServers', 0]), /mcpServers\.2\.id .*twice/],
    ['a duplicate file', put([...firstFiles, 1, 'id'], 'file-1'), /files\.1\.id .*twice/],
    ['a duplicate path', put([...firstFiles, 1, 'path'], '/readme.txt'), /files\.1\.path .*twice/],
    ['an illegal path', put([...firstFiles, 1, 'path'], '/a/../b'), /files\.1\.path/],
    ['an id that no URL holds', put([...firstFiles, 1, 'id'], '..'), /files\.1\.id must have/],
    ['a reserved name', put([...alpha, 'name'], 'self'), /organizations\.0\.name .*self/],
    ['an unknown active revision', put([...alpha, 'agents', 0, 'activeRevisionId'], 'rev-9'), /activeRevisionId/],
    ['an unknown listed agent', add([...alpha, 'listed', 'agents'], 'nobody'), /listed\.agents .*not exist/],
    ['an unknown listed drive', add([...alpha, 'listed', 'drives'], 'nothing'), /listed\.drives .*not exist/],
    ['an unknown listed MCP server', add([...beta, 'listed', 'mcpServers'], 'x'), /listed\.mcpServers .*not exist/],
    ['an agent listed twice', add([...alpha, 'listed', 'agents'], 'agent-blank'), /listed\.agents/],
    [
      'a deferred creation that is already listed',
      put([...firstTask, 'task', 'id'], 'drive-files'),
      /tasks\.0\.task\.id .*already/,
    ],
    ['a duplicate deferred creation', repeat(firstTask), /deferred\.tasks\.3\.task\.id .*twice/],
    ['a deferred deletion without its files', drop([...alpha, 'deferred', 'tasks', 2, 'task', 'files']), /task\.files/],
    ['a sandbox without its stream name', drop(['organizations', 2, 'origin', 'streamName']), /origin\.streamName/],
    ['a seed organization without its index', drop([...alpha, 'origin', 'index']), /origin\.index/],
  ])('with %s', async (_, change, says) => {
    await refuse(change, 422, says);
  });

  it.each<[string, Path, number[]]>([
    ['clock', ['clockMs'], [1e16, -1e16, 253_402_300_800_000]],
    ['creation time', ['organizations', 0, 'agents', 0, 'createdAtMs'], [1e300, 8.65e15, 1e15, -1e15]],
    ['modification time of a file', ['organizations', 0, 'drives', 0, 'files', 0, 'modifiedAtMs'], [1e15]],
    ['time of a next file status', ['organizations', 0, 'drives', 0, 'files', 2, 'next', 'atMs'], [8.65e15]],
    ['due time of a task', ['organizations', 0, 'deferred', 'tasks', 0, 'dueMs'], [8.65e15]],
    ['file size', ['organizations', 0, 'drives', 0, 'files', 0, 'sizeBytes'], [-1, 0.5]],
    ['id count', ['organizations', 0, 'ids', 'count'], [-1, 0.5]],
  ])('with a number out of range: %s', async (_, place, values) => {
    for (const value of values) await refuse(put(place, value), 422, named(place));
  });

  it('for one organization, with the location in the body', async () => {
    await refuse(add(['listed', 'agents'], 'nobody'), 422, /body\.listed\.agents/, 'org-beta');
    await refuse(drop(['listed']), 422, /body\.listed is required/, 'org-beta');
    await refuse(add(['keys'], 'alpha-key'), 409, /[Aa]nother organization/, 'org-beta');
    await refuse(put(['id'], 'org-alpha'), 409, /org-alpha/, 'org-beta');
  });

  it('with one violation for one wrong field', async () => {
    const { mock, control } = controlled;
    const broken = JSON.parse(JSON.stringify(good));
    broken.organizations[1].agents[0].name = 5;
    const { status, body } = await control('PUT', '/snapshot', { json: broken });
    expect([status, mock.snapshot()]).toEqual([422, good]);
    expect(body.validation).toEqual([
      {
        ...{ location: ['body', 'organizations', '1', 'agents', '0', 'name'], code: 'type' },
        ...{ message: 'must be a string', severity: 'Error' },
      },
    ]);
  });

  it('but a valid one is restored with and without optional fields', async () => {
    const { mock, control } = controlled;
    expect((await control('PUT', '/snapshot', { json: good })).status).toBe(200);
    expect(mock.snapshot()).toEqual(good);
    const bare = JSON.parse(JSON.stringify(good));
    const dropped = placesIn(good).filter((path) => isOptional(path) && path.at(-1) !== 'index');
    expect(new Set(dropped.map((path) => path.at(-1)))).toEqual(optional);
    for (const place of dropped) drop(place)(bare);
    expect((await control('PUT', '/snapshot', { json: bare })).status).toBe(200);
    expect(JSON.parse(JSON.stringify(mock.snapshot()))).toEqual(bare);
    await control('PUT', '/snapshot', { json: { organizations: [], revokedKeys: [] } });
    expect(mock.snapshot()).toMatchObject({ organizations: [], revokedKeys: [] });
    mock.restore(good);
  });
});
