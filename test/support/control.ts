import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { type Client, createClient, type Reply } from './client.ts';
import { now, tinySeed } from './tiny-seed.ts';

/** A mock with a client for its API, with the first key, and one for its admin API, without a key. */
export interface Controlled {
  mock: Mock;
  api: Client;
  control: Client;
}

/** A mock of the tiny seed for one test, in which nothing unexpected may happen. Its clock is fixed. */
export async function startControlled(options: MockOptions = {}): Promise<Controlled> {
  const { mock, end } = await start(options);
  onTestFinished(end);
  return clientsOf(mock);
}

/** A mock for one test, of any seed. Start it before what stands in front of it, so that it closes after that. */
export async function useMock(options: MockOptions = {}): Promise<Mock> {
  const mock = await createMock(options);
  onTestFinished(() => mock.close());
  return mock;
}

/** The same as {@link startControlled} for all tests of a block. Each finds the initial state. */
export function useControlled(options: MockOptions = {}): () => Controlled {
  let started: Started;
  let controlled: Controlled;
  beforeAll(async () => {
    started = await start(options);
    controlled = clientsOf(started.mock);
  });
  beforeEach(async () => {
    started.mock.engine.apply(started.profile);
    const headers = { authorization: `Bearer ${options.adminToken}` };
    expect((await controlled.control('POST', '/reset', { headers })).status).toBe(200);
  });
  afterAll(() => started.end());
  return () => controlled;
}

type Started = Awaited<ReturnType<typeof start>>;

async function start(options: MockOptions) {
  const unexpected: unknown[] = [];
  const onUnexpected = (error: unknown) => void unexpected.push(error);
  const mock = await createMock({ seed: tinySeed, clock: now, onUnexpected, ...options });
  /** Fails if something unexpected happened. */
  const end = async () => {
    await mock.close();
    expect(unexpected).toEqual([]);
  };
  return { mock, profile: mock.profile, end };
}

/** The clients of a mock. */
export function clientsOf(mock: Mock): Controlled {
  const plain = createClient(mock.adminUrl ?? '', '');
  const control: Client = (method, path, sent) => plain(method, path, { key: null, ...sent });
  return { mock, api: createClient(mock.url, mock.keys[0] ?? ''), control };
}

/** Everything that the admin API can change, as it shows it. */
export async function everythingOf(control: Client): Promise<string> {
  const places = ['/snapshot', '/settings', '/organizations', '/requests', '/faults'];
  const replies = await Promise.all(places.map((place) => control('GET', place)));
  return replies.map(({ status, text }) => `${status} ${text}`).join('\n');
}

/** Asserts that a reply is an error response of the admin API that says what was wrong. */
export function expectProblem(reply: Reply, status: number, says = /./): void {
  expect({ status: reply.status, type: reply.headers.get('content-type'), text: reply.text }).toEqual({
    ...{ status, type: 'application/problem+json' },
    text: expect.stringMatching(says),
  });
  expect(reply.body).toMatchObject({ type: expect.stringMatching(/^urn:agent-platform:problem:[a-z-]+$/), status });
  expect(reply.body.detail).toMatch(/^\S.{10,}\S$/s);
}
