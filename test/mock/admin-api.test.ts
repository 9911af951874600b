import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Operation, operationsAt, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { sharedPoints } from '../../openapi/points/index.ts';
import { controlHandlers, loadControlDocument } from '../../src/app/admin-api/handlers.ts';
import type { ShownOpenPoint } from '../../src/app/admin-api/shown-open-point.ts';
import { createMock, loadOpenPoints, type Mock } from '../../src/index.ts';
import type { Client, Reply, Sent } from '../support/client.ts';
import { clientsOf, everythingOf, expectProblem, startControlled } from '../support/control.ts';
import { depth, sampleOf } from '../support/depth.ts';
import { exchange } from '../support/raw-http.ts';
import { now, tinySeed } from '../support/tiny-seed.ts';

// The document of the admin API, operation by operation: each is there, and refuses what it does not take.

const document = loadControlDocument();
const operations = operationsOf(document);
const named = operations.map((operation) => [operation.operationId as string, operation] as const);
const withBody = named.filter(([, { takesBody }]) => takesBody);
/** The one operation whose answer does not end: test/request log.test.ts reads it. */
const endless = 'watchRequests';

let mock: Mock;
let api: Client;
let control: Client;
/** What is filled in for the parameters of paths. */
let ids: Record<string, string>;

beforeAll(async () => {
  mock = await createMock({ seed: tinySeed, clock: now });
  ({ api, control } = clientsOf(mock));
});

afterAll(() => mock.close());

beforeEach(async () => {
  await control('POST', '/reset');
  await control('POST', '/faults', { json: { id: 'slow', effect: { latency: { delayMs: 0 } } } });
  await api('GET', '/agents');
  const { body } = await control('GET', '/organizations/org-a');
  const { requests } = (await control('GET', '/requests')).body;
  ids = {
    ...{ organizationId: 'org-a', agentId: 'agent-two-revisions', driveId: 'drive-full', fileId: 'file-plain' },
    ...{ mcpServerId: 'server-tools', keyId: body.keyIds[0], faultId: 'slow', requestNumber: String(requests[0].id) },
  };
});

function pathOf({ path }: Operation, change: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ({ ...ids, ...change })[name] ?? '?');
}

/** A body that each operation takes. */
const bodies: Record<string, () => unknown> = {
  putSnapshot: () => mock.snapshot(),
  changeSettings: () => ({ advanceMs: 1 }),
  addFault: () => ({ effect: { status: { code: 503 } } }),
  changeFault: () => ({ isEnabled: false }),
  openSandbox: () => ({ name: 'New' }),
  issueKey: () => ({}),
  createAgent: () => ({ name: 'New' }),
  changeAgent: () => ({ name: 'Other' }),
  createRevision: () => ({}),
  createFile: () => ({ path: '/new.txt' }),
  changeFile: () => ({ status: 'error' }),
  putTools: () => [],
};

function bodyOf(operation: Operation): Sent {
  const body = bodies[operation.operationId];
  return body === undefined ? {} : { json: body() };
}

/** Sends what has to be refused. That nothing has changed by it is asserted after each test. */
async function refused(method: string, path: string, sent: Sent, status: number, says?: RegExp): Promise<Reply> {
  before ??= await everythingOf(control);
  const reply = await control(method, path, sent);
  expectProblem(reply, status, says);
  return reply;
}

let before: string | undefined;

/** What follows changes something, after all that was refused so far has not. */
async function nothingChanged(): Promise<void> {
  const expected = before;
  before = undefined;
  if (expected !== undefined) expect(await everythingOf(control)).toBe(expected);
}

afterEach(nothingChanged);

