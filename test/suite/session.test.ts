import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RegisteredCheck } from '../../conformance/checks/index.ts';
import { inParallel, oncePerRun } from '../../conformance/run/once.ts';
import { reach } from '../../conformance/run/reach.ts';
import { runCheck, serverErrorsOf, skipped, withLateAnswers } from '../../conformance/run/run-check.ts';
import { type Config, toSettings } from '../../conformance/run/settings.ts';
import { Inconclusive, NotRequested, Stopped, Violated } from '../../conformance/run/signals.ts';
import { byClock } from '../../conformance/target/clock.ts';
import { invalidKey, noKey, validKey } from '../../conformance/target/credentials.ts';
import {
  expectRefusal,
  expectSuccess,
  idOf,
  orAgain,
  requireAnswered,
  requireConclusive,
  requireNoOtherClient,
  requireSuccess,
} from '../../conformance/target/expectations.ts';
import type { Crash } from '../../conformance/target/reply.ts';
import { Session } from '../../conformance/target/session.ts';
import { say } from '../../lib/sentence.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { msBetween } from '../../openapi/reading/timestamps.ts';
import { timeLimit } from '../support/time-limit.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A session with a server that answers as the listener does, and the requests that it got. */
async function open(listener: Listener, config: Partial<Config> = {}) {
  const lines: string[] = [];
  const { url, close } = await startUpstream((request, response) => {
    const { 'x-api-key': key, authorization = 'nobody' } = request.headers;
    lines.push(`${request.method} ${request.url?.slice('/v0.1'.length)} ${key ?? authorization}`);
    listener(request, response);
  });
  const settings = toSettings({ baseUrl: url, apiKey: 'key-a', timeoutMs: timeLimit(5_000), settleMs: 0, ...config });
  const session = new Session(settings, 'test', undefined, createWaitingClock());
  onTestFinished(close);
  onTestFinished(() => session.close());
  return { session, lines };
}

const status =
  (code: number): Listener =>
  (_, response) =>
    void response.writeHead(code).end('[]');
const fine = status(200);
const hang: Listener = () => undefined;
const reset: Listener = ({ socket }) => void socket.destroy();
const isOf = ({ url = '' }: IncomingMessage, path: string) => url.startsWith(`/v0.1${path}`);

/** A server with this listener for the list of agents, and fine for the rest. */
const only = (listener: Listener): Listener => {
  return (request, response) => (isOf(request, '/agents') ? listener : fine)(request, response);
};

const outcomeOf = async (work: () => unknown) => {
  try {
    await work();
    return 'fine';
  } catch (error) {
    if (error instanceof Violated) return 'violated';
    if (error instanceof Inconclusive) return error.code;
    throw error;
  }
};

