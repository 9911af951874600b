/** What code sees of `fetch`, with the mock as a function like it and behind MSW, is what it sees over HTTP. */
import { runInNewContext } from 'node:vm';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectSame } from '../facts/differences.ts';
import { behindMsw, byFunction, type Found, inPage, overHttp } from '../facts/edges.ts';
import { facts } from '../facts/facts.ts';
import { noBrowser, sharedBrowser } from '../support/browser.ts';
import { isFull, sampleOf } from '../support/depth.ts';

describe('in Node', () => {
  // The quick run finds some of them, and behind MSW, where each takes its time, some of those.
  const names = sampleOf(
    facts.map(({ name }) => name),
    120,
  );
  let http: Found;
  beforeAll(async () => {
    http = await overHttp(names);
  });
  const among = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, http[name]]));
  afterEach(() => vi.unstubAllGlobals());

  it('there are at least 200 facts, each with a name of its own, and none hangs over HTTP', () => {
    expect(new Set(facts.map(({ name }) => name)).size).toBe(facts.length);
    expect(facts.length).toBeGreaterThanOrEqual(200);
    expect(Object.values(http)).not.toContain('hangs');
  });

  it('the function like fetch does as fetch', async () =>
    expectSame('by the function, in Node', await byFunction(names), http));

  // As Vitest does where its environment is jsdom.
  it.runIf(isFull)('the function does so where the global object has arrays of another realm', async () => {
    for (const name of ['Uint8Array', 'Uint16Array', 'Uint32Array', 'Uint8ClampedArray'])
      vi.stubGlobal(name, runInNewContext(name));
    expectSame('by the function, in Node', await byFunction(names), await overHttp(names));
  });

  it.each([
    ['MSW 3', 'msw', 'behind MSW 3, in Node'],
    ...(isFull ? ([['MSW 2', 'msw2', 'behind MSW 2, in Node']] as const) : []),
  ] as const)('%s does as fetch', async (_, installed, edge) => {
    const some = sampleOf(names, 60);
    expectSame(edge, await behindMsw(installed, some), among(some));
  });
});

describe.runIf(isFull)('in Chromium', () => {
  let browser: Browser | undefined;
  let http: Found;
  beforeAll(async () => {
    browser = await sharedBrowser();
    if (browser !== undefined) http = await inPage(browser, 'overHttp');
  });

  it.for([
    ['by the function, in Chromium', 'byFunction', undefined],
    ['behind MSW 3, in Chromium', 'behindWorker', 'msw'],
    ['behind MSW 2, in Chromium', 'behindWorker', 'msw2'],
  ] as const)('%s: does as fetch', async ([name, edge, msw], test) => {
    if (browser === undefined) return test.skip(noBrowser);
    expect(Object.values(http)).not.toContain('hangs');
    expectSame(name, await inPage(browser, edge, msw), http);
  });
});
