import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FaultMoment } from '../../src/app/faults/effects.ts';
import { createLog } from '../../src/cli/log.ts';
import { createMock, type Fault, type Mock, type MockOptions, type OperationId } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { startControlled, useControlled } from '../support/control.ts';
import { exchange, open, type RawRequest, sendRaw, toBytes } from '../support/raw-http.ts';
import { timeLimit } from '../support/time-limit.ts';

const clock = '2026-10-01T12:00:00Z';
const key = 'X-API-Key: demo-key';
const longMs = 600_000;

const usual = useControlled({ seed: 'demo', clock });

/** The mock that all tests share, in its starting state; with options, one for this test alone. */
async function start(options?: MockOptions): Promise<Mock> {
  return options === undefined ? usual().mock : (await startControlled({ seed: 'demo', clock, ...options })).mock;
}

const clientOf = (mock: Mock, apiKey = 'demo-key') => createClient(mock.url, apiKey);
const organizationOf = (mock: Mock, apiKey: string) => String(mock.engine.store.organizationOf(apiKey)?.id);
const listDrives: RawRequest = { method: 'GET', target: '/v0.1/drives', lines: [key] };
const listAgents: RawRequest = { method: 'GET', target: '/v0.1/agents', lines: [key] };
const lastly = (request: RawRequest): RawRequest => ({
  ...request,
  lines: [...(request.lines ?? []), 'Connection: close'],
});

async function namesIn(client: Client): Promise<string[]> {
  const { body } = await client('GET', '/drives?limit=100');
  return body.data.map(({ name }: { name: string }) => name);
}

/** Creates a drive, and says how it ended: the status, or the code of the error. */
async function create(client: Client, name: string, signal?: AbortSignal): Promise<number | string> {
  try {
    return (await client('POST', '/drives', { json: { name }, ...(signal === undefined ? {} : { signal }) })).status;
  } catch (error) {
    return String(((error as Error).cause as NodeJS.ErrnoException | undefined)?.code);
  }
}

/** What is received over a connection of its own: the pieces, the head without what differs anyway, and the body. */
async function receive(mock: Mock, request: RawRequest) {
  const { pieces, endedBy } = await exchange(mock.url, toBytes(lastly(request)), { isReadToEnd: true });
  const bytes = Buffer.concat(pieces);
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, Math.max(end, 0)).toString();
  return { endedBy, count: pieces.length, head: head.replace(/x-request-id: .*/, ''), body: bytes.subarray(end + 4) };
}

interface Row {
  effect: Fault['effect'];
  /** When it may apply, the default first. */
  moments: FaultMoment[];
  /** How the connection ends without a response; absent if there is one. */
  lost?: string;
  /** Of the response: the status where it is another, the media type, and how much of the body there is. */
  status?: number;
  type?: string;
  share?: number;
}

const rows: Row[] = [
  { effect: { connectionReset: {} }, moments: ['after', 'before'], lost: 'ECONNRESET' },
  { effect: { emptyAnswer: {} }, moments: ['after', 'before'], lost: 'end' },
  { effect: { status: { code: 503 } }, moments: ['before', 'after'], status: 503 },
  { effect: { latency: { delayMs: 1 } }, moments: ['before', 'after'] },
  { effect: { latency: { fromMs: 1, toMs: 3 } }, moments: ['before', 'after'] },
  { effect: { truncatedBody: {} }, moments: ['after'], share: 0.5 },
  { effect: { slowDribble: { overMs: 20 } }, moments: ['after'] },
  { effect: { wrongMediaType: {} }, moments: ['after'], type: 'text/html' },
  {
    ...{ effect: { wrongMediaType: { contentType: 'text/plain; charset=utf-8' } }, moments: ['after'] },
    type: 'text/plain; charset=utf-8',
  },
];

const lost = rows.flatMap(({ effect, lost }) => (lost === undefined ? [] : [effect]));