describe('a call', () => {
  it('uses both headers by turns for each operation and organization once both work', async () => {
    const { session, lines } = await open(fine, { otherApiKey: 'key-b' });
    expect([session.other, session.own]).toEqual([validKey('key-b', 'header'), validKey('key-a', 'header')]);
    session.learned.worksInBoth = true;
    expect([session.other, session.other]).toEqual([validKey('key-b', 'header'), validKey('key-b', 'bearer')]);
    for (const operation of ['listAgents', 'listMcpServers', 'listAgents', 'listAgents'] as const)
      await session.call(operation);
    const [first, second] = ['GET /agents key-a', 'GET /agents Bearer key-a'];
    expect(lines).toEqual([first, 'GET /mcp-servers key-a', second, first]);
  });

  it('falls back to the usual header for an operation that does not take the other one', async () => {
    const { session, lines } = await open(({ headers, url }, response) => {
      const isRefused = headers.authorization !== undefined && url === '/v0.1/agents';
      response.writeHead(isRefused ? 401 : 200).end('[]');
    });
    session.learned.worksInBoth = true;
    for (let count = 0; count < 4; count++) await session.call('listAgents');
    expect(lines.filter((line) => line.includes('Bearer'))).toHaveLength(1);
    expect(session.replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (let count = 0; count < 2; count++) await session.call('listMcpServers');
    expect(lines.at(-1)).toBe('GET /mcp-servers Bearer key-a');
    lines.length = 0;
    const credentials = validKey('key-a', 'bearer');
    expect([(await session.call('listAgents', { credentials })).status, lines.length]).toEqual([401, 1]);
  });
});

describe('an operation that hangs', () => {
  const quick = { timeoutMs: 250 };

  it('is not called a third time, except to move files back', async () => {
    const { session, lines } = await open(hang, quick);
    for (let count = 0; count < 2; count++) expect((await session.call('listAgents')).failure).toBe('timeout');
    await expect(session.call('listAgents')).rejects.toMatchObject({
      ...{ code: 'TIMEOUT', see: ['listAgents.is-served'] },
      message: 'listAgents timed out 2 times, so it was not called again.',
    });
    expect(lines).toHaveLength(2);
    await session.target.startTidying();
    expect((await session.call('listAgents')).failure).toBe('timeout');
    expect(lines).toHaveLength(3);
  });

  it('is still called by strangers, and gives the same response to the same one', async () => {
    const { session, lines } = await open(only(hang), quick);
    for (let count = 0; count < 2; count++) await session.call('listAgents');
    expect((await session.call('listDrives')).status).toBe(200);
    const first = await session.call('listAgents', { credentials: noKey });
    await session.call('listAgents', { credentials: invalidKey('x', 'header') });
    expect(first.failure).toBe('timeout');
    expect(await session.call('listAgents', { credentials: noKey })).toBe(first);
    const other = session.call('listAgents', { credentials: invalidKey('y', 'header') });
    await expect(other).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(lines).toHaveLength(5);
  });
});

describe('a finding', () => {
  const large: Listener = (_, response) => {
    response.writeHead(200, { 'content-length': 30_000_000 });
    response.end(Buffer.alloc(30_000_000, ' '));
  };

  it.each<[string, Listener, string]>([
    ['succeeds', fine, 'fine violated fine fine fine'],
    ['is refused', status(404), 'violated fine fine fine PREREQUISITE'],
    ['fails', only(status(500)), 'violated fine fine fine PREREQUISITE'],
    ['fails like all others', status(500), 'violated fine fine fine PREREQUISITE'],
    ['comes to a busy target', only(status(503)), 'TARGET TARGET fine TARGET TARGET'],
    ['comes too often', only(status(429)), 'TARGET TARGET fine TARGET TARGET'],
    ['gets no answer', only(reset), 'violated TARGET TARGET TARGET PREREQUISITE'],
    ['gets none like all others', reset, 'TARGET TARGET TARGET TARGET PREREQUISITE'],
    ['gets an answer that is too large', only(large), 'TARGET TARGET TARGET TARGET PREREQUISITE'],
  ])('about a request that %s', async (_, listener, outcomes) => {
    const { session } = await open(listener);
    const reply = await session.call('listAgents');
    const judgements = [
      () => expectSuccess(session, reply),
      () => expectRefusal(reply, say`it was let in`),
      () => requireAnswered(reply),
      () => requireConclusive(reply),
      () => requireSuccess(reply, 'a.check'),
    ];
    expect((await Promise.all(judgements.map(outcomeOf))).join(' ')).toBe(outcomes);
  });
});

it('a missing response is asked for three times, and others in between, unless a later one comes', async () => {
  let count = 0;
  for (const [answers, ended, times] of [
    [99, 'reset', 3],
    [2, undefined, 3],
    [1, undefined, 2],
  ] as const) {
    count = 0;
    const { session, lines } = await open((request, response) =>
      (request.method === 'POST' && ++count <= answers ? reset : fine)(request, response),
    );
    const ask = () => session.call('createDrive', { json: {} });
    expect((await orAgain(session, await ask(), ask)).failure).toBe(ended);
    const all = Array.from({ length: times }, () => ['POST /drives key-a', 'GET /agents key-a']).flat();
    expect(lines).toEqual(ended === undefined ? all.slice(0, -1) : all);
  }
});

describe('a value of a response', () => {
  it.each([
    [{ id: 'a' }, 'a'],
    [{ id: 7 }, '7'],
    [{ id: null }, undefined],
    [{}, undefined],
    [null, undefined],
    ['id', undefined],
  ])('is an id if it is a text or a number: %j', (value, id) => {
    expect(idOf(value)).toBe(id);
  });

  it.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.500Z', 1_500],
    ['2026-01-01T00:00:00.900Z', '2026-01-01T00:00:01Z', 1_000],
    ['2026-01-01T00:00:00.99Z', '2026-01-01T00:00:00.9999Z', 0],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:00Z', -1_000],
    ['2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00.124Z', 1],
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00Z', 0],
    ['yesterday', '2026-01-01T00:00:00Z', Number.NaN],
  ])('is so long after another one, in the coarser precision: %s, %s', (earlier, later, ms) => {
    expect(msBetween(earlier, later)).toBe(ms);
  });
});

