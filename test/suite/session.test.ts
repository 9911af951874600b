import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { RegisteredCheck } from '../../conformance/checks/index.ts';
import { type Config, toSettings } from '../../conformance/config/settings.ts';
import { inParallel } from '../../conformance/in-parallel.ts';
import { inSession } from '../../conformance/in-session.ts';
import { withLateAnswers } from '../../conformance/late-answers.ts';
import { oncePerRun } from '../../conformance/once.ts';
import { runCheck, skipped } from '../../conformance/run-check.ts';
import { serverErrorsOf } from '../../conformance/server-errors.ts';
import { Session } from '../../conformance/session.ts';
import { Inconclusive, NotRequested, Stopped, Violated } from '../../conformance/signals.ts';
import { invalidKey, noKey, validKey } from '../../conformance/target/credentials.ts';
import {
  expectRefusal,
  expectSuccess,
  idOf,
  msBetween,
  orAgain,
  requireAnswered,
  requireConclusive,
  requireNoOtherClient,
  requireSuccess,
} from '../../conformance/target/expectations.ts';
import { poll } from '../../conformance/target/poll.ts';
import type { Reply } from '../../conformance/target/reply.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { say } from '../../openapi/reading/sentence.ts';
import { timeLimit } from '../support/time-limit.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

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
  opened.push(() => session.close(), close);
  return { session, lines };
}

const status =
  (code: number): Listener =>
  (_, response) =>
    void response.writeHead(code).end('[]');
const fine = status(200);
const hang: Listener = () => undefined;
const isOf = ({ url = '' }: IncomingMessage, path: string) => url.startsWith(`/v0.1${path}`);

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: unknown) => {
      if (error instanceof Violated) return 'violated';
      if (error instanceof Inconclusive) return error.code;
      throw error;
    },
  );

