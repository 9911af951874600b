/** What `fetch-facts.test.ts` compares, in a page of Chromium, and behind the major of MSW before the current one. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../facts/compare.ts';
import { behindMsw, type Found, inPage, overHttp } from '../facts/edges.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';

it('MSW 2 does as fetch in Node', async () =>
  expectSame('behind MSW 2, in Node', await behindMsw('msw2'), await overHttp()));

describe('in Chromium', () => {
  let browser: Browser | undefined;
  let http: Found;
  beforeAll(async () => {
    browser = await openBrowser();
    if (browser !== undefined) http = await inPage(browser, 'overHttp');
  });
  afterAll(() => browser?.close());

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