describe('a check', () => {
  const [requirement] = loadRequirements().filter(({ checks }) => checks?.includes('listAgents.is-served'));
  const checkWith = (run: RegisteredCheck['run'], more: Partial<RegisteredCheck> = {}) =>
    ({
      ...{ id: 'listAgents.a', operation: 'listAgents', level: 'must', requirements: [requirement], run },
      ...{ phase: 'read', does: '', needs: [], effects: {}, ...more },
    }) as RegisteredCheck;
  const failing = (error: unknown) => checkWith(() => Promise.reject(error));

  it.each<[string, RegisteredCheck['run'], object]>([
    ['passed', async () => undefined, { reason: '' }],
    ['passed', async () => say`${'key-a'} is fine`, { reason: '<API_KEY> is fine' }],
    [
      'inconclusive',
      () => Promise.reject(new Inconclusive('TARGET', say`not yet for ${'key-a'}`)),
      { reason: 'not yet for <API_KEY>', obstacle: 'no usable response' },
    ],
    [
      'not-enabled',
      () => Promise.reject(new Inconclusive('DATA', say`none`, 'x', 'y')),
      { reason: 'none', see: ['x', 'y'], setting: expect.any(String) },
    ],
    ['skipped', () => Promise.reject(new NotRequested(say`not asked for`)), { reason: 'not asked for' }],
  ])('ends as its signal says: %s', async (outcome, run, more) => {
    const { session } = await open(fine);
    const about = { id: 'listAgents.a', level: 'must', operation: 'listAgents', requirement: requirement?.id };
    expect(await runCheck(session, checkWith(run))).toEqual({
      ...{ ...about, requirements: [requirement?.id], outcome, durationMs: expect.any(Number), ...more },
    });
    await expect(runCheck(session, failing(new Stopped(say`stopped`)))).rejects.toThrow('stopped');
  });

  it('that is violated has its evidence, and fails or warns by its level', async () => {
    const { session } = await open(fine);
    const reply = await session.call('listAgents');
    const error = new Violated(say`an order`, say`chaos for ${'key-a'}`, [reply, reply], 'key-a and no more');
    const failed = await runCheck(session, failing(error));
    expect(failed).toMatchObject({
      ...{ outcome: 'failed', reason: 'Expected an order; got chaos for <API_KEY>.' },
      evidence: {
        expected: 'an order',
        actual: 'chaos for <API_KEY>',
        smallest: '<API_KEY> and no more',
        exchanges: [{}, {}],
      },
    });
    expect(failed.evidence?.curl?.split('\n')).toHaveLength(1);
    const warned = await runCheck(session, { ...failing(new Violated(say`a`, say`b`, [])), level: 'should' });
    expect(warned).toMatchObject({
      outcome: 'warned',
      evidence: { expected: 'a', actual: 'b', exchanges: [], sentBy: [] },
    });
  });

  it('that is violated names the places in the contract that are about its operation, if there are some', async () => {
    const { session } = await open(fine);
    const told = async (pointer: string[]) => {
      const requirements = [{ ...requirement, sources: ['4.1/1', '5/2', '4.1/3'], requirement: 'Be fine.', pointer }];
      const check = failing(new Violated(say`a`, say`b`, []));
      return (await runCheck(session, { ...check, requirements } as RegisteredCheck)).required;
    };
    const [here, elsewhere, all] = ['#/paths/~1agents/get/responses', '#/paths/~1drives/get', '#/components/x'];
    const common = { text: 'Be fine.', sections: ['4.1', '5'] };
    expect(await told([here, elsewhere, all])).toEqual([{ ...common, pointers: [here, all] }]);
    expect(await told([elsewhere])).toEqual([{ ...common, pointers: [elsewhere] }]);
  });

  it('of responses that passed is judged once more at the end, and only such a one', async () => {
    const { session } = await open(fine);
    const run = () => Promise.reject(new Violated(say`a`, say`too late`, []));
    const about = checkWith(run, { isAboutAnswers: true });
    const other = checkWith(run, { id: 'listAgents.b' });
    const late = (outcome: 'passed' | 'warned', checks: RegisteredCheck[], id = about.id) =>
      withLateAnswers(session, checks, [{ ...skipped(about, ''), outcome, id }]).then(([result]) => result?.outcome);
    expect(await late('passed', [about])).toBe('failed');
    expect(await late('warned', [about])).toBe('warned');
    expect(await late('passed', [about, other], other.id)).toBe('passed');
    expect(await late('passed', [])).toBe('passed');
    expect(await late('passed', [{ ...about, level: 'should' }])).toBe('warned');
    const unsure = { ...about, run: () => Promise.reject(new Inconclusive('DATA', say`none`)) };
    expect(await late('passed', [unsure])).toBe('passed');
  });
});

