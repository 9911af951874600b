import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPrettyLog } from '../../src/cli/log.ts';
import { createMock, type Fault, type Mock, type MockOptions, type OperationId } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { startControlled, useControlled } from '../support/control.ts';
import { exchange, headerOf, open, parse, type RawRequest, sendRaw, toBytes } from '../support/raw-http.ts';
import { timeLimit } from '../support/time-limit.ts';
import { tap } from '../support/wire-tap.ts';

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
async function create(client: Client, name: string): Promise<number | string> {
  try {
    return (await client('POST', '/drives', { json: { name } })).status;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return String(((error as Error).cause as NodeJS.ErrnoException | undefined)?.code);
}

const lost: Fault['effect'][] = [{ connectionReset: {} }, { emptyAnswer: {} }];

describe('effects that a client sees', () => {
  it('connectionReset resets the connection without sending a byte', async () => {
    const mock = await start();
    mock.faults.add({ effect: { connectionReset: {} } });
    expect(await tap(mock.url, toBytes(listDrives))).toEqual({ pieces: [], endedBy: 'ECONNRESET' });
    await expect(clientOf(mock)('GET', '/drives').catch(codeOf)).resolves.toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
  });

  it('emptyAnswer closes the connection cleanly without sending a byte', async () => {
    const mock = await start();
    mock.faults.add({ effect: { emptyAnswer: {} } });
    expect(await tap(mock.url, toBytes(listDrives))).toEqual({ pieces: [], endedBy: 'end' });
    await expect(clientOf(mock)('GET', '/drives').catch(codeOf)).resolves.toBe('UND_ERR_SOCKET');
  });

  it('truncatedBody sends the full Content-Length and half the body, then closes cleanly', async () => {
    const mock = await start();
    const whole = (await sendRaw(mock.url, listDrives)).body;
    mock.faults.add({ effect: { truncatedBody: {} } });
    const { pieces, endedBy } = await tap(mock.url, toBytes(listDrives));
    const [head = '', body] = Buffer.concat(pieces).toString().split('\r\n\r\n');
    expect(endedBy).toBe('end');
    expect(head).toContain(`content-length: ${whole.length}\r\n`);
    expect(head).toMatch(/^x-fault: fault-1$/m);
    expect(body).toBe(whole.subarray(0, whole.length / 2).toString());
    await expect(clientOf(mock)('GET', '/drives').catch(codeOf)).resolves.toBe('UND_ERR_SOCKET');
  });

  it('slowDribble sends the whole body in pieces', async () => {
    const mock = await start();
    const { text } = await clientOf(mock)('GET', '/drives');
    mock.faults.add({ effect: { slowDribble: { overMs: 100 } } });
    const { pieces, endedBy } = await tap(mock.url, toBytes(lastly(listDrives)));
    const [answer] = parse(Buffer.concat(pieces)).answers;
    expect(endedBy).toBe('end');
    expect(pieces.length).toBeGreaterThan(2);
    expect(answer?.body.toString()).toBe(text);
    expect(answer && headerOf(answer, 'x-fault')).toBe('fault-1');
    expect((await clientOf(mock)('GET', '/drives')).text).toBe(text);
  });

  it.each([
    [{}, 'text/html'],
    [{ contentType: 'text/plain; charset=utf-8' }, 'text/plain; charset=utf-8'],
  ])('wrongMediaType %j sends the same body as %s', async (settings, expected) => {
    const mock = await start();
    const client = clientOf(mock);
    const { text, status } = await client('GET', '/drives');
    mock.faults.add({ effect: { wrongMediaType: settings } });
    const answer = await client('GET', '/drives');
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers.get('content-type')).toBe(expected);
    expect(answer.headers.get('x-fault')).toBe('fault-1');
  });

  it('latency sends the same answer with X-Fault', async () => {
    const mock = await start();
    const { text } = await clientOf(mock)('GET', '/drives');
    mock.faults.add({ id: 'slow', effect: { latency: { delayMs: 5 } } });
    mock.faults.add({ id: 'jitter', effect: { latency: { fromMs: 1, toMs: 5 } }, moment: 'after' });
    const answer = await clientOf(mock)('GET', '/drives');
    expect(answer.text).toBe(text);
    expect(answer.headers.get('x-fault')).toBe('slow, jitter');
  });

  it('X-Fault and Retry-After are readable by pages of other origins', async () => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code: 429, retryAfterSeconds: 3 } } });
    const { headers } = await clientOf(mock)('GET', '/drives', { headers: { origin: 'http://localhost:8080' } });
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(headers.get('retry-after')).toBe('3');
    expect(exposed).toEqual(expect.arrayContaining(['x-fault', 'retry-after']));
  });
});

