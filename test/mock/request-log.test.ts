import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import { Changes } from '../../src/app/admin-api/changes.ts';
import { controlHandlers } from '../../src/app/admin-api/handlers.ts';
import {
  createMockRequestLog,
  type MockRequestLog,
  type RequestLogEntry,
  type RequestLogLimits,
  recordOf,
  toEntry,
} from '../../src/app/request-log.ts';
import { createMock } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import { expectProblem, startControlled, useControlled } from '../support/control.ts';
import { depth } from '../support/depth.ts';
import { readEvents } from '../support/events.ts';
import { open, sendRaw } from '../support/raw-http.ts';

// The request log: the latest exchanges, bounded in number and in the bytes of their bodies.

/** One exchange, as the plain rules keep it. */
interface Noted {
  id: number;
  status: number;
  request: string;
  answer: string;
  isStripped: boolean;
}

const text = fc
  .oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constant(''))
  .map((one) => one.toWellFormed());
const anyStatus = fc.constantFrom(200, 201, 404);
const anyAct = fc.oneof(
  { arbitrary: fc.record({ status: anyStatus, request: text, answer: text }), weight: 6 },
  { arbitrary: fc.record({ cleared: fc.option(anyStatus, { nil: undefined }) }), weight: 1 },
);
const anyLimits = fc.record({ entries: fc.integer({ min: 1, max: 8 }), bodyBytes: fc.integer({ min: 1, max: 900 }) });

const bytesOf = ({ request, answer }: Pick<Noted, 'request' | 'answer'>) =>
  Buffer.byteLength(request) + Buffer.byteLength(answer);

function note(requestLog: MockRequestLog, exchange: Omit<Noted, 'id' | 'isStripped'>): void {
  const { status, request, answer } = exchange;
  const sent = { method: 'POST', url: '/x', requestId: 'req', body: Buffer.from(request), headers: {} };
  const answered = recordOf({ status, headers: {}, body: answer });
  requestLog.add({ ...sent, ...answered, durationMs: 1, timeMs: 0, isStripped: false }, bytesOf(exchange));
}

/** What an entry shows of what the rules know. */
function shown(recorded: Parameters<typeof toEntry>[0]): Noted {
  const { id, request, answer, isStripped = false } = toEntry(recorded);
  return { id, status: answer.status, request: request.body ?? '', answer: answer.body ?? '', isStripped };
}

