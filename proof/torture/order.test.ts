import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { depth, randomSeed } from '../../test/support/depth.ts';
import { type Call, findDisorder, type SequentialModel } from './linearizable.ts';
import { orderSeed, runRound } from './order.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function mockUrl(options: MockOptions = {}): Promise<string> {
  const mock = await createMock({ seed: orderSeed(), ...options });
  closing.push(() => mock.close());
  return mock.url;
}

describe('the search for an order', () => {
  /** A number that is written and read. */
  const register: SequentialModel<number, number | 'read', number> = {
    initial: 0,
    step: (value, asked, told) => (asked === 'read' ? (told === value ? value : undefined) : asked),
    toKey: String,
  };
  const call = (asked: number | 'read', told: number, startedAt: number, endedAt: number) => ({
    ...{ asked, told, startedAt, endedAt },
  });

  it.each<[string, Call<number | 'read', number>[], boolean]>([
    ['a read after a write', [call(1, 0, 0, 1), call('read', 1, 2, 3)], true],
    ['a read of what was before, after the write had ended', [call(1, 0, 0, 1), call('read', 0, 2, 3)], false],
    ['a read of either, during the write', [call(1, 0, 0, 9), call('read', 0, 2, 3), call('read', 1, 4, 5)], true],
    ['the earlier value after the later one', [call(1, 0, 0, 9), call('read', 1, 2, 3), call('read', 0, 4, 5)], false],
    ['two writes in either order', [call(1, 0, 0, 9), call(2, 0, 0, 9), call('read', 1, 10, 11)], true],
    ['a value that nobody wrote', [call(1, 0, 0, 9), call('read', 3, 2, 3)], false],
  ])('judges %s', (_, calls, isPossible) => {
    expect(findDisorder(calls, register) === undefined).toBe(isPossible);
  });

  it('finds an order for everything that was done in one, however the calls overlap', () => {
    const steps = fc.array(
      fc.record({
        asked: fc.oneof(fc.constant('read' as const), fc.nat(3)),
        before: fc.nat(4),
        after: fc.nat(4),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(steps, (drawn) => {
        let value = 0;
        const calls = drawn.map(({ asked, before, after }, index) => {
          if (asked !== 'read') value = asked;
          return call(asked, asked === 'read' ? value : 0, index - before, index + after);
        });
        expect(findDisorder(calls, register)).toBeUndefined();
      }),
    );
  });
});

/** Stands before a mock, and gives some lists and files as they were when they were asked for the last time. */
async function forgetfulUrl(): Promise<string> {
  const target = new URL(await mockUrl());
  const earlier = new Map<string, { status: number; text: string }>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' };
    const method = request.method ?? 'GET';
    const reply = await fetch(new URL(request.url ?? '/', target), {
      method,
      headers,
      ...(body.length > 0 && { body }),
    });
    const now = { status: reply.status, text: await reply.text() };
    const place = `${headers['x-api-key']} ${request.url}`;
    const told = method === 'GET' && count++ % 3 === 0 ? (earlier.get(place) ?? now) : now;
    earlier.set(place, now);
    response.writeHead(told.status, { 'content-type': 'application/json' }).end(told.text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`;
}

describe('calls of many clients at the same time', () => {
  it.each([
    ['as fast as it can', {}],
    ['with a random delay', { latency: { fromMs: 0, toMs: 4 } }],
  ])('happen in one order, by a mock that answers %s', async (_, options: MockOptions) => {
    const baseUrl = await mockUrl(options);
    for (let round = 0; round < depth(5, 60); round++) {
      const { calls, overlapping, disorders } = await runRound({
        ...{ baseUrl, randomSeed: randomSeed + round, clients: 8, calls: 12 },
      });
      expect({ calls, disorders }).toEqual({ calls: 3 * 8 * 12, disorders: [] });
      expect(overlapping).toBeGreaterThan(calls / 2);
    }
  });

  it('are seen in no order where a server shows what was before', async () => {
    const { disorders } = await runRound({ baseUrl: await forgetfulUrl(), randomSeed, clients: 3, calls: 30 });
    expect(disorders.join('\n')).toMatch(/: none of these can be next: \{/);
  });
});