describe('a status fault', () => {
  it.each([400, 402, 429, 500, 503, 599])('sends %i as a problem', async (code) => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code } } });
    const { status, headers, body } = await clientOf(mock)('GET', '/drives');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: code, type: 'application/problem+json' });
    expect(body).toEqual({
      type: expect.stringMatching(/^urn:agent-platform:problem:[a-z\d-]+$/),
      title: expect.any(String),
      status: code,
      detail: expect.stringContaining('X-Fault'),
    });
  });

  const shapes = {
    nested: { error: { code: 'service-unavailable', message: expect.any(String), details: [] } },
    message: { message: expect.any(String) },
    list: { errors: [{ code: 'service-unavailable', message: expect.any(String) }] },
    empty: undefined,
  };
  it.each(Object.entries(shapes))('uses the error shape %s of the profile', async (errorBody, expected) => {
    const mock = await start({ set: { errorBody: errorBody as keyof typeof shapes } });
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

describe('faults before and after the state change', () => {
  const replacing: Fault['effect'][] = [...lost, { status: { code: 503 } }];

  it.each(replacing)('%j before the change leaves the state unchanged', async (effect) => {
    const mock = await start();
    const client = clientOf(mock);
    const names = await namesIn(client);
    mock.faults.add({ operations: ['createDrive'], effect, moment: 'before' });
    expect(await create(client, 'Lost')).not.toBe(201);
    expect(await namesIn(client)).toEqual(names);
  });

  it.each(replacing)('%j after the change loses the answer and keeps the drive', async (effect) => {
    const mock = await start();
    const client = clientOf(mock);
    const names = await namesIn(client);
    mock.faults.add({ operations: ['createDrive'], effect, moment: 'after' });
    expect(await create(client, 'Kept')).not.toBe(201);
    expect((await namesIn(client)).filter((name) => !names.includes(name))).toEqual(['Kept']);
  });

  it.each<[Fault['effect'], string]>([
    [{ latency: { delayMs: 1 } }, 'before'],
    [{ status: { code: 500 } }, 'before'],
    [{ connectionReset: {} }, 'after'],
    [{ emptyAnswer: {} }, 'after'],
    [{ truncatedBody: {} }, 'after'],
    [{ slowDribble: { overMs: 1 } }, 'after'],
    [{ wrongMediaType: {} }, 'after'],
  ])('%j applies %s the change by default', async (effect, moment) => {
    const mock = await start();
    expect(mock.faults.add({ effect }).moment).toBe(moment);
  });

  it('a call that is held before the change and then aborted changes nothing', async () => {
    const mock = await start();
    mock.faults.add({ operations: ['createDrive'], effect: { latency: { delayMs: longMs } } });
    const giveUp = new AbortController();
    const created = fetchDrive(mock, 'Never', giveUp.signal);
    await held(mock, 1);
    giveUp.abort();
    await expect(created).rejects.toThrow();
    await held(mock, 0);
    expect(await namesIn(clientOf(mock))).not.toContain('Never');
  });

  it('a call that is held after the change shows the change at once', async () => {
    const mock = await start();
    mock.faults.add({ operations: ['createDrive'], effect: { latency: { delayMs: longMs } }, moment: 'after' });
    const giveUp = new AbortController();
    const created = fetchDrive(mock, 'Early', giveUp.signal);
    await held(mock, 1);
    expect(await namesIn(clientOf(mock))).toContain('Early');
    giveUp.abort();
    await expect(created).rejects.toThrow();
    await held(mock, 0);
  });
});

function fetchDrive(mock: Mock, name: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${mock.url}/drives`, {
    method: 'POST',
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function held(mock: Mock, count: number): Promise<void> {
  await vi.waitFor(() => expect(mock.faults.held.count).toBe(count), { timeout: timeLimit(60_000) });
}

describe('a held call', () => {
  const slow: Fault = { operations: ['createDrive'], effect: { latency: { delayMs: longMs } } };

  it.each<[string, (mock: Mock) => void]>([
    ['the fault is removed', ({ faults }) => faults.remove('slow')],
    ['the fault is disabled', ({ faults }) => faults.replace('slow', { isEnabled: false })],
    ['all faults are cleared', ({ faults }) => faults.clear()],
    ['the faults of its organization are cleared', (mock) => mock.faults.clear(organizationOf(mock, 'demo-key'))],
  ])('resumes when %s', async (_case, lift) => {
    const mock = await start();
    mock.faults.add({ ...slow, id: 'slow' });
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

  it('completes a slowDribble at once when the faults are cleared', async () => {
    const mock = await start();
    const { text } = await clientOf(mock)('GET', '/drives');
    mock.faults.add({ effect: { slowDribble: { overMs: longMs } } });
    const answered = clientOf(mock)('GET', '/drives');
    await held(mock, 1);
    mock.faults.clear();
    expect((await answered).text).toBe(text);
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
    expect(mock.faults.list()).toMatchObject([{ matched: 1, struck: 1 }]);
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
  it('are the next n', async () => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code: 503 } }, when: { next: 2 } });
    expect(await statuses(clientOf(mock), 4)).toEqual([503, 503, 200, 200]);
    expect(mock.faults.list()).toMatchObject([{ matched: 4, struck: 2, isUsedUp: true }]);
  });

  it('are the next n of each of several faults in turn', async () => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code: 503 } }, when: { next: 1 } });
    mock.faults.add({ effect: { status: { code: 429 } }, when: { next: 2 } });
    expect(await statuses(clientOf(mock), 5)).toEqual([503, 429, 429, 200, 200]);
  });

  it('are every k-th', async () => {
    const mock = await start();
    mock.faults.add({ effect: { status: { code: 503 } }, when: { every: 3 } });
    expect(await statuses(clientOf(mock), 7)).toEqual([200, 200, 503, 200, 200, 503, 200]);
    expect(mock.faults.list()).toMatchObject([{ matched: 7, struck: 2, isUsedUp: false }]);
  });

  it('are a share, the same with the same random seed and after a reset', async () => {
    const flaky: Fault = { effect: { status: { code: 503 } }, when: { share: 0.5 } };
    const carryOut = async (mock: Mock) => {
      mock.faults.add(flaky);
      return statuses(clientOf(mock), 40);
    };
    const [first, second, third] = [
      await start({ randomSeed: 7 }),
      await start({ randomSeed: 7 }),
      await start({ randomSeed: 8 }),
    ];
    const applied = await carryOut(first);
    expect(new Set(applied)).toEqual(new Set([200, 503]));
    expect(await carryOut(second)).toEqual(applied);
    expect(await carryOut(third)).not.toEqual(applied);
    first.reset();
    expect(await carryOut(first)).toEqual(applied);
  });

  it('are those of its organization', async () => {
    const mock = await start();
    mock.faults.add({ organizationId: organizationOf(mock, 'demo-key-2'), effect: { status: { code: 503 } } });
    expect(await statuses(clientOf(mock), 1)).toEqual([200]);
    expect(await statuses(clientOf(mock, 'demo-key-2'), 1)).toEqual([503]);
    mock.faults.clear(organizationOf(mock, 'demo-key'));
    expect(await statuses(clientOf(mock, 'demo-key-2'), 1)).toEqual([503]);
    mock.faults.clear(organizationOf(mock, 'demo-key-2'));
    expect(await statuses(clientOf(mock, 'demo-key-2'), 1)).toEqual([200]);
  });

  it('are those of its operations', async () => {
    const mock = await start();
    const client = clientOf(mock);
    mock.faults.add({ operations: ['listDrives', 'listMcpServers'], effect: { status: { code: 503 } } });
    expect(await statuses(client, 1, '/drives')).toEqual([503]);
    expect(await statuses(client, 1, '/mcp-servers')).toEqual([503]);
    expect(await statuses(client, 1, '/agents')).toEqual([200]);
    expect(await create(client, 'Other')).toBe(201);
  });

  it('are neither hit nor counted while it is disabled', async () => {
    const mock = await start();
    const client = clientOf(mock);
    const { id } = mock.faults.add({ isEnabled: false, effect: { status: { code: 503 } }, when: { every: 2 } });
    expect(await statuses(client, 3)).toEqual([200, 200, 200]);
    mock.faults.replace(id, { isEnabled: true });
    expect(await statuses(client, 2)).toEqual([200, 503]);
    mock.faults.replace(id, { isEnabled: false });
    expect(await statuses(client, 2)).toEqual([200, 200]);
    expect(mock.faults.list()).toMatchObject([{ isEnabled: false, matched: 2, struck: 1 }]);
  });

  it('exclude calls refused before they reach an operation', async () => {
    const mock = await start({ set: { bodySizeLimit: 4096 } });
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
    const contract = await fetch(new URL('/openapi.json', mock.url));
    expect(contract.status).toBe(200);
    expect(mock.faults.list()).toMatchObject([{ matched: 0, struck: 0 }]);
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

  it.each([...lost, { truncatedBody: {} }])('answer earlier requests before %j takes effect', async (effect) => {
    const mock = await start();
    const agents = (await sendRaw(mock.url, listAgents)).body.toString();
    mock.faults.add({ operations: ['listAgents'], effect: { latency: { delayMs: 50 } } });
    mock.faults.add({ operations: ['listDrives'], effect });
    const { pieces } = await tap(mock.url, Buffer.concat([toBytes(listAgents), toBytes(listDrives)]));
    const { answers } = parse(Buffer.concat(pieces), { methods: ['GET', 'GET'] });
    expect(answers.map(({ body }) => body.toString())).toEqual([agents]);
  });

  it('keep the order of pipelined requests', async () => {
    const mock = await start();
    const texts = [await sendRaw(mock.url, listAgents), await sendRaw(mock.url, listDrives)].map(
      ({ body }) => `${body}`,
    );
    mock.faults.add({ operations: ['listAgents'], effect: { latency: { delayMs: 30 } } });
    mock.faults.add({ operations: ['listDrives'], effect: { slowDribble: { overMs: 10 } } });
    const bytes = Buffer.concat([toBytes(listAgents), toBytes(listDrives)]);
    const { answers } = await exchange(mock.url, bytes, { methods: ['GET', 'GET'] });
    expect(answers.map(({ body }) => `${body}`)).toEqual(texts);
  });

  it.each<[Fault['effect'], string]>([
    [{ connectionReset: {} }, 'ECONNRESET'],
    [{ emptyAnswer: {} }, 'end'],
  ])('send nothing for HEAD with %j', async (effect, endedBy) => {
    const mock = await start();
    mock.faults.add({ effect });
    expect(await tap(mock.url, toBytes({ ...listDrives, method: 'HEAD' }))).toEqual({ pieces: [], endedBy });
  });

  it.each<Fault['effect']>([
    { truncatedBody: {} },
    { slowDribble: { overMs: 10 } },
    { wrongMediaType: {} },
    { latency: { delayMs: 1 } },
    { status: { code: 503 } },
  ])('send the headers of GET for HEAD with %j', async (effect) => {
    const mock = await start();
    mock.faults.add({ effect });
    const heads = async (method: string) => {
      const { pieces, endedBy } = await tap(mock.url, toBytes(lastly({ ...listDrives, method })));
      const [head = '', body] = Buffer.concat(pieces).toString().split('\r\n\r\n');
      return { head: head.replace(/x-request-id: .*/, ''), hasBody: body !== '', endedBy };
    };
    const { head } = await heads('GET');
    expect(await heads('HEAD')).toEqual({ head, hasBody: false, endedBy: 'end' });
  });

  it('keep an answer without a body empty', async () => {
    const mock = await start({ set: { publishStatus: 204 } });
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

  it('carry non-ASCII text whole with slowDribble, and half its bytes with truncatedBody', async () => {
    const mock = await start();
    const client = clientOf(mock);
    await create(client, 'Übergröße 名前 🙂');
    const { text } = await client('GET', '/drives');
    mock.faults.add({ effect: { slowDribble: { overMs: 10 } }, when: { next: 1 } });
    expect((await client('GET', '/drives')).text).toBe(text);
    mock.faults.add({ effect: { truncatedBody: {} } });
    const { pieces } = await tap(mock.url, toBytes(listDrives));
    const bytes = Buffer.concat(pieces);
    const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
    expect(body).toEqual(Buffer.from(text).subarray(0, Buffer.byteLength(text) / 2));
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
  for (const _ of effects) await tap(mock.url, toBytes(lastly(listDrives)));
  expect(told).toEqual([0, 0, 503, 200, 200]);
});

it('the pretty log shows --- for a lost answer', () => {
  const lines: string[] = [];
  const exchange = { method: 'GET', path: '/v0.1/drives', durationMs: 1, requestId: 'req-1' };
  const log = createPrettyLog('info', (line) => lines.push(stripVTControlCharacters(line)));
  for (const status of [0, 503]) log.exchange?.({ ...exchange, status });
  expect(lines.map((line) => line.split(/ +/)[2])).toEqual(['---', '503']);
});
