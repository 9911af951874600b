/** What code sees of `fetch`, with the mock as a function like it and behind MSW, is what it sees over HTTP. */
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectSame } from '../facts/compare.ts';
import { behindMsw, byFunction, type Found, overHttp } from '../facts/edges.ts';
import { facts } from '../facts/facts.ts';
import { isFull } from '../support/depth.ts';

let http: Found;
beforeAll(async () => {
  http = await overHttp();
});

afterEach(() => vi.unstubAllGlobals());

describe('in Node', () => {
  it('there are at least 200 facts, each with a name of its own, and none hangs over HTTP', () => {
    expect(new Set(facts.map(({ name }) => name)).size).toBe(facts.length);
    expect(facts.length).toBeGreaterThanOrEqual(200);
    expect(Object.values(http)).not.toContain('hangs');
  });

  it('the function like fetch does as fetch', async () =>
    expectSame('by the function, in Node', await byFunction(), http));

  // As Vitest does where its environment is jsdom.
  it.runIf(isFull)(
    'the function like fetch does as fetch where the global object has arrays of another realm',
    async () => {
      for (const name of ['Uint8Array', 'Uint16Array', 'Uint32Array', 'Uint8ClampedArray'])
        vi.stubGlobal(name, runInNewContext(name));
      expectSame('by the function, in Node', await byFunction(), await overHttp());
    },
  );

  it('MSW 3 does as fetch', async () => expectSame('behind MSW 3, in Node', await behindMsw('msw'), http));
});
