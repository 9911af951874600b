import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { currentCheck } from '../../conformance/target/crashes.ts';
import type { SentRequest } from '../../conformance/target/reply.ts';
import { Target } from '../../conformance/target/target.ts';
import { say } from '../../openapi/reading/sentence.ts';
import { timeLimit } from '../support/time-limit.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

type Answer = 'reset' | 'hang' | { status: number; headers?: Record<string, string>; body?: string };

const fine: Answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' };
const asIs = (text: string) => text;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

type TargetSettings = ConstructorParameters<typeof Target>[0];

/** A target that answers its requests as it is told: the one with this number, counted from 1, or with this path. */
async function startTarget(
  answer: (number: number, request: IncomingMessage) => Answer,
  more: Partial<TargetSettings> = {},
) {
  const received: { line: string; headers: IncomingMessage['headers']; body: string; port: number; atMs: number }[] =
    [];
  const server = await startUpstream(
    async (request, response) => {
      const { method, url, headers, socket } = request;
      const count = received.push({
        line: `${method} ${url}`,
        headers,
        body: '',
        port: socket.remotePort ?? 0,
        atMs: performance.now(),
      });
      Object.assign(received[count - 1] ?? {}, { body: (await buffer(request)).toString() });
      const given = answer(count, request);
      if (given === 'reset') socket.destroy();
      else if (given !== 'hang') response.writeHead(given.status, given.headers).end(given.body);
    },
    { keepAliveTimeout: 60_000 },
  );
  const settings: TargetSettings = {
    ...{ baseUrl: server.url, headers: {}, timeoutMs: timeLimit(5_000), settleMs: 0, maxRequests: 100, concurrency: 4 },
    ...{ requestIdHeader: 'X-Request-Id', tool: 'the tool', runId: 'run-0123abcd' },
    ...{ maxWaitMs: 90_000, rate: undefined, timeLimitMs: undefined, ...more },
  };
  const target = new Target(settings, asIs);
  opened.push(() => target.close(), server.close);
  return { target, received, url: server.url, lines: () => received.map(({ line }) => line) };
}

const get = (path = '/agents', more: Partial<SentRequest> = {}): SentRequest => ({
  ...{ operation: 'listAgents', method: 'GET', path, headers: {}, isAuthenticated: true, ...more },
});
const post = (more: Partial<SentRequest> = {}) =>
  get('/drives', { operation: 'createDrive', method: 'POST', body: '{}', ...more });

describe('a request', () => {
  it('is sent with its headers and body, those of the run, and an id', async () => {
    const { target, received } = await startTarget(() => fine, { headers: { 'X-Gateway': 'g' } });
    await target.send(post({ headers: { 'Content-Type': 'application/json', 'X-API-Key': 'k' }, body: '{"a":1}' }));
    await target.send(get('/agents?a=%20'));
    expect(received[0]).toMatchObject({
      line: 'POST /v0.1/drives',
      headers: {
        ...{ 'user-agent': 'the tool', accept: 'application/json', 'x-gateway': 'g', 'x-api-key': 'k' },
        ...{ 'content-type': 'application/json', 'x-request-id': '0123abcd-0000-4000-8000-000000000001' },
      },
      body: '{"a":1}',
    });
    expect(received[1]).toMatchObject({ line: 'GET /v0.1/agents?a=%20', body: '' });
    expect(received[1]?.headers['x-request-id']).toBe('0123abcd-0000-4000-8000-000000000002');
  });

  it.each<[Answer, object]>([
    [fine, { status: 200, isSuccess: true, json: [], isJson: true, text: '[]', hasBody: true }],
    [{ status: 204 }, { status: 204, isSuccess: true, json: undefined, isJson: false, text: '', hasBody: false }],
    [
      { status: 302, headers: { location: '/agents' } },
      { status: 302, isSuccess: false, isJson: false },
    ],
    [
      { status: 404, body: '"a"' },
      { status: 404, isSuccess: false, json: 'a', isJson: true },
    ],
    [
      { status: 500, body: 'a page' },
      { status: 500, json: undefined, isJson: false, text: 'a page' },
    ],
    [
      { status: 200, body: '['.repeat(20_000) },
      { status: 200, isTooDeep: true, isJson: false, json: undefined },
    ],
  ])('gets the reply that came: %j', async (answer, reply) => {
    const { target, received } = await startTarget(() => answer);
    expect(await target.send(get())).toMatchObject(reply);
    expect(received).toHaveLength(1);
  });

  it('is told with its times and its id to whoever listens', async () => {
    const { target, url } = await startTarget(() => fine);
    const heard: unknown[] = [];
    target.onExchange = (happened) => heard.push(happened);
    const { exchange, sentAtMs, receivedAtMs } = await target.send(get());
    expect(heard).toMatchObject([{ sentAtMs, receivedAtMs, requestId: '0123abcd-0000-4000-8000-000000000001' }]);
    expect(receivedAtMs).toBeGreaterThanOrEqual(sentAtMs);
    expect(exchange).toMatchObject({ request: { method: 'GET', url: `${url}/agents` }, response: { status: 200 } });
  });

  it('that takes longer than its own limit has no response', async () => {
    const { target } = await startTarget(() => 'hang');
    expect(await target.send(get('/agents', { timeoutMs: 50 }))).toMatchObject({ status: 0, failure: 'timeout' });
  });

  it('that writes goes over a connection of its own; readings share them', async () => {
    const { target, received } = await startTarget(() => fine);
    for (const request of [get(), get(), post(), post()]) await target.send(request);
    const [one, two, three, four] = received.map(({ port }) => port);
    expect(two).toBe(one);
    expect(new Set([one, three, four]).size).toBe(3);
  });
});

