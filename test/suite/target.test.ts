import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SentRequest } from '../../conformance/target/reply.ts';
import { Target } from '../../conformance/target/target.ts';
import { say } from '../../lib/sentence.ts';
import { timeLimit } from '../support/time-limit.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

type Answer = 'reset' | 'hang' | { status: number; headers?: Record<string, string>; body?: string };

const fine: Answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' };
const asIs = (text: string) => text;

type TargetSettings = ConstructorParameters<typeof Target>[0];

/** A target that answers its requests as it is told: the one with this number, counted from 1; and their ports. */
async function startTarget(
  answer: (number: number, request: IncomingMessage) => Answer,
  more: Partial<TargetSettings> = {},
) {
  const received: (number | undefined)[] = [];
  const server = await startUpstream(
    async (request, response) => {
      const count = received.push(request.socket.remotePort);
      const given = answer(count, request);
      await buffer(request);
      if (given === 'reset') request.socket.destroy();
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
  onTestFinished(server.close);
  onTestFinished(() => target.close());
  return { target, received };
}

const get = (path = '/agents', more: Partial<SentRequest> = {}): SentRequest => ({
  ...{ operation: 'listAgents', method: 'GET', path, headers: {}, isAuthenticated: true, ...more },
});
const post = (more: Partial<SentRequest> = {}) =>
  get('/drives', { operation: 'createDrive', method: 'POST', body: '{}', ...more });

describe('a request', () => {
  it('that takes longer than its own limit has no response', async () => {
    const { target } = await startTarget(() => 'hang');
    expect(await target.send(get('/agents', { timeoutMs: 50 }))).toMatchObject({ status: 0, failure: 'timeout' });
  });

  it('is read however long its headers are, up to 1 MB: HTTP has no limit', async () => {
    const headers = (length: number) => ({ 'content-type': 'application/json', 'set-cookie': 'x'.repeat(length) });
    const lengths = [17_000, 900_000, 1_100_000];
    const { target } = await startTarget((number) => ({
      status: 200,
      headers: headers(lengths[number - 1] ?? 0),
      body: '[]',
    }));
    for (const request of [get(), post()]) expect(await target.send(request)).toMatchObject({ status: 200 });
    expect(await target.send(get())).toMatchObject({ status: 0, failure: 'tooLarge' });
  });

  it('that writes goes over a connection of its own; readings share them', async () => {
    const { target, received } = await startTarget(() => fine);
    for (const request of [get(), get(), post(), post()]) await target.send(request);
    const [one, two, three, four] = received;
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

describe('a target that is busy', () => {
  const wait = (seconds: string, status = 429): Answer => ({ status, headers: { 'retry-after': seconds } });
  const ofFirst = (answer: Answer) => (number: number) => (number === 1 ? answer : fine);
  const inMs = (ms: number) => new Date(Date.now() + ms).toUTCString();

  // It did not carry the request out, so a writing one is sent again as well.
  it.each<[string, SentRequest, Answer, [status: number, count: number, ms: number]]>([
    ['asks to wait', get(), wait('7'), [200, 2, 7_000]],
    ['asks to wait, though the request writes', post(), wait('7'), [200, 2, 7_000]],
    ['asks to wait with 503', post(), wait('7', 503), [200, 2, 7_000]],
    ['asks to wait for too long', post(), wait('91'), [429, 1, 0]],
    ['says nonsense', get(), wait('soon'), [200, 2, 250]],
    ['does not say how long', get(), { status: 429 }, [200, 2, 250]],
    ['does not say how long to a request that writes', post(), { status: 503 }, [200, 2, 250]],
    ['fails', get(), { status: 500 }, [500, 1, 0]],
    ['is behind a gateway that fails for a moment', get(), { status: 502 }, [200, 2, 250]],
    ['is behind a gateway that fails, and names a time', get(), wait('7', 502), [200, 2, 250]],
    ['is behind a gateway that fails, and may have carried it out', post(), { status: 502 }, [502, 1, 0]],
  ])('%s', async (_, request, answer, [status, count, ms]) => {
    const { waitedMs, sleep } = createWaitingClock();
    const { target, received } = await startTarget(ofFirst(answer), { clock: { nowMs: waitedMs, sleep } });
    expect([(await target.send(request)).status, received.length, waitedMs()]).toEqual([status, count, ms]);
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
    const clock = createWaitingClock();
    const { target, received } = await startTarget((number) => (number > count + 1 ? fine : answer), { clock });
    const sent = async () => [(await target.send(get())).isSuccess, received.length];
    expect([await sent(), await sent(), await sent()]).toEqual([
      [false, count],
      [false, count + 1],
      [true, count + 2],
    ]);
  });

  it('gets no request before the time for which it asks, of any operation', async () => {
    const clock = createWaitingClock();
    const { target } = await startTarget(ofFirst(wait('30')), { clock });
    const first = target.send(post());
    await expect.poll(() => clock.waitedMs()).toBeGreaterThan(0);
    await Promise.all([first, target.send(get())]);
    expect(clock.waitedMs()).toBeGreaterThan(29_000);
  });

  it('holds up no run that is stopped', async () => {
    const { target, received } = await startTarget(() => wait('25'));
    const waiting = expect(target.send(get())).rejects.toMatchObject({ message: 'enough' });
    await expect.poll(() => received.length).toBe(1);
    target.stop(say`enough`);
    await waiting;
  });
});

describe('a request without a response', () => {
  const bad: Answer = { status: 502 };
  const onceAway: Answer[] = ['reset', fine];
  const twiceAway = [...onceAway, ...onceAway];
  const crash = { check: undefined, isRepeated: false };
  const repeated = { ...crash, isRepeated: true };
  const since = '^The target has not responded since POST http:\\S+/drives:';
  const closed = new RegExp(`${since} the connection closed .*\\.$`);
  const [gateway, late] = [new RegExp(`${since} status 502\\.$`), /no complete response came within the time limit/];

  // How the target answers the request and then looks at it; how it ended, how often it was sent and looked for.
  it.each<[string, SentRequest, Answer[], looks: Answer[], ended: string, { crashes?: object[]; stop?: RegExp }?]>([
    ['where others get one', post(), ['reset', fine], [fine], 'reset 1 1'],
    ['ends the run where there is none from then on', post(), ['reset'], ['reset'], 'reset 1 5', { stop: closed }],
    ['ends the run where a gateway answers from then on', post(), [bad], [bad], '502 1 5', { stop: gateway }],
    ['ends the run soon where the target hangs twice', get(), ['hang'], ['hang'], 'timeout 1 2', { stop: late }],
    ['is no crash after the target hung', get(), ['hang'], ['hang', fine], 'timeout 1 2'],
    ['is asked for again after a crash', get(), onceAway, onceAway, '200 2 2', { crashes: [crash] }],
    ['is not, to a write', post(), onceAway, onceAway, 'reset 1 2', { crashes: [crash] }],
    ['is not, to a write from a gateway', post(), [bad], onceAway, '502 1 2'],
    ['is a crash by it if it happens again', get(), ['reset'], twiceAway, 'reset 2 4', { crashes: [repeated] }],
    ['is none if others get one the second time', get(), ['reset'], onceAway, 'reset 2 3', { crashes: [crash] }],
  ])('%s', async (_, request, answers, looks, ended, { crashes = [], stop } = {}) => {
    let [asked, looked] = [0, 0];
    const timeoutMs = answers.includes('hang') ? 100 : timeLimit(150);
    const answer = (__: number, { url }: IncomingMessage) => {
      if (url === '/v0.1/alive') return looks[looked++] ?? looks.at(-1) ?? fine;
      return answers[asked++] ?? answers.at(-1) ?? fine;
    };
    const { target } = await startTarget(answer, { timeoutMs, clock: createWaitingClock() });
    target.heartbeat = get('/alive');
    const { failure, status } = await target.send(request);
    expect([failure ?? status, asked, looked].join(' ')).toBe(ended);
    expect(target.crashes).toMatchObject(crashes);
    expect(target.crashes.every(({ reply, backAtMs }) => backAtMs > reply.receivedAtMs)).toBe(true);
    expect(target.stopReason?.shown(asIs) ?? '').toMatch(stop ?? /^$/);
    if (stop === undefined) return;
    const before = looked;
    await expect(target.send(get())).rejects.toMatchObject({ name: 'Stopped' });
    expect(await target.startTidying()).toBe(false);
    expect(looked).toBe(2 * before);
  });

  it('shows nothing where no request got a response so far', async () => {
    const { target } = await startTarget(() => 'reset');
    expect((await target.send(get())).failure).toBe('reset');
    expect(target.stopReason).toBeUndefined();
  });
});