describe.each(rows)('$effect', ({ effect, moments, lost, status, type = 'application/json', share = 1 }) => {
  it.each(moments)('applies %s the change, and keeps it or not', async (moment) => {
    const mock = await start();
    const client = clientOf(mock);
    const names = await namesIn(client);
    const isDefault = moment === moments[0];
    const fault = mock.faults.add({ operations: ['createDrive'], effect, ...(isDefault ? {} : { moment }) });
    expect(fault.moment).toBe(moment);
    const answer = await create(client, 'New');
    if (share === 1) expect([answer]).toEqual([lost === undefined ? (status ?? 201) : expect.any(String)]);
    const isChanged = moment === 'after' || 'latency' in effect;
    expect((await namesIn(client)).filter((name) => !names.includes(name))).toEqual(isChanged ? ['New'] : []);
  });

  it('is what is received for GET, and its head for HEAD', async () => {
    const mock = await start();
    await create(clientOf(mock), 'Übergröße 名前 🙂');
    const whole = (await sendRaw(mock.url, listDrives)).body;
    mock.faults.add({ effect });
    const [get, head] = [await receive(mock, listDrives), await receive(mock, { ...listDrives, method: 'HEAD' })];
    if (lost !== undefined) {
      for (const one of [get, head]) expect(one).toMatchObject({ endedBy: lost, count: 0 });
      return;
    }
    expect([get.endedBy, head]).toMatchObject(['end', { head: get.head, endedBy: 'end', body: Buffer.alloc(0) }]);
    expect(get.head).toMatch(new RegExp(`^HTTP/1.1 ${status ?? 200} `));
    expect(get.head).toMatch(/^x-fault: fault-1\r$/m);
    if (status !== undefined) return;
    expect(get.body).toEqual(whole.subarray(0, whole.length * share));
    expect(get.head).toContain(`content-length: ${whole.length}\r\n`);
    expect(get.head).toContain(`content-type: ${type}\r\n`);
    if ('slowDribble' in effect) expect(get.count).toBeGreaterThan(2);
  });
});

describe('X-Fault', () => {
  it('names all faults that apply', async () => {
    const mock = await start();
    mock.faults.add({ id: 'slow', effect: { latency: { delayMs: 5 } } });
    mock.faults.add({ id: 'jitter', effect: { latency: { fromMs: 1, toMs: 5 } }, moment: 'after' });
    expect((await clientOf(mock)('GET', '/drives')).headers.get('x-fault')).toBe('slow, jitter');
  });

  it('and Retry-After are readable by pages of other origins', async () => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code: 429, retryAfterSeconds: 3 } } });
    const { headers } = await clientOf(mock)('GET', '/drives', { headers: { origin: 'http://localhost:8080' } });
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(headers.get('retry-after')).toBe('3');
    expect(exposed).toEqual(expect.arrayContaining(['x-fault', 'retry-after']));
  });
});

describe('a status fault', () => {
  it.each([400, 402, 599])('sends %i as a problem', async (code) => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code } } });
    const { status, headers, body } = await clientOf(mock)('GET', '/drives');
    expect([status, headers.get('content-type')]).toEqual([code, 'application/problem+json']);
    const type = expect.stringMatching(/^urn:agent-platform:problem:[a-z\d-]+$/);
    expect(body).toEqual({ type, title: expect.any(String), status: code, detail: expect.stringContaining('X-Fault') });
  });

  it.each([
    ['nested', { error: { code: 'service-unavailable', message: expect.any(String), details: [] } }],
    ['message', { message: expect.any(String) }],
    ['list', { errors: [{ code: 'service-unavailable', message: expect.any(String) }] }],
    ['empty', undefined],
  ] as const)('uses the error shape %s of the profile', async (errorBody, expected) => {
    const mock = await start();
    mock.setProfile({ errorBody });
    mock.faults.add({ effect: { status: { code: 503 } } });
    const { status, body } = await clientOf(mock)('GET', '/drives');
    expect({ status, body }).toEqual({ status: 503, body: expected });
  });

  it.each<[OperationId, string, number, string]>([
    ['listAgents', '/agents', 401, 'unauthenticated'],
    ['listMcpServerTools', '/mcp-servers/x/tools', 404, 'not-found'],
    ['listDrives', '/drives', 422, 'invalid-input'],
    ['listAgents', '/agents', 422, 'unprocessable-entity'],
  ])('gives %s (%s) with %i the problem type %s', async (operation, path, code, name) => {
    const mock = await start();
    mock.faults.add({ operations: [operation], effect: { status: { code } } });
    const { status, headers, body } = await clientOf(mock)('GET', path);
    expect({ status, type: body.type }).toEqual({ status: code, type: `urn:agent-platform:problem:${name}` });
    expect(headers.has('www-authenticate')).toBe(code === 401);
  });
});