describe('a connection that ends', () => {
  it('while it is idle costs a reading nothing: it is sent once more', async () => {
    const { target, received } = await startTarget((number) => (number === 2 ? 'reset' : fine));
    await target.send(get());
    expect(await target.send(get())).toMatchObject({ status: 200 });
    expect(received).toHaveLength(3);
  });

  it('is the response to a request that opened it, or that writes, or has no key on the kept one', async () => {
    const { target, received } = await startTarget((number) => (number === 1 ? fine : 'reset'));
    await target.send(get('/agents', { onKeptConnection: true }));
    const noKey = get('/agents', { onKeptConnection: true, isAuthenticated: false });
    for (const request of [noKey, post(), get()]) expect((await target.send(request)).failure).toBe('reset');
    expect(received).toHaveLength(4);
  });
});

describe('the limit on requests', () => {
  it('is kept to the last one, and does not count while tidying up', async () => {
    const { target, received } = await startTarget(() => fine, { maxRequests: 2 });
    for (const request of [get(), post()]) expect((await target.send(request)).status).toBe(200);
    const message = 'The run sent the 2 requests that --max-requests allows.';
    await expect(target.send(get())).rejects.toMatchObject({ code: 'REQUESTS', message });
    expect([received.length, target.requests]).toEqual([2, 2]);
    expect(await target.startTidying()).toBe(true);
    expect((await target.send(get())).status).toBe(200);
  });
});

describe('a target that is busy', () => {
  const wait = (seconds: string, status = 429): Answer => ({ status, headers: { 'retry-after': seconds } });
  const ofFirst = (answer: Answer) => (number: number) => (number === 1 ? answer : fine);
  const inMs = (ms: number) => new Date(Date.now() + ms).toUTCString();

  // It did not carry the request out, so a writing one is sent again as well.
  it.each<[string, SentRequest, Answer, [status: number, count: number, leastMs: number]]>([
    ['asks to wait', get(), wait('7'), [200, 2, 7_000]],
    ['asks to wait, though the request writes', post(), wait('7'), [200, 2, 7_000]],
    ['asks to wait with 503', post(), wait('7', 503), [200, 2, 7_000]],
    ['asks to wait for too long', post(), wait('91'), [429, 1, 0]],
    ['says nonsense', get(), wait('soon'), [200, 2, 250]],
    ['does not say how long', get(), { status: 429 }, [200, 2, 250]],
    ['does not say how long to a request that writes', post(), { status: 503 }, [200, 2, 250]],
    ['fails', get(), { status: 500 }, [500, 1, 0]],
    ['is behind a gateway that fails for a moment', get(), { status: 502 }, [200, 2, 250]],
    ['is behind a gateway that fails, and may have carried it out', post(), { status: 502 }, [502, 1, 0]],
  ])('%s', async (_, request, answer, [status, count, leastMs]) => {
    const clock = createWaitingClock();
    const { target, received } = await startTarget(ofFirst(answer), { clock });
    expect([(await target.send(request)).status, received.length]).toEqual([status, count]);
    // The clock goes on by itself as well.
    expect(clock.waitedMs()).toBeGreaterThan(leastMs * 0.95 - 1);
    expect(clock.waitedMs()).toBeLessThanOrEqual(leastMs);
  });

  it.each([
    [20_000, 15_000, 20_000],
    [-60_000, 0, 0],
  ])('may name a date, in %i ms', async (ms, leastMs, mostMs) => {
    const clock = createWaitingClock();
    const { target, received } = await startTarget((number) => (number === 1 ? wait(inMs(ms)) : fine), { clock });
    expect([(await target.send(post())).status, received.length]).toEqual([200, 2]);
    expect(clock.waitedMs()).toBeGreaterThanOrEqual(leastMs);
    expect(clock.waitedMs()).toBeLessThanOrEqual(mostMs);
  });

  it.each([
    ['asks to wait for no time', wait('0'), 9],
    ['asks to wait for a minute', wait('60'), 2],
    ['does not say how long', { status: 503 }, 5],
  ] as const)('and stays so is given up, once for an operation, if it %s', async (_, answer, count) => {
    const { target, received } = await startTarget((number) => (number > count + 1 ? fine : answer), {
      clock: createWaitingClock(),
    });
    expect((await target.send(get())).isSuccess).toBe(false);
    expect(received).toHaveLength(count);
    expect((await target.send(get())).isSuccess).toBe(false);
    expect(received).toHaveLength(count + 1);
    expect((await target.send(get())).isSuccess).toBe(true);
  });

  it('gets no request before the time for which it asks, of any operation', async () => {
    const clock = createWaitingClock();
    const { target } = await startTarget(ofFirst(wait('30')), { clock });
    const first = target.send(post());
    await expect.poll(() => clock.waitedMs()).toBeGreaterThan(0);
    await Promise.all([first, target.send(get())]);
    expect(clock.waitedMs()).toBeGreaterThan(29_000);
  });
});

