import { describe, expect, it } from 'vitest';
import { validateSeed } from '../../src/domain/validate-seed.ts';
import { createMock, type Profile, type Seed } from '../../src/index.ts';
import { createClient } from '../support/client.ts';

// What a seed must keep beside its schema: each id, key and path once, and revisions that are there. Each rule is broken
// once, with the place that whoever wrote the seed has to look at.

const at = '2026-03-02T08:15:00Z';
const file = (id: string, path: string) => ({ id, path, modifiedAt: at, sizeBytes: 1, contentType: 'text/plain' });

/** A seed in which nothing is wrong, although much is alike. */
function goodSeed() {
  return {
    organizations: [
      {
        ...{ id: 'one', name: 'Same', keys: ['k1', 'k2'] },
        agents: [
          { id: 'a1', name: 'Same', revisions: [{ id: 'r1' }, { id: 'r2' }], published: 2 },
          { id: 'a2', name: 'Same' },
        ],
        drives: [
          {
            id: 'd1',
            name: 'Same',
            files: [file('f1', '/a'), { ...file('f2', '/b'), metadata: { id: 'one', of: { id: 'one' } } }],
          },
          { id: 'd2', name: 'Same', files: [file('f1', '/a')] },
          { id: 'a1', name: 'Same' },
        ],
        mcpServers: [{ id: 'd1', name: 'Same', url: 'https://mcp.example.com' }],
      },
      { id: 'two', name: 'Same', keys: ['k3'], drives: [{ id: 'd1', name: 'Same' }] },
      { name: 'Same', keys: ['k4'] },
    ],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what is broken here has any shape
type Any = any;

/** What is broken: the place, the value there, and what is said of it. */
const broken: [string, string, unknown, RegExp][] = [
  ['an id of two organizations', 'organizations.1.id', 'one', /the id "one" is used twice; each must be unique/],
  ['an id of two agents', 'organizations.0.agents.1.id', 'a1', /the id "a1" is used twice/],
  ['an id of two drives', 'organizations.0.drives.1.id', 'd1', /the id "d1" is used twice/],
  ['an id of two files in a drive', 'organizations.0.drives.0.files.1.id', 'f1', /the id "f1" is used twice/],
  ['an id of two revisions', 'organizations.0.agents.0.revisions.1.id', 'r1', /the id "r1" is used twice/],
  ['a key of one organization', 'organizations.0.keys.1', 'k1', /the key "k1" is used twice/],
  ['a key of two organizations', 'organizations.1.keys.0', 'k1', /the key "k1" is used twice/],
  ['a path of two files in a drive', 'organizations.0.drives.0.files.1.path', '/a', /the path "\/a" is used twice/],
  [
    'a revision that is published and not there',
    'organizations.0.agents.0.published',
    3,
    /^revision 3 does not exist; this agent has 2, counted from 1$/,
  ],
  [
    'a revision of an agent without any',
    'organizations.0.agents.1.published',
    1,
    /^revision 1 does not exist; this agent has 0/,
  ],
];

function put(seed: Any, place: string, value: unknown): void {
  const steps = place.split('.');
  const last = steps.pop() as string;
  steps.reduce((inner, step) => inner[step], seed)[last] = value;
}

describe('a seed', () => {
  it('in which nothing is given twice is accepted, whatever is alike', async () => {
    expect(validateSeed(goodSeed())).toEqual([]);
    await using mock = await createMock({ seed: goodSeed() as Seed });
    expect(mock.keys).toEqual(['k1', 'k2', 'k3', 'k4']);
  });

  it.each(broken)('is refused with %s, and says where', async (_, place, value, says) => {
    const seed = goodSeed();
    put(seed, place, value);
    const violations = [{ location: place.split('.'), message: expect.stringMatching(says) }];
    expect(validateSeed(seed)).toMatchObject(violations);
    await expect(createMock({ seed: seed as Seed })).rejects.toThrow(place);
  });

  it('says all that is wrong, each at its place', () => {
    const seed = goodSeed();
    for (const [, place, value] of broken) put(seed, place, value);
    const places = validateSeed(seed).map(({ location }) => location.join('.'));
    expect(new Set(places)).toEqual(new Set(broken.map(([, place]) => place)));
  });
});

/** Every place in a value. */
function placesIn(value: Any, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || path.at(-1) === 'metadata') return [path];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...names.flatMap((name) => placesIn(value[name], [...path, name]))];
}