async function held(mock: Mock, count: number): Promise<void> {
  await vi.waitFor(() => expect(mock.faults.held.count).toBe(count), { timeout: timeLimit(60_000) });
}

describe('a held call', () => {
  const slow: Fault = { operations: ['createDrive'], effect: { latency: { delayMs: longMs } } };

  it.each<[FaultMoment, boolean]>([
    ['before', false],
    ['after', true],
  ])('%s the change has changed the state at once: %s; and then nobody waits for it', async (moment, isChanged) => {
    const mock = await start();
    mock.faults.add({ ...slow, moment });
    const giveUp = new AbortController();
    const created = create(clientOf(mock), 'Aborted', giveUp.signal);
    await held(mock, 1);
    for (const isGone of [false, true]) {
      if (isGone) giveUp.abort();
      await held(mock, isGone ? 0 : 1);
      expect((await namesIn(clientOf(mock))).includes('Aborted')).toBe(isChanged);
    }
    expect(await created).not.toBe(201);
  });

  it.each<[string, (mock: Mock) => void, effect?: Fault['effect']]>([
    ['the fault is removed', ({ faults }) => faults.remove('slow')],
    ['the fault is disabled', ({ faults }) => faults.replace('slow', { isEnabled: false })],
    ['all faults are cleared', ({ faults }) => faults.clear()],
    [
      'all faults are cleared, while a body is sent slowly',
      ({ faults }) => faults.clear(),
      { slowDribble: { overMs: longMs } },
    ],
    ['the faults of its organization are cleared', (mock) => mock.faults.clear(organizationOf(mock, 'demo-key'))],
  ])('resumes when %s', async (_case, lift, effect = slow.effect) => {
    const mock = await start();
    mock.faults.add({ ...slow, effect, id: 'slow' });
    const created = create(clientOf(mock), 'Late');
    await held(mock, 1);
    lift(mock);
    expect(mock.faults.held.count).toBe(0);
    expect(await created).toBe(201);
    expect(await namesIn(clientOf(mock))).toContain('Late');
  });

  it('stays held when another fault or organization is cleared', async () => {
    const mock = await start();
    mock.faults.add({ ...slow, id: 'slow' });
    mock.faults.add({ id: 'other', effect: { emptyAnswer: {} }, when: { share: 0 } });
    const created = create(clientOf(mock), 'Late');
    await held(mock, 1);
    mock.faults.remove('other');
    mock.faults.replace('slow', { operations: null });
    mock.faults.clear(organizationOf(mock, 'demo-key-2'));
    expect(mock.faults.held.count).toBe(1);
    mock.faults.clear();
    expect(await created).toBe(201);
  });

  it('completes on a reset without changing the new state', async () => {
    const mock = await start();
    const names = await namesIn(clientOf(mock));
    mock.faults.add(slow);
    const created = create(clientOf(mock), 'Before the reset');
    await held(mock, 1);
    mock.reset();
    expect(await created).toBe(201);
    expect(await namesIn(clientOf(mock))).toEqual(names);
    expect(mock.faults.list()).toEqual([]);
  });

  it('sends the headers of a slowDribble and its first piece at once, and ends when the client disconnects', async () => {
    const mock = await start();
    mock.faults.add({ effect: { slowDribble: { overMs: longMs } } });
    const connection = open(mock.url);
    connection.write(toBytes(listDrives));
    const [head] = await once(connection, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{"data":.*[^}]$/s);
    expect(mock.faults.held.count).toBe(1);
    connection.destroy();
    await held(mock, 0);
  });

  it('ends when the mock closes, without changing anything', async () => {
    const mock = await createMock();
    mock.faults.add(slow);
    const created = create(clientOf(mock), 'Never');
    await held(mock, 1);
    await mock.close();
    expect(await created).not.toBe(201);
    await held(mock, 0);
    const organization = mock.engine.store.organizationOf('demo-key');
    expect([...(organization?.drivesById.values() ?? [])].map(({ name }) => name)).not.toContain('Never');
  });

  it('ends with its connection, and the 29 calls behind it are never begun', async () => {
    const mock = await start();
    mock.faults.add({ effect: { latency: { delayMs: longMs } } });
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const connection = open(mock.url);
    connection.write(Buffer.concat(Array.from({ length: 30 }, () => toBytes(listDrives))));
    await held(mock, 1);
    connection.destroy();
    await held(mock, 0);
    expect(mock.faults.list()).toMatchObject([{ matched: 1, applied: 1 }]);
    expect(warnings).toEqual([]);
  });

  it('is answered with 500 if the mock itself fails', async () => {
    const unexpected: unknown[] = [];
    const mock = await createMock({ onUnexpected: (error) => unexpected.push(error) });
    onTestFinished(() => mock.close());
    const failure = new Error('of the engine');
    mock.faults.add({ effect: { latency: { delayMs: 1 } } });
    vi.spyOn(mock.engine, 'answer').mockImplementation(() => {
      throw failure;
    });
    expect((await clientOf(mock)('GET', '/drives')).status).toBe(500);
    expect(unexpected).toEqual([failure]);
  });
});