describe('the limit on the time of a run', () => {
  it('ends it before the next request, and while it waits for a busy target', async () => {
    const clock = createWaitingClock();
    const answer = (number: number): Answer =>
      number === 2 ? { status: 429, headers: { 'retry-after': '60' } } : fine;
    const { target, received } = await startTarget(answer, { timeLimitMs: 30_000, clock });
    expect((await target.send(get())).isSuccess).toBe(true);
    await expect(target.send(get())).rejects.toMatchObject({
      name: 'Stopped',
      message: 'The run reached its time limit of 30000 ms',
    });
    expect([target.endedBy, received.length]).toEqual(['time-limit', 2]);
    expect(clock.waitedMs()).toBeLessThanOrEqual(30_000);
    expect(await target.startTidying()).toBe(true);
    expect((await target.send(get())).isSuccess).toBe(true);
    expect(target.endedBy).toBe('time-limit');
  });
});

describe('a run that is stopped', () => {
  it('sends nothing more, and gives the first reason, until it tidies up', async () => {
    const { target, received } = await startTarget(() => fine);
    expect(target.stopReason).toBeUndefined();
    target.stop(say`the first reason`);
    target.stop(say`another one`);
    await expect(target.send(get())).rejects.toMatchObject({ name: 'Stopped', message: 'the first reason' });
    expect([received.length, target.isTidying]).toEqual([0, false]);
    expect(await target.startTidying()).toBe(true);
    target.stop(say`too late`);
    expect([target.stopReason, target.isTidying]).toEqual([undefined, true]);
    expect((await target.send(get())).status).toBe(200);
  });

  it('does not wait any longer for a busy target', async () => {
    const { target, received } = await startTarget(() => ({ status: 429, headers: { 'retry-after': '25' } }));
    const waiting = expect(target.send(get())).rejects.toMatchObject({ message: 'enough' });
    await expect.poll(() => received.length).toBe(1);
    target.stop(say`enough`);
    await waiting;
  });
});