it('server errors are counted by operation and status, in their order', async () => {
  // A reading that got 502 is sent again.
  const codes = [500, 200, 502, 200, 500, 499, 500];
  const { session } = await open((_, response) => void response.writeHead(codes.shift() ?? 599).end(), {
    concurrency: 1,
  });
  const agents = Array<'listAgents'>(5).fill('listAgents');
  for (const operation of [...agents, 'listDrives', 'listMcpServers'] as const) await session.call(operation);
  const told = serverErrorsOf(session).map(({ method, path, status, count }) =>
    [method, path, status, count].join(' '),
  );
  expect(told).toEqual(['GET /agents 500 2', 'GET /agents 502 1', 'GET /drives 500 1', 'GET /mcp-servers 599 1']);
});

it('work for all items ends with their results in order, or with the first error, when all have ended', async () => {
  const ends: number[] = [];
  const work = async (item: number) => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.push(item);
    if (item > 2) throw new Error(`no ${item}`);
    return item * 2;
  };
  expect(await inParallel([2, 1], work)).toEqual([4, 2]);
  await expect(inParallel([1, 4, 3, 2], work)).rejects.toThrow('no 4');
  expect(ends.slice(2).toSorted()).toEqual([1, 2, 3, 4]);
});

it('another client is found only where something changes meanwhile', async () => {
  let count = 0;
  expect(await outcomeOf(() => requireNoOtherClient('It is odd', async () => [++count]))).toBe('QUIET');
  expect(count).toBe(2);
  const still = () => requireNoOtherClient('It is odd', async () => ['as before']);
  expect(await byClock(createWaitingClock(), () => outcomeOf(still))).toBe('fine');
});

it('work once per run is done once for each session and arguments, unless it was not the target to blame', async () => {
  const [{ session: one }, { session: other }] = [await open(fine), await open(fine)];
  const done: string[] = [];
  const errors: unknown[] = [];
  const make = oncePerRun(async (_, name: string, count: number) => {
    done.push(`${name} ${count}`);
    if (errors.length > 0) throw errors.shift();
    return done.length;
  });
  expect(await Promise.all([make(one, 'a', 1), make(one, 'a', 1), make(one, 'a', 2), make(other, 'a', 1)])).toEqual([
    1, 1, 2, 3,
  ]);
  const again = async (error: unknown, name: string) => {
    errors.push(error);
    await expect(make(one, name, 0)).rejects.toBe(error);
    return make(one, name, 0).then(
      () => 'again',
      () => 'kept',
    );
  };
  expect(await again(new Stopped(say`stopped`), 'b')).toBe('again');
  expect(await again(new Inconclusive('TARGET', say`busy`), 'c')).toBe('again');
  expect(await again(new Inconclusive('DATA', say`none`), 'd')).toBe('kept');
  expect(await again(new Error('broken'), 'e')).toBe('kept');
});

type Answer = (path: string, headers: IncomingHttpHeaders) => number;

