/** Four edges, one engine: each does the same, to the same expected values. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../.ci/bundle.mjs';
import { createFetch } from '../../src/browser/fetch.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { behaviours, outcomesOn } from '../behaviours/behaviours.ts';
import { runBehindMsw } from '../behaviours/behind-msw.ts';
import { noBrowser, sharedBrowser } from '../support/browser.ts';
import { isFull } from '../support/depth.ts';
import { page, script, serveSite } from '../support/page-server.ts';

const baseUrl = 'https://api.example.com/v0.1';
const adminUrl = 'https://api.example.com/__admin';

/** Runs all behaviours on an edge, and expects what they say. Without outcomes there is no browser. */
function eachIsAsExpected(run: () => Promise<unknown[] | undefined>): void {
  let found: unknown[] | undefined;
  beforeAll(async () => {
    found = await run();
  });
  const rows = behaviours.map(({ name, expected }, index) => ({ name, expected, index }));
  it.for(rows)('$name', ({ index, expected }, test) => {
    if (found === undefined) return test.skip(noBrowser);
    expect(found[index]).toEqual(expected);
  });
}

it('are at least 45, each once', () => {
  expect(new Set(behaviours.map(({ name }) => name)).size).toBe(behaviours.length);
  expect(behaviours.length).toBeGreaterThanOrEqual(45);
});

describe('over HTTP', () =>
  eachIsAsExpected(async () => {
    const mocks: Mock[] = [];
    const found = await outcomesOn(async (options) => {
      const mock = await createMock(options);
      mocks.push(mock);
      return { url: mock.url, adminUrl: `${new URL(mock.url).origin}/__admin`, fetch };
    });
    await Promise.all(mocks.map((mock) => mock.close()));
    return found;
  }));

describe('as a function like fetch', () =>
  eachIsAsExpected(() =>
    outcomesOn((options) => ({ url: baseUrl, adminUrl, fetch: createFetch({ ...options, baseUrl }) })),
  ));

// The current major of MSW, and the one before it.
const majors = [
  ['3', 'msw'],
  ['2', 'msw2'],
] as const;

describe.each(isFull ? majors : majors.slice(0, 1))('behind MSW %s', (major, name) => {
  it('is the major that it should be', () => {
    const { version } = JSON.parse(
      readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
    );
    expect(version).toMatch(new RegExp(`^${major}\\.`));
  });

  describe('in Node', () => eachIsAsExpected(() => runBehindMsw(name, 'in-node.ts', [baseUrl, adminUrl])));

  describe.runIf(isFull)('in a page', () =>
    eachIsAsExpected(async () => {
      const browser = await sharedBrowser();
      return browser && runInPage(browser, name);
    }),
  );
});

async function runInPage(browser: Browser, name: string): Promise<unknown[]> {
  const worker = readFileSync(new URL(`../../node_modules/${name}/lib/mockServiceWorker.js`, import.meta.url), 'utf8');
  const site = await serveSite({
    '/': page('<!doctype html><title>behaviours</title><script type="module" src="/page.js"></script>'),
    '/page.js': script(await bundle('test/behaviours/page.ts', [], { msw: name })),
    '/mockServiceWorker.js': script(worker),
  });
  try {
    const opened = await browser.newPage();
    await opened.goto(site.url);
    // biome-ignore lint/suspicious/noExplicitAny: the page defines it
    const run = ([base, admin]: string[]) => (globalThis as any).runAll(base, admin);
    return await opened.evaluate(run, [baseUrl, adminUrl]);
  } finally {
    site.close();
  }
}