describe('the calls that a fault applies to', () => {
  const other = 'demo-key-2';

  it.each<[Omit<Fault, 'effect'>, string, (number | string)[], object]>([
    [{ when: { next: 2 } }, 'demo-key', [503, 503, 200, 200], { matched: 4, applied: 2, isUsedUp: true }],
    [{ when: { every: 3 } }, 'demo-key', [200, 200, 503, 200], { matched: 4, applied: 1, isUsedUp: false }],
    [{ isEnabled: false }, 'demo-key', [200], { isEnabled: false, matched: 0, applied: 0 }],
    [{ organizationId: other }, 'demo-key', [200], { matched: 0 }],
    [{ organizationId: other }, other, [503], { matched: 1 }],
    [{ operations: ['createDrive', 'listDrives'] }, 'demo-key', [503, 503], { matched: 2 }],
    [{ operations: ['createDrive'] }, 'demo-key', [200], { matched: 0 }],
  ])('are those that match and are due: %j, asked with %s', async (fault, key, expected, counts) => {
    const mock = await start();
    const organization = fault.organizationId && { organizationId: organizationOf(mock, fault.organizationId) };
    mock.faults.add({ ...fault, ...organization, effect: { status: { code: 503 } } });
    expect(await statuses(clientOf(mock, key), expected.length)).toEqual(expected);
    expect(mock.faults.list()).toMatchObject([counts]);
  });

  it('are a share, with another random seed another one', async () => {
    const applied = [7, 8].map(async (randomSeed) => {
      const mock = await start({ randomSeed });
      mock.faults.add({ effect: { status: { code: 503 } }, when: { share: 0.5 } });
      return statuses(clientOf(mock), 20);
    });
    const [first, second] = await Promise.all(applied);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(second).not.toEqual(first);
  });

  it('exclude calls refused before they reach an operation', async () => {
    const mock = await start();
    mock.setProfile({ bodySizeLimit: 4096 });
    const client = clientOf(mock);
    mock.faults.add({ effect: { connectionReset: {} } });
    const refused = [
      await client('GET', '/nowhere'),
      await client('PUT', '/drives'),
      await client('GET', '/drives', { key: 'wrong' }),
      await client('POST', '/drives', { key: null, json: { name: 'x' } }),
      await client('POST', '/drives', { json: { name: 'x'.repeat(8192) } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 405, 401, 401, 413]);
    expect((await fetch(new URL('/openapi.json', mock.url))).status).toBe(200);
    expect(mock.faults.list()).toMatchObject([{ matched: 0, applied: 0 }]);
  });

  it('include calls refused by the operation', async () => {
    const mock = await start();
    mock.faults.add({ effect: { wrongMediaType: {} } });
    const { status, headers } = await clientOf(mock)('GET', '/drives?limit=0');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 422, type: 'text/html' });
  });
});

async function statuses(client: Client, count: number, path = '/drives'): Promise<number[]> {
  const seen: number[] = [];
  while (seen.length < count) seen.push((await client('GET', path)).status);
  return seen;
}