describe('the document of the admin API', () => {
  it('has a handler for each operation, and an operation for each handler', () => {
    expect(named.map(([id]) => id).sort()).toEqual(Object.keys(controlHandlers).sort());
  });

  it('has an example in this test for each request body', () => {
    expect(withBody.map(([id]) => id).sort()).toEqual(Object.keys(bodies).sort());
  });

  it.each(['json', 'yaml'])('is served as %s with the requested address', async (form) => {
    const reply = await control('GET', `/openapi.${form}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `application/${form}`]);
    expect(reply.text).toContain(mock.adminUrl);
    for (const [id] of named) expect(reply.text).toContain(id);
    await refused('POST', `/openapi.${form}`, {}, 405, /GET/);
  });

  it('says what it is itself, and has no component that nothing uses', async () => {
    const { text, body } = await control('GET', '/openapi.json');
    expect(body.info.description).toMatch(/^Not part of the contract: a real server does not have it./);
    const used = (group: string, name: string) => text.includes(`"#/components/${group}/${name}"`);
    for (const group of ['schemas', 'parameters', 'responses']) {
      const names = Object.keys(body.components[group]);
      expect(names.length).toBeGreaterThan(1);
      expect(names.filter((name) => !used(group, name))).toEqual([]);
    }
  });

  it('is summarized at the root of the admin API', async () => {
    const { status, body } = await control('GET', '');
    expect([status, Object.keys(body.operations).length]).toEqual([200, operations.length]);
    expect(await control('GET', '/')).toMatchObject({ status: 200, body });
    await refused('POST', '', {}, 405, /GET/);
    await refused('DELETE', '/', {}, 405, /GET/);
  });

  it('sets additionalProperties in every object schema', () => {
    const schemas = Object.entries(document.components?.schemas ?? {}) as [string, { type?: unknown }][];
    const lax = schemas.filter(([, schema]) => schema.type === 'object' && !('additionalProperties' in schema));
    expect(lax.map(([name]) => name)).toEqual([]);
  });
});

const parametersOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'];

const wrongTypes = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'multipart/form-data'],
  ...[';', '/', 'application/', 'application/json/json'],
];

/** The operations of which everything wrong is tried. */
const tried = sampleOf(
  named.map(([id]) => id),
  10,
);

describe.each(named)('%s', (id, operation) => {
  const { method, takesBody } = operation;
  const send = (sent: Sent, status: number, says: RegExp) => refused(method, pathOf(operation), sent, status, says);

  if (id !== endless)
    it('answers as documented', async () => {
      const reply = await control(method, pathOf(operation), bodyOf(operation));
      const [status = ''] = Object.keys(operation.definition.responses ?? {});
      const isEmpty = status === '204';
      expect([String(reply.status), reply.text]).toEqual([status, isEmpty ? '' : expect.any(String)]);
      expect(reply.headers.get('content-type')).toBe(isEmpty ? null : 'application/json');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(typeof reply.body).toBe(isEmpty ? 'undefined' : 'object');
    });

  it.runIf(tried.includes(id))('refuses an unknown query parameter, other methods and unknown resources', async () => {
    await refused(method, `${pathOf(operation)}?colour=red`, bodyOf(operation), 422, /query\.colour/);
    const here = operationsAt(operations, pathOf(operation)).map((one) => one.method);
    for (const other of methods.filter((one) => !here.includes(one))) {
      const reply = await refused(other, pathOf(operation), {}, 405, new RegExp(method));
      expect(reply.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(here));
    }
    for (const name of parametersOf(operation))
      await refused(method, pathOf(operation, { [name]: '987654' }), bodyOf(operation), 404);
  });

  if (takesBody)
    it.runIf(tried.includes(id))(
      'refuses a body that is no JSON in UTF-8, or of the wrong type, or with fields that are',
      async () => {
        const text = JSON.stringify(bodies[id]?.());
        for (const type of wrongTypes)
          await send({ raw: text, headers: { 'content-type': type } }, 415, /application\/json/);
        await send({ raw: new TextEncoder().encode(text) }, 415, /application\/json/);
        const headers = { 'content-type': 'application/json' };
        for (const raw of ['{', '{"name":}', "{'a':1}", '\u0000', '{"a":1}}'])
          await send({ raw, headers }, 400, /not valid JSON/);
        await send({ raw: new Uint8Array([0x7b, 0xff, 0x7d]), headers }, 400, /UTF-8/);
        const isList = id === 'putTools';
        for (const json of ['text', 5, true, null, isList ? {} : []]) await send({ json }, 422, /body/);
        if (isList) return;
        for (const [name, wrong] of [['colour', 'red'] as const, ...propertiesOf(operation)]) {
          const json = { ...(bodies[id]?.() as object), [name]: wrong };
          await send({ json }, 422, new RegExp(`body\\.${name}`));
        }
      },
    );

  if (!takesBody && method !== 'GET')
    it('refuses a body other than {}', async () => {
      await send({ json: { organization: 'org-b' } }, 422, /body/);
      await nothingChanged();
      const { status } = await control(method, pathOf(operation), { json: {} });
      expect([200, 204]).toContain(status);
    });
});

interface Schema {
  $ref?: string;
  else?: Schema;
}

interface Property {
  type?: string | string[];
}

/** Each field of a body, with a value that is not of its type. */
function propertiesOf({ definition }: Operation): [name: string, wrong: unknown][] {
  const { content } = definition.requestBody as { content: Record<string, { schema: Schema }> };
  const { $ref, else: whole } = content['application/json']?.schema ?? {};
  return wrongFields($ref ?? whole?.$ref ?? '');
}

function wrongFields($ref: string): [name: string, wrong: unknown][] {
  const schema = document.components?.schemas?.[$ref.split('/').at(-1) ?? ''] as { properties?: object } | undefined;
  const fields = Object.entries(schema?.properties ?? {}) as [string, Property][];
  return fields.map(([name, { type }]) => [name, [type].flat().includes('object') ? ['x'] : { x: 1 }]);
}

describe('invalid input to the admin API', () => {
  const wrong: Record<string, [json: unknown, says: RegExp][]> = {
    createAgent: [
      [{}, /body\.name/],
      [{ name: 5 }, /body\.name/],
      [{ name: 'a', id: '' }, /body\.id/],
      [{ name: 'a', createdAt: 'noon' }, /body\.createdAt.*ISO/],
      [{ name: 'a', createdAt: '2026-12-31T23:59:60Z' }, /body\.createdAt.*ISO/],
      [{ name: 'a', createdAt: '2026-03-02T08:15:00+01' }, /body\.createdAt.*ISO/],
      [{ name: 'a', createdAt: '2026-03-02T08:15:00' }, /body\.createdAt.*ISO/],
      [{ name: 'a', createdAt: '9999-12-31T23:59:59-23:59' }, /body\.createdAt.*ISO/],
      [{ name: 'a', published: 1 }, /body\.published.*0 revisions/],
      [{ name: 'a', published: 0, revisions: [{}] }, /body\.published/],
      [{ name: 'a', revisions: [{ colour: 1 }] }, /body\.revisions\.0\.colour/],
    ],
    createRevision: [[{ id: 7 }, /body\.id/]],
    changeAgent: [
      [{}, /body/],
      [{ name: null }, /body\.name/],
      [{ activeRevisionId: 'rev-b' }, /activeRevisionId/],
    ],
    createFile: [
      [{}, /body\.path/],
      [{ path: 'docs/x' }, /body\.path/],
      [{ path: '/docs/../x' }, /body\.path/],
      [{ path: '/..' }, /body\.path/],
      [{ path: '/x', becomes: { status: 'ready' } }, /body\.becomes\.afterMs/],
      [{ path: '/x', becomes: { status: 'ready', afterMs: -1 } }, /body\.becomes\.afterMs/],
      [{ path: '/x', becomes: { status: 'ready', afterMs: 1e18 } }, /body\.becomes\.afterMs/],
      [{ path: '/x', becomes: { status: 'late', afterMs: 1 } }, /body\.becomes\.status/],
      [{ path: '/x', becomes: null }, /body\.becomes/],
      [{ path: '/x', sizeBytes: -1 }, /body\.sizeBytes/],
      [{ path: '/x', metadata: [] }, /body\.metadata/],
    ],
    changeFile: [
      [{}, /body/],
      [{ status: null }, /body\.status/],
      [{ path: '/..' }, /body\.path/],
      [{ becomes: { status: 'ready', afterMs: 1e18 } }, /body\.becomes/],
    ],
    putTools: [
      [[{ name: 'x' }], /body\.0\.description/],
      [[{ name: 'x', description: 'y', colour: 1 }], /body\.0\.colour/],
    ],
    openSandbox: [
      [{ key: 'with blank' }, /body\.key.*printable/],
      [{ key: 'x'.repeat(257) }, /body\.key.*printable/],
      [{ key: '' }, /body\.key.*printable/],
      [{ name: '' }, /body\.name/],
      [{ name: 'self' }, /body\.name.*self/],
      [{ copyOf: 5 }, /body\.copyOf/],
    ],
    issueKey: [[{ key: 'ä' }, /body\.key.*printable/]],
    changeSettings: [
      [{}, /body/],
      [{ advanceMs: -1 }, /body\.advanceMs/],
      [{ advanceMs: 0.5 }, /body\.advanceMs/],
      [{ advanceMs: 1e18 }, /advanceMs/],
      [{ clock: 'noon' }, /body\.clock/],
      [{ clock: '2026-12-31T23:59:60Z' }, /body\.clock/],
      [{ clock: '9999-12-31T23:59:59-01:00' }, /clock.* in the years 1 to 9998/],
      [{ clock: '9999-06-01T00:00:00Z' }, /clock/],
      [{ clock: '0000-01-01T00:00:00+01:00' }, /clock/],
      [{ clock: '0000-06-01T00:00:00Z' }, /clock/],
      [{ profile: { colour: 'red' } }, /body\.profile\.colour/],
      [
        { profile: { 'successStatus.createDrive': 404 }, clock: now },
        /body\.profile\.successStatus\.createDrive.*legal/,
      ],
      [{ profile: { 'successStatus.createDrive': 200 }, clock: 'noon' }, /body\.clock/],
      [{ latency: { fromMs: 9, toMs: 1 } }, /"body\.latency\.toMs must be fromMs/],
      [{ latency: {} }, /"body\.latency /],
      [{ faults: [{ id: 'latency', effect: { emptyAnswer: {} } }] }, /"body\.faults\.0\.effect .*reserved/],
    ],
  };

  it.each(Object.entries(wrong))('is refused: %s', async (id, rows) => {
    const operation = operations.find(({ operationId }) => operationId === id) as Operation;
    for (const [json, says] of rows) await refused(operation.method, pathOf(operation), { json }, 422, says);
  });

  it('is refused in queries and numbers', async () => {
    for (const [path, says] of [
      ['?status=ok', /query\.status/],
      ['?status=99', /query\.status/],
      ['?limit=0', /query\.limit/],
      ['?limit=1&limit=2', /query\.limit.*once/],
      ['?limit=%zz', /query\.limit/],
      ['?since=yesterday', /query\.since.*ISO/],
      ['?since=2026-12-31T23:59:60Z', /query\.since.*ISO/],
      ['?operation=listCats', /query\.operation/],
      ['?organization=', /query\.organization/],
    ] as const)
      await refused('GET', `/requests${path}`, {}, 422, says);
    for (const number of ['abc', '0x0', '%200', '0e0', '-1'])
      await refused('GET', `/requests/${number}`, {}, 422, /requestNumber/);
  });

  it('gets 404 or 405 at a path of none', async () => {
    const revisions = '/organizations/org-a/agents/agent-blank/revisions';
    for (const path of ['/nothing', '/health/', '/organizations//keys', revisions, '/Health', '//health', '/../x']) {
      const { status, headers } = await control('GET', path);
      expect([404, 405]).toContain(status);
      expect(headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it('gets known names suggested for unknown ones', async () => {
    await refused('PATCH', '/settings', { json: { profil: {} } }, 422, /did you mean profile/);
    await refused(
      'PATCH',
      '/settings',
      { json: { profile: { 'successStatus.createDrvie': 200 } } },
      422,
      /did you mean successStatus.createDrive/,
    );
    await refused('POST', '/organizations', { json: { copyOf: 'Cedar' } }, 404, /Alder.*Birch/);
    await refused('GET', '/organizations/nobody', {}, 404, /GET \/__admin\/organizations/);
  });
});

describe('answers of the admin API', () => {
  it.each(sampleOf(['nested', 'message', 'list', 'empty'] as const, 1))(
    'are problems, even with errorBody %s',
    async (errorBody) => {
      const other = await startControlled({
        set: { errorBody, 'errorStatus.notFound': 410, 'errorStatus.invalidInput': 400 },
      });
      expectProblem(await other.control('GET', '/nothing'), 404);
      expectProblem(await other.control('GET', '/organizations/nobody'), 404);
      expectProblem(await other.control('GET', '/requests?limit=0'), 422);
      expectProblem(await other.control('GET', '/%zz'), 400);
      expectProblem(await raw(other.mock, 'GET', '/health', 'Expect: nothing'), 417);
      expectProblem(await raw(other.mock, 'GET', '/health', 'Host: localhost'), 400);
      expectProblem(await raw(other.mock, 'GET', '/health#top'), 400);
      expectProblem(await raw(other.mock, 'TRACE', '/health'), 405);
      expectProblem(await raw(other.mock, 'PROPFIND', '/health'), 405);
      expectProblem(await raw(other.mock, 'PROPFIND', '/nothing'), 404);
      expect((await other.control('GET', '/requests')).body.requests).toEqual([]);
    },
  );

  it('have no body for HEAD', async () => {
    const reading = operations.filter(({ method }) => method === 'GET');
    for (const operation of reading) {
      const heads = [`HEAD /__admin${pathOf(operation)}`, 'GET /__admin/health'].map(
        (line) => `${line} HTTP/1.1\r\nHost: ${new URL(mock.url).host}\r\n\r\n`,
      );
      const { answers } = await exchange(mock.url, heads.join(''), { methods: ['HEAD', 'GET'] });
      expect([operation.operationId, ...answers.map(({ status }) => status)]).toEqual([
        operation.operationId,
        200,
        200,
      ]);
      expect(String(answers[1]?.body)).toContain('healthy');
    }
  });
});

/** For what fetch does not send. */
async function raw(of: Mock, method: string, path: string, ...lines: string[]): Promise<Reply> {
  const head = [`${method} /__admin${path} HTTP/1.1`, `Host: ${new URL(of.url).host}`, ...lines, '', ''];
  const { answers } = await exchange(of.url, head.join('\r\n'));
  const [{ status, headers, body } = { status: 0, headers: [], body: Buffer.alloc(0) }] = answers;
  const text = String(body);
  return {
    status,
    text,
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    body: JSON.parse(text),
  };
}

describe('the admin API of a running mock', () => {
  it('reports health and versions', async () => {
    expect((await control('GET', '/health')).body).toMatchObject({ status: 'healthy', organizations: 2 });
    expect((await control('GET', '/version')).body).toMatchObject({ contract: '0.1.0', version: expect.any(String) });
  });

  it('lists open points with current choice, legal alternatives and question', async () => {
    await control('PATCH', '/settings', { json: { profile: { 'successStatus.createDrive': 202 } } });
    const { body } = await control('GET', '/open-points');
    expect(body).toHaveLength(loadOpenPoints().length);
    for (const { id, now: applied, alsoLegal, question } of body) {
      expect([id, applied]).toEqual([id, mock.profile[id as 'successStatus.createDrive']]);
      expect(alsoLegal.map(({ value }: { value: unknown }) => value)).not.toContain(applied);
      expect(question).not.toBe('');
    }
    expect(body.find(({ id }: { id: string }) => id === 'successStatus.createDrive')).toMatchObject({
      now: 202,
      isDefault: false,
    });
    await control('PATCH', '/settings', { json: { profile: { 'successStatus.createDrive': 201 } } });
    const some = (await control('GET', '/open-points?operation=listAgents')).body as { operations: string[] }[];
    expect(some.length).toBeGreaterThan(0);
    expect(some.every((point) => point.operations.includes('listAgents'))).toBe(true);
    await refused('GET', '/open-points?operation=listCats', {}, 422, /query\.operation/);
  });

  it('tells of each choice whether it may be used, as the change of it is answered', async () => {
    for (const query of ['', '?organization=org-b']) {
      const points = (await control('GET', `/open-points${query}`)).body as ShownOpenPoint[];
      expect(points.map(({ id, choices }) => [id, choices.map(({ value }) => value)])).toEqual(
        loadOpenPoints().map(({ id, choices }) => [id, choices.map(({ value }) => value)]),
      );
      const all = points.flatMap(({ id, choices }) => choices.map((choice) => ({ id, ...choice })));
      const [may, mayNot] = [all.filter((one) => !one.refused), all.filter((one) => one.refused)];
      for (const { id, value, refused: why } of [...sampleOf(may, 20), ...mayNot]) {
        const reply = await control('PATCH', `/settings${query}`, { json: { profile: { [id]: value } } });
        if (why === undefined) expect([id, value, reply.status]).toEqual([id, value, 200]);
        else expect(reply.body.validation).toEqual([expect.objectContaining({ message: why })]);
      }
      expect(new Set(mayNot.map(({ id }) => id))).toEqual(
        new Set(['toolsOfNewServer', ...(query === '' ? [] : sharedPoints)]),
      );
      const idle = points.filter(({ withoutEffect }) => withoutEffect !== undefined).map(({ id }) => id);
      expect(idle).toEqual(['unreachableTools', 'toolWithoutDescription']);
      const defaults = Object.fromEntries(points.map((point) => [point.id, point.default]));
      await control('PATCH', '/settings', { json: { profile: defaults } });
    }
  });

  it.each(['hidden', 'visible'] as const)('draws a %s profile as --vary does, and uses nothing of it', async (vary) => {
    const before = await everythingOf(control);
    const randomSeed = 77;
    const started = await createMock({ seed: tinySeed, vary, randomSeed });
    await started.close();
    const draw = () => control('GET', `/drawn-profile?vary=${vary}&randomSeed=${randomSeed}`);
    const { body } = await draw();
    expect(body).toMatchObject({ vary, randomSeed, profile: started.profile });
    expect({ ...mock.profile, ...body.changes }).toEqual(started.profile);
    expect((await draw()).body).toEqual(body);
    expect(await everythingOf(control)).toBe(before);
    const { status } = await control('PATCH', '/settings', { json: { profile: body.changes } });
    expect([status, mock.profile]).toEqual([200, started.profile]);
    await control('PATCH', '/settings', { json: { profile: defaultProfile(loadOpenPoints()) } });
  });

  it('draws what the organization may use, and quietly by the random seed of the mock where nothing is said', async () => {
    const { body } = await control('GET', '/drawn-profile');
    expect(body).toMatchObject({ vary: 'hidden', randomSeed: 1 });
    for (let randomSeed = 1; randomSeed <= depth(4, 12); randomSeed++) {
      const own = await control('GET', `/drawn-profile?vary=visible&organization=org-b&randomSeed=${randomSeed}`);
      const { status } = await control('PATCH', '/settings?organization=org-b', {
        json: { profile: own.body.profile },
      });
      expect([randomSeed, status]).toEqual([randomSeed, 200]);
      expect(own.body.profile).toMatchObject({ bothAuthHeaders: mock.profile.bothAuthHeaders });
    }
    for (const query of ['vary=noisy', 'randomSeed=x', 'randomSeed=1.5', 'vary=', 'randomSeed=1&randomSeed=2'])
      await refused('GET', `/drawn-profile?${query}`, {}, 422, /query\.(?:vary|randomSeed)/);
  });

  it('draws as a mock that may contact MCP servers does', async () => {
    const live = await startControlled({ liveMcp: true, vary: 'visible', randomSeed: 5 });
    const { body } = await live.control('GET', '/drawn-profile?vary=visible');
    expect(body).toMatchObject({ randomSeed: 5, profile: live.mock.profile, changes: {} });
    const points = (await live.control('GET', '/open-points')).body as ShownOpenPoint[];
    expect(points.filter(({ withoutEffect }) => withoutEffect !== undefined)).toEqual([]);
    expect(points.flatMap(({ choices }) => choices.filter(({ refused: why }) => why !== undefined))).toEqual([]);
  });

  it('gives settings that can be sent back, with the latency apart from the faults', async () => {
    await control('PATCH', '/settings', {
      json: { latency: { delayMs: 1 }, faults: [{ effect: { emptyAnswer: {} } }] },
    });
    const { latency, faults } = (await control('GET', '/settings')).body;
    expect(faults).toHaveLength(1);
    const json = { latency, faults: faults.map(({ effect }: { effect: unknown }) => ({ effect })) };
    expect((await control('PATCH', '/settings', { json })).body).toMatchObject({
      latency: { delayMs: 1 },
      faults: [{}],
    });
    expect((await control('DELETE', '/faults')).status).toBe(204);
    expect((await control('GET', '/settings')).body).toMatchObject({ latency: { delayMs: 1 }, faults: [] });
    expect((await control('PATCH', '/settings', { json: { latency: null } })).body.latency).toBeNull();
  });

  it('takes no name that several organizations have', async () => {
    const opened = [];
    for (const _ of [1, 2]) opened.push((await control('POST', '/organizations', { json: { name: 'Twice' } })).body);
    const says = /2 organizations have the name .{1,2}Twice.{1,2}\. Send an id/;
    await refused('POST', '/reset?organization=Twice', {}, 409, says);
    await refused('GET', '/organizations/Twice', {}, 409, says);
    const named = { json: { organizationId: 'Twice', effect: { emptyAnswer: {} } } };
    await refused('POST', '/faults', named, 409, says);
    expect(() => mock.setProfile({}, { organization: 'Twice' })).toThrow(/^2 organizations have the name "Twice"/);
    expect(() => mock.faults.add({ ...named.json } as never)).toThrow(/names several organizations; pass an id/);
    await nothingChanged();
    for (const { organization } of opened)
      expect((await control('DELETE', `/organizations/${organization.id}`)).status).toBe(204);
  });

  it('sets, advances and releases the clock', async () => {
    const clockOf = async (json: unknown) => (await control('PATCH', '/settings', { json })).body.clock;
    expect(await clockOf({ advanceMs: 90_000 })).toEqual({ isStanding: true, now: '2026-06-01T12:01:30.000Z' });
    const early = { clock: '1969-12-31T23:00:00Z', advanceMs: 500 };
    expect(await clockOf(early)).toEqual({ isStanding: true, now: '1969-12-31T23:00:00.500Z' });
    const [latest, century] = ['9998-12-31T23:59:59Z', 3_155_760_000_000];
    await refused('PATCH', '/settings', { json: { clock: latest, advanceMs: century } }, 422, /9998/);
    await nothingChanged();
    expect((await clockOf({ clock: null })).isStanding).toBe(false);
    for (const json of [{ advanceMs: 1 }, { clock: null, advanceMs: 1 }])
      expectProblem(await control('PATCH', '/settings', { json }), 409, /clock is running/);
    await control('POST', '/reset');
    expect((await control('GET', '/settings')).body.clock).toEqual({ isStanding: true, now });
  });
});