describe('a request without a response', () => {
  const isLook = ({ url }: IncomingMessage) => url === '/v0.1/alive';

  /** A target with a request that shows whether it is there, which is answered as given, by turns. */
  async function startWatched(
    answer: (number: number) => Answer,
    looks: readonly Answer[],
    more: Partial<TargetSettings> = {},
  ) {
    let [asked, looked] = [0, 0];
    const started = await startTarget(
      (_, request) => (isLook(request) ? (looks[Math.min(looked++, looks.length - 1)] ?? fine) : answer(++asked)),
      { timeoutMs: timeLimit(150), ...more },
    );
    started.target.heartbeat = get('/alive');
    return { ...started, asked: () => asked, looked: () => looked };
  }

  const bad: Answer = { status: 502 };
  const onceAway: Answer[] = ['reset', fine];
  const crash = { check: undefined, isRepeated: false };
  const since = 'The target has not responded since POST http:\\S+/drives:';

  interface Outcome {
    ended: number | string;
    asked: number;
    looked: number;
    crashes?: object[];
    stop?: RegExp;
  }

  it.each<[string, [SentRequest, Answer[], looks: Answer[]], Outcome]>([
    ['where others get one', [post(), ['reset', fine], [fine]], { ended: 'reset', asked: 1, looked: 1 }],
    [
      'ends the run where there is none from then on',
      [post(), ['reset'], ['reset']],
      { ended: 'reset', asked: 1, looked: 5, stop: new RegExp(`^${since} the connection closed .*\\.$`) },
    ],
    [
      'ends the run where a gateway answers from then on',
      [post(), [bad], [bad]],
      { ended: 502, asked: 1, looked: 5, stop: new RegExp(`^${since} status 502\\.$`) },
    ],
    [
      'ends the run soon where the target hangs, which is tried twice',
      [get(), ['hang'], ['hang']],
      { ended: 'timeout', asked: 1, looked: 2, stop: /no complete response came within the time limit/ },
    ],
    ['is no crash after the target hung', [get(), ['hang'], ['hang', fine]], { ended: 'timeout', asked: 1, looked: 2 }],
    [
      'is asked for again after a crash',
      [get(), onceAway, onceAway],
      { ended: 200, asked: 2, looked: 2, crashes: [crash] },
    ],
    ['is not, to a write', [post(), onceAway, onceAway], { ended: 'reset', asked: 1, looked: 2, crashes: [crash] }],
    ['is not, to a write from a gateway', [post(), [bad], onceAway], { ended: 502, asked: 1, looked: 2 }],
    [
      'is a crash by the request if it happens again',
      [get(), ['reset'], [...onceAway, ...onceAway]],
      { ended: 'reset', asked: 2, looked: 4, crashes: [{ ...crash, isRepeated: true }] },
    ],
    [
      'is none if others get a response the second time',
      [get(), ['reset'], onceAway],
      { ended: 'reset', asked: 2, looked: 3, crashes: [crash] },
    ],
  ])('%s', async (_, [request, answers, looks], { ended, asked, looked, crashes = [], stop }) => {
    const timeoutMs = answers.includes('hang') ? 100 : timeLimit(150);
    const started = await startWatched((number) => answers[number - 1] ?? answers.at(-1) ?? fine, looks, { timeoutMs });
    const { target } = started;
    const { failure, status } = await target.send(request);
    expect([failure ?? status, started.asked(), started.looked()]).toEqual([ended, asked, looked]);
    expect(target.crashes).toMatchObject(crashes);
    expect(target.crashes.every(({ reply, backAtMs }) => backAtMs > reply.receivedAtMs)).toBe(true);
    expect(target.stopReason?.shown(asIs) ?? '').toMatch(stop ?? /^$/);
    if (stop === undefined) return;
    await expect(target.send(get())).rejects.toMatchObject({ name: 'Stopped' });
    expect(await target.startTidying()).toBe(false);
    expect(started.looked()).toBe(2 * looked);
  });

  it('shows nothing where no request got a response so far', async () => {
    const { target } = await startTarget(() => 'reset');
    expect((await target.send(get())).failure).toBe('reset');
    expect(target.stopReason).toBeUndefined();
  });

  it('lets a run tidy up on a target that is back', async () => {
    const away: Answer[] = Array(6).fill('reset');
    const { target } = await startWatched((number) => (number === 1 ? 'reset' : fine), [...away, fine]);
    await target.send(post());
    expect(target.stopReason).toBeDefined();
    expect(await target.startTidying()).toBe(true);
    expect(target.stopReason).toBeUndefined();
    expect((await target.send(post())).status).toBe(200);
  });

  it('is asked for again after a crash by the check that sent a write', async () => {
    const { target } = await startWatched((number) => (number === 1 ? 'reset' : fine), onceAway);
    expect((await currentCheck.run('a.check', () => target.send(post()))).status).toBe(200);
    expect(target.crashes.map(({ check }) => check)).toEqual(['a.check']);
  });

  it('is one crash with all that it cut off', async () => {
    const { target, asked } = await startWatched((number) => (number <= 3 ? 'reset' : fine), onceAway);
    const replies = await Promise.all([get('/a'), get('/b'), get('/c')].map((request) => target.send(request)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([asked(), target.crashes.length]).toEqual([6, 1]);
  });
});