describe('connections', () => {
  it.each(lost)('are reopened by the same agent after %j', async (effect) => {
    const mock = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    mock.faults.add({ effect, when: { every: 2 } });
    const seen: unknown[] = [];
    for (let number = 0; number < 4; number++) seen.push(await ask(mock, agent));
    expect(seen).toEqual([200, 'ECONNRESET', 200, 'ECONNRESET']);
  });

  it.each([...lost, { truncatedBody: {} }, { slowDribble: { overMs: 10 } }])(
    'answer earlier requests before %j takes effect',
    async (effect) => {
      const mock = await start();
      const texts = await Promise.all(
        [listAgents, listDrives].map(async (one) => `${(await sendRaw(mock.url, one)).body}`),
      );
      mock.faults.add({ operations: ['listAgents'], effect: { latency: { delayMs: 30 } } });
      mock.faults.add({ operations: ['listDrives'], effect });
      const both = Buffer.concat([toBytes(listAgents), toBytes(lastly(listDrives))]);
      const { answers } = await exchange(mock.url, both, { methods: ['GET', 'GET'], isReadToEnd: true });
      const isWhole = 'slowDribble' in effect;
      expect(answers.map(({ body }) => `${body}`)).toEqual(texts.slice(0, isWhole ? 2 : 1));
    },
  );

  it('keep an answer without a body empty', async () => {
    const mock = await start();
    mock.setProfile({ 'successStatus.publishAgentRevision': 204 });
    const [agent] = mock.engine.store.organizationOf('demo-key')?.agentsById.values() ?? [];
    const publish = async () => {
      const json = { revisionId: agent?.revisions[0]?.id };
      const { status, text, headers } = await clientOf(mock)('POST', `/agents/${agent?.id}/publish`, { json });
      return { status, text, type: headers.get('content-type') };
    };
    const plain = await publish();
    for (const effect of [{ truncatedBody: {} }, { slowDribble: { overMs: 10 } }, { wrongMediaType: {} }]) {
      mock.faults.clear();
      mock.faults.add({ effect });
      expect(await publish()).toEqual(plain);
    }
    expect(plain).toEqual({ status: 204, text: '', type: null });
  });
});

function ask(mock: Mock, agent: Agent): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  get(`${mock.url}/drives`, { agent, headers: { 'x-api-key': 'demo-key' } }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode));
  }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  return promise;
}

it('onExchange reports each exchange, with status 0 if its answer is lost', async () => {
  const told: number[] = [];
  const mock = await start({ onExchange: ({ status }) => told.push(status) });
  const effects: Fault['effect'][] = [
    ...lost,
    { status: { code: 503 } },
    { truncatedBody: {} },
    { latency: { delayMs: 1 } },
  ];
  for (const effect of effects) mock.faults.add({ effect, when: { next: 1 } });
  for (const _ of effects) await exchange(mock.url, toBytes(lastly(listDrives)), { isReadToEnd: true });
  expect(told).toEqual([0, 0, 503, 200, 200]);
});

it('the pretty log shows --- for a lost answer', () => {
  const lines: string[] = [];
  const exchange = { method: 'GET', path: '/v0.1/drives', durationMs: 1, requestId: 'req-1' };
  const write = (line: string) => void lines.push(stripVTControlCharacters(line));
  const log = createLog({ logFormat: 'pretty' }, { write, isInteractive: true, environment: { NO_COLOR: '1' } });
  for (const status of [0, 503]) log.exchange?.({ ...exchange, status });
  expect(lines.map((line) => line.split(/ +/)[2])).toEqual(['---', '503']);
});

it.each<[string, (mock: Mock, without: ReturnType<Mock['snapshot']>) => unknown]>([
  ['a snapshot without it is restored', (mock, without) => mock.restore(without)],
  [
    'the admin API restores one',
    (mock, json) => createClient(mock.adminUrl ?? '', '')('PUT', '/snapshot', { key: null, json }),
  ],
  ['a new sandbox takes its place', (mock) => mock.openSandbox()],
])('a fault of a sandbox is gone with it, when %s', async (_, remove) => {
  const mock = await start({ maxSandboxes: 1 });
  const without = mock.snapshot();
  const { organizationId } = mock.openSandbox();
  for (const more of [{ organizationId }, {}]) mock.faults.add({ effect: { status: { code: 503 } }, ...more });
  await remove(mock, without);
  expect(mock.faults.list()).toMatchObject([{ id: 'fault-2' }]);
});