describe('a call', () => {
  it('carries the own key in the usual header, and is recorded', async () => {
    const { session, lines } = await open(fine);
    const reply = await session.call('listAgents');
    expect(lines).toEqual(['GET /agents key-a']);
    expect(session.replies).toEqual([reply]);
    await session.ask('listAgents');
    expect([lines.length, session.replies.length]).toEqual([2, 1]);
    expect(() => session.other).toThrow('No key of a second organization is given.');
  });

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

  it('may use the connection that is kept open, and uses a new one for each creation otherwise', async () => {
    const ports: unknown[] = [];
    const { session } = await open(({ socket }, response) => {
      ports.push(socket.remotePort);
      response.writeHead(201, { connection: 'keep-alive', 'keep-alive': 'timeout=60' }).end();
    });
    for (const onKeptConnection of [true, true, false])
      await session.call('createDrive', { json: {}, onKeptConnection });
    await session.call('createDrive', { json: {} });
    expect(new Set(ports).size).toBe(3);
    expect(ports[1]).toBe(ports[0]);
  });

  it('has its path, query and body, spelled in several ways by turns', async () => {
    const bodies: string[] = [];
    const { session, lines } = await open(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      response.writeHead(200).end();
    });
    for (let turn = 0; turn < 2; turn++) {
      await session.call('updateDriveFile', { path: { driveId: 'd/1', fileId: 'f' }, json: { path: '/a' } });
      await session.call('listDrives', { query: { limit: 1, offset: 2 } });
    }
    expect(lines).toEqual([
      'PATCH /drives/d%2F1/files/f key-a',
      'GET /drives?limit=1&offset=2 key-a',
      'PATCH /drives/d%2F1/files/f key-a',
      'GET /drives?offset=2&limit=1 key-a',
    ]);
    expect(bodies.map((body) => JSON.parse(body))).toEqual([{ path: '/a' }, { path: '/a' }]);
    expect(bodies[0]).not.toBe(bodies[1]);
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
    const { session, lines } = await open(
      (request, response) => (isOf(request, '/agents') ? hang : fine)(request, response),
      quick,
    );
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

describe('a run', () => {
  it.each<[Partial<Config>, string]>([
    [{}, 'WRITES'],
    [{ allowDestructive: true, openPoints: { treePathParameter: 'p' } }, 'WRITES'],
    [{ allowWrites: true, openPoints: { treePathParameter: 'p' } }, 'DESTRUCTIVE'],
    [{ allowWrites: true, allowDestructive: true }, 'TREE_PARAMETER'],
    [{ allowWrites: true, allowDestructive: true, openPoints: { treePathParameter: 'p' } }, 'fine'],
  ])('with %j may delete: %s', async (config, outcome) => {
    const { session } = await open(fine, config);
    expect(await outcomeOf((async () => session.requireDestruction())())).toBe(outcome);
    if (outcome === 'fine') expect(session.requireDestruction()).toBe('p');
    if (outcome === 'WRITES') expect(() => session.requireWrites()).toThrow('this run may only read');
  });

  it('has names of its own, and the longest delay of each kind', async () => {
    const { session } = await open(fine);
    const names = [session.newName(), session.newName()];
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toContain(session.runId);
    expect(session.longestDelayMs).toBe(0);
    for (const [kind, ms] of [['move', 30] as const, ['move', 10] as const, ['creation', 20] as const])
      session.noteDelay(kind, ms);
    expect([session.longestDelayMs, session.learned.delaysMs.creation]).toEqual([30, 20]);
  });

  it('knows the replies to some work, also when it fails, to an operation, and those that succeeded', async () => {
    let count = 0;
    const { session } = await open(({ url }, response) => {
      const isLater = url === '/v0.1/agents' && ++count === 2;
      response.writeHead(isLater ? 500 : 200).end();
    });
    const broken = new Error('broken');
    const [one, other] = await Promise.all([
      session.collect(() => session.call('listAgents')),
      session.collect(async () => {
        await session.call('listDrives');
        throw broken;
      }),
    ]);
    const operations = [one, other].map(({ replies }) => replies.map(({ request }) => request.operation));
    expect(operations).toEqual([['listAgents'], ['listDrives']]);
    expect([one, other.error]).toEqual([{ replies: one.replies }, broken]);
    for (const credentials of [session.own, noKey]) await session.call('listAgents', { credentials });
    expect(session.repliesOf('listAgents').map(({ status }) => status)).toEqual([200, 500, 200]);
    expect(session.successesOf('listAgents')).toEqual(one.replies);
  });

  it('closes what it opened, however that ends', async () => {
    const { session } = await open(fine);
    const closed: string[] = [];
    session.onClose(() => Promise.reject(new Error('broken')));
    session.onClose(async () => void closed.push('other'));
    await session.close();
    await session.close();
    expect(closed).toEqual(['other']);
  });

  it('is stopped by its signal, with the reason of the signal if that is a sentence', async () => {
    const { session } = await open(fine);
    const reasonsOf = (signal: AbortSignal, work: () => void = () => undefined) =>
      inSession(session.settings, { tool: 'test', signal, reason: say`the usual reason` }, async ({ target }) => {
        const before = target.stopReason;
        work();
        return [before, target.stopReason].map(String);
      });
    const [usual, own] = ['the usual reason', 'its own reason'];
    expect(await reasonsOf(AbortSignal.abort())).toEqual([usual, usual]);
    expect(await reasonsOf(AbortSignal.abort(say`its own reason`))).toEqual([own, own]);
    const later = new AbortController();
    expect(await reasonsOf(later.signal, () => later.abort())).toEqual(['undefined', usual]);
  });
});

describe('a finding', () => {
  const failing = (operation: string, code: number): Listener => {
    return (request, response) => (isOf(request, operation) ? status(code) : fine)(request, response);
  };
  const judge = async (listener: Listener, judgeReply: (session: Session, reply: Reply) => unknown) => {
    const { session } = await open(listener);
    const reply = await session.call('listAgents');
    return outcomeOf((async () => judgeReply(session, reply))());
  };
  const reset: Listener = ({ socket }) => void socket.destroy();
  const only = (listener: Listener): Listener => {
    return (request, response) => (isOf(request, '/agents') ? listener : fine)(request, response);
  };
  const large: Listener = (_, response) => {
    response.writeHead(200, { 'content-length': 30_000_000 });
    response.end(Buffer.alloc(30_000_000, ' '));
  };

  it.each<[string, Listener, string]>([
    ['succeeds', fine, 'fine violated fine fine fine'],
    ['is refused', status(404), 'violated fine fine fine PREREQUISITE'],
    ['fails', failing('/agents', 500), 'violated fine fine fine PREREQUISITE'],
    ['fails like all others', status(500), 'violated fine fine fine PREREQUISITE'],
    ['comes to a busy target', failing('/agents', 503), 'TARGET TARGET fine TARGET TARGET'],
    ['comes too often', failing('/agents', 429), 'TARGET TARGET fine TARGET TARGET'],
    ['gets no answer', only(reset), 'violated TARGET TARGET TARGET PREREQUISITE'],
    ['gets none like all others', reset, 'TARGET TARGET TARGET TARGET PREREQUISITE'],
    ['gets an answer that is too large', only(large), 'TARGET TARGET TARGET TARGET PREREQUISITE'],
  ])('about a request that %s', async (_, listener, outcomes) => {
    const ends = [
      await judge(listener, expectSuccess),
      await judge(listener, (__, reply) => expectRefusal(reply, say`it was let in`)),
      await judge(listener, (__, reply) => requireAnswered(reply)),
      await judge(listener, (__, reply) => requireConclusive(reply)),
      await judge(listener, (__, reply) => requireSuccess(reply, 'a.check')),
    ];
    expect(ends.join(' ')).toBe(outcomes);
  });

  it('about the tools of a server that the target cannot reach is none', async () => {
    const { session } = await open(status(424));
    const tools = await session.call('listMcpServerTools', { path: { mcpServerId: 's' } });
    expect(await outcomeOf(expectSuccess(session, tools))).toBe('MCP_SERVER');
    expect(await outcomeOf(expectSuccess(session, await session.call('listDrives')))).toBe('violated');
  });

  it('says what was expected and what came, with the exchange', async () => {
    const { session } = await open(status(404));
    const reply = await session.call('listAgents');
    const words = (error: unknown) => {
      const { expected, actual, replies } = error as Violated;
      return [String(expected), String(actual), replies];
    };
    expect(words(await expectSuccess(session, reply).catch((error: unknown) => error))).toEqual([
      ...['a 2xx status', 'status 404'],
      [reply],
    ]);
    const line = `GET ${session.settings.baseUrl}/agents`;
    await expect(async () => requireSuccess(reply, 'a.check')).rejects.toMatchObject({
      ...{ message: `${line}: status 404.`, see: ['a.check'] },
    });
  });

  it('about a missing response asks three times, and others in between', async () => {
    const { session, lines } = await open((request, response) =>
      (request.method === 'POST' ? reset : fine)(request, response),
    );
    const ask = () => session.call('createDrive', { json: {} });
    expect((await orAgain(session, await ask(), ask)).failure).toBe('reset');
    const [post, read] = ['POST /drives key-a', 'GET /agents key-a'];
    expect(lines).toEqual([post, read, post, read, post, read]);
  });

  it('about a missing response is the later response, if one comes', async () => {
    let count = 0;
    const { session } = await open(only((request, response) => (++count < 3 ? reset : status(401))(request, response)));
    const ask = () => session.call('listAgents');
    expect((await orAgain(session, await ask(), ask)).status).toBe(401);
    expect(count).toBe(3);
  });
});

describe('looking again and again', () => {
  it('ends with what was looked for, or with the last thing seen when the time is over', async () => {
    let seen = 0;
    const look = async () => ++seen;
    const found = await poll(timeLimit(5_000), look, (now) => now === 3);
    expect(found).toMatchObject({ seen: 3, isThere: true });
    expect(found.tookMs).toBeGreaterThanOrEqual(20);
    const missed = await poll(30, look, () => false);
    expect(missed).toMatchObject({ seen, isThere: false });
    expect(missed.tookMs).toBeGreaterThanOrEqual(30);
    expect(await poll(0, look, () => false)).toMatchObject({ seen: missed.seen + 1, isThere: false });
  });

  it('finds another client only where something changes meanwhile', async () => {
    let count = 0;
    expect(await outcomeOf(requireNoOtherClient('It is odd', async () => [++count]))).toBe('QUIET');
    expect(count).toBe(2);
    expect(await outcomeOf(requireNoOtherClient('It is odd', async () => ['as before']))).toBe('fine');
  });
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

describe('work', () => {
  it('for all items in parallel ends with the results in their order, or with the first error, when all have ended', async () => {
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
    expect(await inParallel([], work)).toEqual([]);
  });

  it('once per run is done once for each session and arguments, unless it was not the target to blame', async () => {
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
});