describe('the shape of a seed', () => {
  const places = placesIn(goodSeed()).filter((path) => path.length > 0);
  const parentIn = (seed: Any, path: (string | number)[]) =>
    path.slice(0, -1).reduce((inner, step) => inner[step], seed);
  const namesOf = (seed: unknown) => validateSeed(seed).map(({ location }) => location.join('.'));

  it.each([['text'], [null], [undefined], [[]]])('is not that of %j', (value) => {
    expect(validateSeed(value)).not.toEqual([]);
  });

  it('has at each place a value of one type', () => {
    expect(places.length).toBeGreaterThan(40);
    for (const path of places) {
      const seed = goodSeed();
      const parent = parentIn(seed, path);
      const step = path.at(-1) as string;
      parent[step] = typeof parent[step] === 'object' ? 'text' : { of: 'another type' };
      expect(namesOf(seed)).toContain(path.join('.'));
    }
  });

  it.each([
    ['files.0.sizeBytes', 2 ** 53, 'must be <= 9007199254740991'],
    ['createdAt', '9999-12-31T23:59:59-01:00', 'in the years 1 to 9998'],
    ['createdAt', '9998-12-31T23:30:00-01:00', 'in the years 1 to 9998'],
    ['createdAt', '0001-01-01T00:00:00+14:00', 'in the years 1 to 9998'],
    ['files.0.metadata', { of: [Number.NaN] }, 'must be a finite number'],
    ['files.0.id', '..', 'must not be . or ..'],
    ['id', '.', 'must not be . or ..'],
    ['id', '', 'must have at least one character'],
    ['id', '\ud800', 'must be valid Unicode'],
  ])('has no number or time that would be changed, and no id that no URL holds: %s %s', (place, value, says) => {
    const seed = goodSeed();
    put(seed, `organizations.0.drives.0.${place}`, value);
    expect(validateSeed(seed)).toMatchObject([{ message: expect.stringContaining(says) }]);
  });

  it('has no other fields', () => {
    for (const path of [[], ...places.filter((path) => path.at(-1) !== 'metadata')]) {
      const seed: Any = goodSeed();
      const value = path.reduce((inner: Any, step) => inner[step], seed);
      if (typeof value !== 'object' || Array.isArray(value)) continue;
      value.colour = 'red';
      expect(namesOf(seed)).toContain([...path, 'colour'].join('.'));
    }
  });

  it('needs organizations with a name and a key, and names of what is in them', () => {
    expect(namesOf({ organizations: [] })).toEqual(['organizations']);
    expect(namesOf({ organizations: [{ name: 'A', keys: [] }] })).toEqual(['organizations.0.keys']);
    const needed = { agents: ['name'], drives: ['name'], mcpServers: ['name', 'url'] };
    for (const [kind, fields] of Object.entries(needed)) {
      const seed = { organizations: [{ name: 'A', keys: ['k'], [kind]: [{}] }] };
      expect(namesOf(seed).sort()).toEqual(fields.map((field) => `organizations.0.${kind}.0.${field}`));
    }
    const fileless = { organizations: [{ name: 'A', keys: ['k'], drives: [{ name: 'D', files: [{}] }] }] };
    expect(namesOf(fileless)).toEqual(['organizations.0.drives.0.files.0.path']);
  });
});

it('a snapshot is not taken for a seed', async () => {
  await using mock = await createMock();
  expect(validateSeed(mock.snapshot())).toMatchObject([
    { location: [], message: expect.stringMatching(/^is a snapshot/) },
  ]);
});

it.each(['id', 'name'])('an organization cannot have the %s self, which the admin API reserves', (field) => {
  const seed = { organizations: [{ name: 'A', keys: ['k'], [field]: 'self' }] };
  expect(validateSeed(seed).map(({ location }) => location.join('.'))).toEqual([`organizations.0.${field}`]);
});

describe('an id that a seed leaves out', () => {
  const seed: Seed = {
    organizations: [
      {
        ...{ name: 'A', keys: ['k'], agents: [{ name: 'a', revisions: [{}] }] },
        drives: [{ name: 'd', files: [{ path: '/docs/f' }] }],
        mcpServers: [{ name: 'm', url: 'https://mcp.example.com' }],
      },
    ],
  };
  /** Of each kind one, and the id of a job. */
  async function idsWith(idFormat: Profile['idFormat'], clock?: string): Promise<string[]> {
    await using mock = await createMock({ seed, set: { idFormat }, ...(clock === undefined ? {} : { clock }) });
    const [
      {
        id,
        agents: [agent],
        drives: [drive],
        mcpServers: [server],
      } = {} as Any,
    ] = mock.snapshot().organizations;
    const { body } = await createClient(mock.url, 'k')('DELETE', `/drives/${drive.id}/items/tree?path=/docs`);
    return [id, agent.id, agent.revisions[0].id, drive.id, drive.files[0].id, server.id, body.jobId];
  }

  it('has the prefix of its kind, as that of a job has', async () => {
    const prefixes = (await idsWith('prefixed')).map((id) => id.replace(/_[0-9a-z]{20}$/, ''));
    expect(prefixes).toEqual(['org', 'agt', 'rev', 'drv', 'fil', 'mcp', 'job']);
  });

  it.each(['uuid', 'prefixed', 'sortable', 'numeric'] as const)(
    'is the same whenever the mock starts: %s',
    async (format) => {
      const [first, second] = [await idsWith(format, at), await idsWith(format, '2031-07-01T12:00:00Z')];
      expect(first.slice(0, -1)).toEqual(second.slice(0, -1));
      expect(new Set(first).size).toBe(7);
    },
  );

  it('comes before those of what is created later, if it can be sorted', async () => {
    const ids = await idsWith('sortable', at);
    expect(ids).toEqual([...ids].sort());
    const digits = [...String(ids.at(-1)).slice(0, 10)].map((digit) =>
      '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit),
    );
    expect(digits.reduce((sum, digit) => sum * 32 + digit, 0)).toBe(Date.parse(at));
  });

  it('leaves an arbitrary list in the same order, whenever the mock starts', async () => {
    const namesAt = async (clock: string) => {
      await using mock = await createMock({ clock, set: { idFormat: 'sortable', listOrder: 'arbitrary' } });
      const call = createClient(mock.url, mock.key);
      for (const name of ['one', 'two', 'three']) await call('POST', '/drives', { json: { name } });
      const { body } = await call('GET', '/drives?limit=100');
      return body.data.map((drive: Any) => drive.name);
    };
    expect(await namesAt('2031-07-01T12:00:00Z')).toEqual(await namesAt(at));
  });
});
