/** Four edges, one engine: each does the same, to the same expected values. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../.ci/bundle.mjs';
import { createFetch } from '../../src/browser/fetch.ts';
import { createMock } from '../../src/index.ts';
import { behaviours } from '../behaviours/behaviours.ts';
import { createClient } from '../behaviours/client.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { runProgram } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { page, script, serveSite } from '../support/page-server.ts';

const baseUrl = 'https://api.example.com/v0.1';
const adminUrl = 'https://api.example.com/__admin';
const all = behaviours.map((behaviour, index) => ({ ...behaviour, title: `${behaviour.name} (${index})`, index }));

it('are at least 80, each once', () => {
  expect(behaviours.length).toBeGreaterThanOrEqual(80);
});

describe('over HTTP', () => {
  it.for(all)('$title', async ({ options, run, expected }, { onTestFinished }) => {
    const mock = await createMock(options);
    onTestFinished(() => mock.close());
    const { origin } = new URL(mock.url);
    expect(await run(createClient({ url: mock.url, adminUrl: `${origin}/__admin`, fetch }))).toEqual(expected);
  });
});

describe('as a function like fetch', () => {
  it.for(all)('$title', async ({ options, run, expected }) => {
    const mock = createFetch({ ...options, baseUrl });
    expect(await run(createClient({ url: mock.url, adminUrl, fetch: mock }))).toEqual(expected);
  });
});

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

  describe('in Node', () => {
    let found: unknown[] = [];
    beforeAll(async () => {
      found = await runInNode(name);
    });

    it.for(all)('$title', ({ index, expected }) => expect(found[index]).toEqual(expected));
  });

  describe.runIf(isFull)('in a page', () => {
    let browser: Browser | undefined;
    let found: unknown[] | undefined;
    beforeAll(async () => {
      browser = await openBrowser();
      if (browser !== undefined) found = await runInPage(browser, name);
    });
    afterAll(() => browser?.close());

    it.for(all)('$title', ({ index, expected }, test) => {
      if (found === undefined) return test.skip(noBrowser);
      expect(found[index]).toEqual(expected);
    });
  });
});

async function runInNode(name: string): Promise<unknown[]> {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (what, context, next) => next(what.replace(/^msw(?=$|\\/)/, '${name}'), context) });
  `;
  const file = fileURLToPath(new URL('../behaviours/in-node.ts', import.meta.url));
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, file, baseUrl, adminUrl];
  const { code, stdout, stderr } = await runProgram(args);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

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