/** A session with a server that answers each list with a status, and the lists that were asked for. */
async function openLists(answer: Answer) {
  const asked: string[] = [];
  const listener: Listener = ({ url: target = '', headers }, response) => {
    const [, path = ''] = /^\/v0\.1(\/[\w-]+)/.exec(target) ?? [];
    asked.push(path);
    response.writeHead(answer(path, headers)).end('[]');
  };
  // One at a time: a target that is busy is not asked again for that.
  return { ...(await open(listener, { concurrency: 1 })), asked };
}

const isByHeader = (headers: IncomingHttpHeaders) => headers['x-api-key'] === 'key-a';

describe('reaching a target', () => {
  it.each<[string, Answer, string, boolean]>([
    ['in both headers', () => 200, 'header', true],
    ['in its own header only', (_, headers) => (isByHeader(headers) ? 200 : 401), 'header', false],
    ['as a bearer token only', (_, headers) => (isByHeader(headers) ? 401 : 200), 'bearer', false],
    ['in neither, but answers', () => 500, 'header', false],
    ['in both for one of the lists', (path) => (path === '/drives' ? 200 : 500), 'header', true],
    [
      'in each for another list',
      (path, headers) => (isByHeader(headers) === (path === '/agents') ? 200 : 401),
      'header',
      true,
    ],
  ])('learns how it takes the key: %s', async (_, answer, authHeader, worksInBoth) => {
    const { session, asked } = await openLists(answer);
    const { byHeader, byBearer } = await reach(session);
    expect(session.learned).toMatchObject({ authHeader, worksInBoth });
    expect(asked.toSorted()).toEqual(['/agents', '/agents', '/drives', '/drives']);
    expect(session.replies).toEqual([...byHeader, ...byBearer]);
    expect(byHeader.map(({ request }) => Object.keys(request.headers))).toEqual([['X-API-Key'], ['X-API-Key']]);
    expect(byBearer.map(({ request }) => Object.keys(request.headers))).toEqual([['Authorization'], ['Authorization']]);
  });

  it.each<[string, Answer, string]>([
    ['one that succeeded', (path) => (path === '/drives' ? 200 : 500), '/drives'],
    ['one that the service answered', (path) => (path === '/drives' ? 422 : 401), '/drives'],
    ['one that fails', () => 500, '/agents'],
    ...[404, 302, 503, 403].map((status): [string, Answer, string] => [
      `the third list, where the others get ${status}`,
      (path) => (path === '/mcp-servers' ? 200 : status),
      '/mcp-servers',
    ]),
  ])('chooses a request that shows whether the target is there: %s', async (_, answer, path) => {
    const { session } = await openLists(answer);
    await reach(session);
    expect(session.target.heartbeat?.path.split('?')[0]).toBe(path);
  });

  it('goes on once the target answers', async () => {
    let count = 0;
    const { session, asked } = await openLists(() => (++count <= 12 ? 401 : 200));
    await reach(session);
    expect([asked.length, session.replies.length]).toEqual([16, 4]);
  });
});

describe('a target that crashes', () => {
  /** A session after crashes at the operation, each of which happened again. */
  async function afterCrashes(count: number, more: Partial<Crash> = {}) {
    const { session, asked } = await openLists(() => 200);
    const reply = await session.ask('listAgents');
    const crash: Crash = { reply, check: undefined, isRepeated: true, backAtMs: 0, ...more };
    session.target.crashes.push(...Array<Crash>(count).fill(crash));
    asked.length = 0;
    return { session, asked };
  }

  it('is asked again after one crash, and not after two alike', async () => {
    const { session: once } = await afterCrashes(1);
    expect((await once.call('listAgents')).status).toBe(200);
    const { session: twice, asked } = await afterCrashes(2);
    await expect(twice.call('listAgents')).rejects.toMatchObject({
      ...{ code: 'PREREQUISITE', message: 'The target crashes, so listAgents was not called again.' },
    });
    expect(asked).toEqual([]);
  });

  it('is asked for other things, by others, and to move files back', async () => {
    const { session } = await afterCrashes(2);
    expect((await session.call('listDrives')).status).toBe(200);
    expect((await session.call('listAgents', { credentials: noKey })).status).toBe(200);
    const { session: cutOff } = await afterCrashes(3, { isRepeated: false });
    expect((await cutOff.call('listAgents')).status).toBe(200);
    await session.target.startTidying();
    expect((await session.call('listAgents')).status).toBe(200);
  });
});
