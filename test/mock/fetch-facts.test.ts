/** What code sees of `fetch`, with the mock as a function like it and behind MSW, is what it sees over HTTP. */
import { runInNewContext } from 'node:vm';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectSame } from '../facts/compare.ts';
import { behindMsw, byFunction, type Found, inPage, overHttp } from '../facts/edges.ts';
import { facts } from '../facts/facts.ts';
import { noBrowser, sharedBrowser } from '../support/browser.ts';
import { isFull, sampleOf } from '../support/depth.ts';

describe('in Node', () => {
  let http: Found;
  beforeAll(async () => {
    http = await overHttp();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('there are at least 200 facts, each with a name of its own, and none hangs over HTTP', () => {
    expect(new Set(facts.map(({ name }) => name)).size).toBe(facts.length);
    expect(facts.length).toBeGreaterThanOrEqual(200);
    expect(Object.values(http)).not.toContain('hangs');
  });

  it('the function like fetch does as fetch', async () =>
    expectSame('by the function, in Node', await byFunction(), http));

  // As Vitest does where its environment is jsdom.
  it.runIf(isFull)('the function does so where the global object has arrays of another realm', async () => {
    for (const name of ['Uint8Array', 'Uint16Array', 'Uint32Array', 'Uint8ClampedArray'])
      vi.stubGlobal(name, runInNewContext(name));
    expectSame('by the function, in Node', await byFunction(), await overHttp());
  });

  // Behind MSW, a fact takes its time.
  const names = sampleOf(
    facts.map(({ name }) => name),
    60,
  );

  it.each([
    ['MSW 3', 'msw', 'behind MSW 3, in Node'],
    ...(isFull ? ([['MSW 2', 'msw2', 'behind MSW 2, in Node']] as const) : []),
  ] as const)('%s does as fetch', async (_, installed, edge) => {
    const some = Object.fromEntries(names.map((name) => [name, http[name]]));
    expectSame(edge, await behindMsw(installed, names), some);
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
