/** The edges on which facts are established. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext } from 'playwright-core';
import { bundle } from '../../.ci/bundle.mjs';
import { createFetch } from '../../src/browser/fetch.ts';
import { createMock } from '../../src/index.ts';
import { runProgram } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { page, script, serveSite } from '../support/page-server.ts';
import { type FactEdge, factOptions, findAll } from './fact.ts';
import { facts } from './facts.ts';

export type Found = Record<string, unknown>;

// No request is sent there.
const address = { url: 'http://127.0.0.1:4999/v0.1', adminUrl: 'http://127.0.0.1:4999/__admin' };

async function withMock<Result>(use: (edge: FactEdge) => Promise<Result>): Promise<Result> {
  const mock = await createMock(factOptions);
  try {
    return await use({ url: mock.url, adminUrl: String(mock.adminUrl), fetch });
  } finally {
    await mock.close();
  }
}

const named = (names: readonly string[]) => facts.filter(({ name }) => names.includes(name));

export const overHttp = (names: readonly string[]): Promise<Found> => withMock((edge) => findAll(named(names), edge));

export function byFunction(names: readonly string[]): Promise<Found> {
  return findAll(named(names), { ...address, fetch: createFetch({ ...factOptions, baseUrl: address.url }) });
}

/**
 * Behind `setupServer` of one major version of MSW, given the name under which it is installed: the facts with these names.
 * They are found by a program in which `msw` is that version, and which prints them as `FOUND <JSON>`.
 */
export async function behindMsw(name: string, names: readonly string[]): Promise<Found> {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (what, context, next) => next(what.replace(/^msw(?=$|\\/)/, '${name}'), context) });
  `;
  const flags = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const program = fileURLToPath(new URL('in-node.ts', import.meta.url));
  const args = [address.url, address.adminUrl, isFull ? 'always' : 'sometimes', JSON.stringify(names)];
  const { code, stdout, stderr } = await runProgram([...flags, program, ...args]);
  const [, found] = /FOUND (.*)$/s.exec(stdout) ?? [];
  if (code !== 0 || found === undefined) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(found);
}

type PageEdge = 'overHttp' | 'byFunction' | 'behindWorker';

/** In a page in Chromium, on the mock's origin: pages of other origins see less of a response. */
export async function inPage(browser: Browser, edge: PageEdge, name = 'msw'): Promise<Found> {
  const context = await browser.newContext({ bypassCSP: true });
  try {
    const code = await bundle('test/facts/page.ts', [], { msw: name });
    if (edge === 'behindWorker') return await behindWorker(context, code, name);
    return await withMock(({ url, adminUrl }) =>
      findIn(context, code, { at: `${adminUrl}/health`, edge, url, adminUrl }),
    );
  } finally {
    await context.close();
  }
}

async function behindWorker(context: BrowserContext, code: string, name: string): Promise<Found> {
  const worker = readFileSync(new URL(`../../node_modules/${name}/lib/mockServiceWorker.js`, import.meta.url), 'utf8');
  const site = await serveSite({
    '/': page('<!doctype html><title>facts</title>'),
    '/mockServiceWorker.js': script(worker),
  });
  try {
    const place = {
      at: site.url,
      edge: 'behindWorker',
      url: `${site.url}v0.1`,
      adminUrl: `${site.url}__admin`,
    } as const;
    return await findIn(context, code, place);
  } finally {
    site.close();
  }
}

interface PagePlace {
  at: string;
  edge: PageEdge;
  url: string;
  adminUrl: string;
}

async function findIn(context: BrowserContext, code: string, { at, edge, url, adminUrl }: PagePlace): Promise<Found> {
  const opened = await context.newPage();
  await opened.goto(at);
  await opened.addScriptTag({ content: code, type: 'module' });
  await opened.waitForFunction(() => 'overHttp' in globalThis);
  // biome-ignore lint/suspicious/noExplicitAny: the page defines it
  const run = ([name = '', ...rest]: string[]) => (globalThis as any)[name](...rest);
  return opened.evaluate(run, [edge, url, adminUrl]);
}