it('a request log keeps the latest exchanges that nobody cleared, and the newest bodies that have room', () => {
  const check = (limits: RequestLogLimits, acts: (typeof anyAct extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const requestLog = createMockRequestLog(limits);
    let [kept, count] = [[] as Noted[], 0];
    const bodyBytes = () => kept.filter(({ isStripped }) => !isStripped).reduce((sum, one) => sum + bytesOf(one), 0);
    for (const act of acts) {
      if ('cleared' in act) {
        const { cleared } = act;
        const isCleared = ({ status }: { status: number }) => cleared === undefined || status === cleared;
        const forgotten = requestLog.clear(cleared === undefined ? undefined : isCleared);
        expect(forgotten).toBe(kept.filter(isCleared).length);
        kept = kept.filter((one) => !isCleared(one));
      } else {
        note(requestLog, act);
        kept = [...kept, { ...act, id: count++, isStripped: bytesOf(act) > limits.bodyBytes / 8 }];
        kept = kept.filter(({ id }) => id >= count - limits.entries);
        while (bodyBytes() > limits.bodyBytes) {
          const oldest = kept.find(({ isStripped }) => !isStripped);
          if (oldest !== undefined) oldest.isStripped = true;
        }
      }
      const expected = kept.map((one) => (one.isStripped ? { ...one, request: '', answer: '' } : one));
      expect(requestLog.list().map(shown)).toEqual(expected.toReversed());
      expect(requestLog.list(undefined, 2).map(shown)).toEqual(expected.toReversed().slice(0, 2));
      const found = Array.from({ length: count + 1 }, (_, id) => requestLog.find(id)).filter(
        (one) => one !== undefined,
      );
      expect(found.map(shown)).toEqual(expected);
    }
  };
  const acts = fc.array(anyAct, { maxLength: 60, size: 'max' });
  fc.assert(fc.property(anyLimits, acts, check), { numRuns: depth(150, 400), seed: 1 });
});

async function entriesOf(control: Client, query = ''): Promise<RequestLogEntry[]> {
  const { status, body } = await control('GET', `/requests${query}`);
  expect(status).toBe(200);
  return body.requests;
}

describe('request log of a mock', () => {
  const controlled = useControlled();

  it('records request, response and open points of an exchange', async () => {
    const { api, control } = controlled();
    const json = { name: 'Ünï 🚀' };
    const reply = await api('POST', '/drives?x=1', { json, headers: { 'x-request-id': 'my-id', 'x-note': 'seen' } });
    const [entry] = await entriesOf(control);
    expect(entry).toEqual({
      ...{
        id: expect.any(Number),
        time: '2026-06-01T12:00:00.000Z',
        durationMs: expect.any(Number),
        requestId: 'my-id',
      },
      ...{ operationId: 'createDrive', organizationId: 'org-a' },
      request: {
        ...{ method: 'POST', url: '/v0.1/drives?x=1', body: JSON.stringify(json) },
        headers: expect.objectContaining({ 'x-note': 'seen', 'x-api-key': '[REDACTED]' }),
      },
      answer: { status: 201, headers: { 'content-type': 'application/json' }, body: reply.text },
      openPoints: reply.headers.get('x-open-points')?.split(', '),
    });
  });

  it('records every exchange except admin API requests', async () => {
    const { mock, api, control } = controlled();
    const origin = new URL(mock.url).origin;
    await api('GET', '/nothing');
    await api('DELETE', '/agents');
    await api('GET', '/agents', { key: 'wrong' });
    await api('POST', '/drives', { key: 'wrong', json: {} });
    await api('POST', '/drives', { json: { name: 'x'.repeat(1_048_576) } });
    await fetch(`${origin}/openapi.json`);
    await fetch(`${origin}/elsewhere`);
    await api('HEAD', '/agents');
    await sendRaw(mock.url, {
      method: 'OPTIONS',
      target: '/x',
      lines: ['Origin: http://localhost:3000', 'Access-Control-Request-Method: GET'],
    });
    await control('GET', '/settings');
    await control('GET', '/nothing');
    await entriesOf(control);
    const told = (await entriesOf(control)).map(({ request, answer, operationId, organizationId }) => {
      return [request.method, request.url, answer.status, operationId, organizationId];
    });
    expect(told.toReversed()).toEqual([
      ['GET', '/v0.1/nothing', 404, undefined, undefined],
      ['DELETE', '/v0.1/agents', 405, undefined, undefined],
      ['GET', '/v0.1/agents', 401, 'listAgents', undefined],
      ['POST', '/v0.1/drives', 401, 'createDrive', undefined],
      ['POST', '/v0.1/drives', 413, 'createDrive', 'org-a'],
      ['GET', '/openapi.json', 200, undefined, undefined],
      ['GET', '/elsewhere', 404, undefined, undefined],
      ['HEAD', '/v0.1/agents', 200, 'listAgents', 'org-a'],
      ['OPTIONS', '/x', 204, undefined, undefined],
    ]);
  });

  it('records all of 40 concurrent requests', async () => {
    const { mock, api, control } = controlled();
    const ids = Array.from({ length: 40 }, (_, index) => `parallel-${index}`);
    const key = (index: number) => (index % 3 === 0 ? 'key-b' : 'key-a');
    await Promise.all(
      ids.map((id, index) => api('GET', '/agents', { key: key(index), headers: { 'x-request-id': id } })),
    );
    const entries = await entriesOf(control);
    expect(entries.map(({ requestId }) => requestId).toSorted()).toEqual(ids.toSorted());
    const owners = Object.fromEntries(entries.map(({ requestId, organizationId }) => [requestId, organizationId]));
    for (const [index, id] of ids.entries())
      expect(owners[id]).toBe(mock.engine.store.ownerOf(key(index))?.organization.id);
  });

  it('returns single exchanges by id and forgets cleared ones', async () => {
    const { api, control } = controlled();
    for (const key of ['key-a', 'key-b', 'key-a']) await api('GET', '/agents', { key });
    const entries = await entriesOf(control);
    expect(entries.map(({ id }) => id - (entries[2]?.id ?? 0))).toEqual([2, 1, 0]);
    for (const entry of entries) expect((await control('GET', `/requests/${entry.id}`)).body).toEqual(entry);
    expect((await control('DELETE', '/requests?organization=org-a')).body).toEqual({ forgotten: 2 });
    expect((await entriesOf(control)).map(({ organizationId }) => organizationId)).toEqual(['org-b']);
    expectProblem(await control('GET', `/requests/${entries[0]?.id}`), 404, /No such exchange/);
    expect((await control('DELETE', '/requests')).body).toEqual({ forgotten: 1 });
    expect(await entriesOf(control)).toEqual([]);
    await api('GET', '/agents');
    expect((await entriesOf(control)).map(({ id }) => id)).toEqual([(entries[0]?.id ?? 0) + 1]);
  });
});

it('mock and proxy filter by the same statuses', () => {
  const statusIn = (path: string) => {
    const found: unknown[] = [];
    JSON.stringify(loadOwnYaml(path), (_, value) => {
      if (value?.name === 'status' && value.in === 'query') found.push(value.schema);
      return value;
    });
    return found;
  };
  const [ofMock] = statusIn('src/app/admin-api/admin-api.yaml');
  expect(statusIn('src/proxy/admin-api.yaml')).toEqual([ofMock]);
});

describe('request log filters', () => {
  const controlled = useControlled();
  const times = ['12:00:00.000', '12:00:01.000', '12:00:02.500'].map((time) => `2026-06-01T${time}Z`);

  /** Exchanges of every kind, at three times. */
  async function fill({ api, control }: { api: Client; control: Client }): Promise<void> {
    for (const clock of times) {
      await control('PATCH', '/settings', { json: { clock } });
      for (const key of ['key-a', 'key-b', 'nobody']) {
        await api('GET', '/agents', { key });
        await api('POST', '/drives', { key, json: { name: 'x' } });
        await api('POST', '/drives', { key, json: {} });
        await api('GET', '/drives/nothing/files/nothing', { key });
      }
      await api('GET', '/elsewhere');
    }
  }

  const organizations = { '': undefined, 'org-a': 'org-a', Birch: 'org-b', self: 'org-b' };
  const operations = [undefined, 'listAgents', 'createDrive', 'getDriveFile', 'listMcpServers'];
  const statuses = [undefined, '200', '201', '401', '404', '422', '500', '2xx', '4XX', '5xx'];
  const spans = [[], [0], [1], [2], [1, 1], [0, 1], [2, 0]];

  it('select the same exchanges as filtering the full list, alone and combined, and those that a DELETE forgets', async () => {
    const { control } = controlled();
    await fill(controlled());
    const all = await entriesOf(control);
    expect(all).toHaveLength(39);
    const anyQuery = fc.record({
      organization: fc.constantFrom(...Object.keys(organizations)) as fc.Arbitrary<keyof typeof organizations>,
      operation: fc.constantFrom(...operations),
      status: fc.constantFrom(...statuses),
      span: fc.constantFrom(...spans),
      limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    });
    const check = async (sought: typeof anyQuery extends fc.Arbitrary<infer T> ? T : never) => {
      const { organization, operation, status, limit = 1_000 } = sought;
      const [since, until] = sought.span.map((index) => times[index]);
      const query = { ...(organization && { organization }), operation, status, since, until, limit: sought.limit };
      const sent = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
      const reply = await control('GET', `/requests?${new URLSearchParams(sent)}`, { key: 'key-b' });
      const wanted = all.filter(
        (entry) =>
          (organization === '' || entry.organizationId === organizations[organization]) &&
          (operation === undefined || entry.operationId === operation) &&
          (status === undefined ||
            new RegExp(`^${status.replaceAll(/x/gi, '\\d')}$`).test(String(entry.answer.status))) &&
          (since === undefined || entry.time >= since) &&
          (until === undefined || entry.time <= until),
      );
      expect([reply.status, reply.body.requests]).toEqual([200, wanted.slice(0, limit)]);
    };
    await fc.assert(fc.asyncProperty(anyQuery, check), { numRuns: depth(30, 120), seed: 3 });
    await limitsDelete(control, all);
  });

  /** A DELETE is limited to the matching exchanges. */
  async function limitsDelete(control: Client, all: readonly RequestLogEntry[]): Promise<void> {
    const cleared = await control('DELETE', `/requests?operation=createDrive&status=201&since=${times[1]}`);
    expect(cleared.body).toEqual({ forgotten: 4 });
    const isLeft = ({ operationId, answer, time }: RequestLogEntry) => {
      return operationId !== 'createDrive' || answer.status !== 201 || time < (times[1] ?? '');
    };
    expect(await entriesOf(control)).toEqual(all.filter(isLeft));
    expectProblem(await control('DELETE', '/requests?organization=nobody'), 404);
    expectProblem(await control('DELETE', '/requests?limit=1'), 422);
    expect(await entriesOf(control)).toHaveLength(35);
  }
});

describe('request log limits', () => {
  it('keep only the newest exchanges above requestLogLimit', async () => {
    const { api, control } = await startControlled({ requestLogLimit: 5 });
    for (let index = 0; index < 12; index++) await api('GET', `/agents?n=${index}`);
    const entries = await entriesOf(control);
    expect(entries.map(({ request }) => request.url)).toEqual([11, 10, 9, 8, 7].map((n) => `/v0.1/agents?n=${n}`));
    expectProblem(await control('GET', '/requests/6'), 404);
    expect((await control('GET', '/settings')).body.requestLog.entries).toBe(5);
  });

  it.each([-1, 0.5, Number.NaN])('refuse a requestLogLimit of %j', async (requestLogLimit) => {
    await expect(createMock({ requestLogLimit })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });

  it('answer 404 with a hint to --request-log-limit when requestLogLimit is 0', async () => {
    const { api, control } = await startControlled({ requestLogLimit: 0 });
    await api('GET', '/agents');
    for (const [method, path] of [
      ['GET', '/requests'],
      ['DELETE', '/requests'],
      ['GET', '/requests/0'],
      ['GET', '/requests/live'],
    ] as const) {
      expectProblem(await control(method, path), 404, /--request-log-limit/);
    }
    expect((await control('POST', '/reset')).status).toBe(200);
  });

  it('drop the oldest bodies above the total body limit and keep the exchanges', async () => {
    const { api, control } = await startControlled({ set: { 'unknownInput.bodyFields': 'ignored' } });
    const sizes = Array.from({ length: 20 }, () => 900_000);
    for (const size of sizes) await api('POST', '/drives', { json: { name: 'x', rest: 'x'.repeat(size) } });
    const entries = await entriesOf(control);
    expect(entries).toHaveLength(20);
    const withBodies = entries.filter(({ isStripped }) => isStripped !== true);
    expect(withBodies).toEqual(entries.slice(0, withBodies.length));
    const keptBytes = withBodies.reduce((sum, { request }) => sum + (request.body?.length ?? 0), 0);
    const { bodyBytes } = (await control('GET', '/settings')).body.requestLog;
    expect(keptBytes).toBeLessThanOrEqual(bodyBytes);
    expect(keptBytes).toBeGreaterThan(bodyBytes - 2 * 900_000);
    for (const { request, answer } of entries.slice(withBodies.length))
      expect([request.body, answer.body]).toEqual([undefined, undefined]);
  });

  it('drop only the bodies of exchanges that are too large themselves', async () => {
    const { api, control } = await startControlled({ set: { bodySizeLimit: 10_485_760 } });
    await api('POST', '/drives', { json: { name: 'small' } });
    await api('POST', '/drives', { json: { name: 'x'.repeat(1_200_000) } });
    await api('GET', '/drives');
    const [listing, large, small] = await entriesOf(control);
    expect(large).toMatchObject({ isStripped: true, answer: { status: 201 }, operationId: 'createDrive' });
    expect([large?.request.body, large?.answer.body, listing?.isStripped]).toEqual([undefined, undefined, true]);
    expect(small?.request.body).toBe('{"name":"small"}');
  });
});

describe('live request log', () => {
  const controlled = useControlled();

  it('streams each new exchange to every reader, and no earlier ones, also after one disconnects', async () => {
    const { mock, api, control } = controlled();
    await api('GET', '/agents?n=before');
    const follow = () => readEvents(`${mock.adminUrl}/requests/live`);
    const [stays, goes] = [await follow(), await follow()];
    for (let n = 0; n < 5; n++) await api('GET', `/agents?n=${n}`);
    const entries = (await entriesOf(control, '?limit=5')).toReversed();
    for (const reader of [stays, goes]) {
      expect([reader.status, reader.contentType]).toEqual([200, 'text/event-stream']);
      const events = await reader.next(5);
      expect(events.map(({ data }) => data)).toEqual(entries);
      expect(events.map(({ id, event }) => [event, id])).toEqual(entries.map(({ id }) => ['exchange', String(id)]));
    }
    goes.close();
    for (let n = 5; n < 12; n++) await api('GET', `/agents?n=${n}`);
    expect((await stays.next(7)).at(-1)?.data.request.url).toBe('/v0.1/agents?n=11');
    await expect(goes.next(1)).rejects.toThrow();
    stays.close();
  });

  it('tells of each change by the admin API, where nothing is filtered', async () => {
    const { mock, api, control } = await startControlled();
    const all = await readEvents(`${mock.adminUrl}/requests/live`);
    const one = await readEvents(`${mock.adminUrl}/requests/live?organization=org-a`);
    await control('GET', '/organizations/org-a/agents');
    await control('POST', '/organizations/org-a/agents', { json: { id: 'agent-blank', name: 'refused' } });
    await control('POST', '/organizations/org-a/agents', { json: { name: 'new' } });
    await api('GET', '/agents');
    expect((await all.next(2)).map(({ event, data }) => [event, data.operationId])).toEqual([
      ['change', 'createAgent'],
      ['exchange', 'listAgents'],
    ]);
    expect((await one.next(1)).map(({ event }) => event)).toEqual(['exchange']);
    all.close();
    one.close();
  });

  it('tells of each change from code', async () => {
    const { mock } = await startControlled();
    const reader = await readEvents(`${mock.adminUrl}/requests/live`);
    mock.faults.add({ id: 'late', effect: { latency: { delayMs: 1 } } });
    mock.faults.replace('late', { isEnabled: false });
    expect(() => mock.faults.replace('late', { isEnabled: 'no' as never })).toThrow();
    mock.faults.remove('late');
    mock.faults.remove('late');
    mock.setProfile({ errorBody: 'nested' });
    mock.openSandbox();
    mock.restore(mock.snapshot());
    const told = await reader.next(6);
    expect(told.map(({ event, data }) => `${event} ${data.operationId}`)).toEqual(
      ['addFault', 'changeFault', 'deleteFault', 'changeSettings', 'openSandbox', 'putSnapshot'].map(
        (operationId) => `change ${operationId}`,
      ),
    );
    reader.close();
  });

  it('streams only the exchanges that match the filters, refuses invalid ones, and ends when the mock closes', async () => {
    const { mock, api, control } = await startControlled();
    expectProblem(await control('GET', '/requests/live?status=x'), 422);
    expectProblem(await control('GET', '/requests/live?limit=1'), 422);
    expectProblem(await control('GET', '/requests/live?organization=nobody'), 404);
    const live = `${mock.adminUrl}/requests/live`;
    const readers = await Promise.all([
      readEvents(`${live}?organization=org-b`),
      readEvents(`${live}?organization=self`, { 'x-api-key': 'key-a' }),
      readEvents(`${live}?operation=createDrive&status=201`),
      readEvents(`${live}?status=401`),
    ]);
    for (const key of ['key-a', 'key-b', 'nobody', 'key-a']) {
      await api('GET', '/agents', { key });
      await api('POST', '/drives', { key, json: { name: 'x' } });
    }
    const told = await Promise.all([2, 4, 3, 2].map((count, index) => readers[index]?.next(count)));
    const shownOf = (index: number) =>
      told[index]?.map(({ data }) => `${data.organizationId} ${data.operationId} ${data.answer.status}`);
    expect(shownOf(0)).toEqual(['org-b listAgents 200', 'org-b createDrive 201']);
    expect(shownOf(1)).toEqual(Array(2).fill(['org-a listAgents 200', 'org-a createDrive 201']).flat());
    expect(shownOf(2)).toEqual(['org-a createDrive 201', 'org-b createDrive 201', 'org-a createDrive 201']);
    expect(shownOf(3)).toEqual(['undefined listAgents 401', 'undefined createDrive 401']);
    const more = readers.map((reader) => reader.next(1).catch((error: unknown) => error));
    await mock.close();
    expect(await Promise.all(more)).toEqual(readers.map(() => expect.any(Error)));
  });

  it('writes nothing to a reader that has stopped', async () => {
    const { mock } = controlled();
    const requestLog = createMockRequestLog({ entries: 5, bodyBytes: 100 });
    const { engine, faults } = mock;
    const flags = { version: '0', hasToken: false, hasLiveMcp: false, vary: undefined };
    const changes = new Changes();
    const context = { engine, requestLog, faults, changes, ...flags, digest: (text: string) => text };
    const answer = controlHandlers.watchRequests?.(
      { path: {}, query: {}, body: undefined, headers: {}, isRead: true },
      context,
    );
    if (answer === undefined || !('stream' in answer)) throw new Error('There is no stream.');
    const written: string[] = [];
    const stop = answer.stream?.((piece) =>
      written.push(typeof piece === 'string' ? piece : new TextDecoder().decode(piece)),
    );
    const count = () => written.filter((text) => text.startsWith('event: exchange')).length;
    note(requestLog, { status: 200, request: '', answer: 'x' });
    expect(count()).toBe(1);
    changes.tell('reset');
    expect(written.at(-1)).toBe('event: change\ndata: {"operationId":"reset"}\n\n');
    stop?.();
    note(requestLog, { status: 200, request: '', answer: 'x' });
    changes.tell('reset');
    expect(count()).toBe(1);
    expect(written.filter((text) => text.startsWith('event: change'))).toHaveLength(1);
  });

  it('makes each exchange readable once, however many follow', async () => {
    const { mock, api } = controlled();
    const readers = await Promise.all(Array.from({ length: 10 }, () => readEvents(`${mock.adminUrl}/requests/live`)));
    const stringify = vi.spyOn(JSON, 'stringify');
    await api('POST', '/drives', { json: { name: 'followed' } });
    const events = (await Promise.all(readers.map((reader) => reader.next(1)))).flat();
    const made = stringify.mock.calls.filter(([value]) => Object(value).answer !== undefined);
    stringify.mockRestore();
    for (const reader of readers) reader.close();
    expect(made).toHaveLength(1);
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(1);
    expect(events[0]?.data.request.body).toContain('followed');
  });

  it('is not broken off by one large event, where the reader reads', async () => {
    const { mock, api } = controlled();
    const reader = await readEvents(`${mock.adminUrl}/requests/live`);
    for (const name of ['a', 'b']) {
      await api('POST', '/drives', { json: { name, rest: 'é'.repeat(523_900) } });
      expect((await reader.next(1))[0]?.data.request.body).toHaveLength(523_900 + 22);
    }
    reader.close();
  });

  it('disconnects a reader that does not read before its buffer grows without limit', async () => {
    const { mock, api, control } = controlled();
    const socket = open(mock.url);
    const { host } = new URL(mock.url);
    let receivedBytes = 0;
    socket.write(`GET /__admin/requests/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'readable');
    const sentBytes = 60 * 900_000;
    for (let count = 0; count < 60; count++)
      await api('POST', '/drives', { json: { name: 'x', rest: 'y'.repeat(900_000) } });
    const closed = once(socket, 'close');
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        receivedBytes += chunk.length;
      });
    await closed;
    expect(receivedBytes).toBeLessThan(sentBytes / 2);
    expect(await entriesOf(control, '?limit=1')).toHaveLength(1);
  });
});
