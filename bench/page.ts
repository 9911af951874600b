import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { columns } from '../lib/text.ts';
import { createMock } from '../src/index.ts';
import { findBrowser } from '../test/support/browser.ts';

/** The weight of the developer page, and how long a new visitor waits for the first picture. */
export interface PageResult {
  bytes: { raw: number; gzip: number; brotli: number };
  /** From the click to the first text on the screen, of each visit, in milliseconds. */
  firstPaintMs: number[];
  /** The same on a machine that is four times slower. */
  slowPaintMs: number[];
}

const visits = 9;

/** Opens the page in Chromium again and again, each time with nothing in its cache. */
export async function measurePage(): Promise<PageResult> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('There is no Chromium. Set CHROMIUM_PATH to its path.');
  const mock = await createMock();
  const url = `${new URL(mock.url).origin}/`;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const firstPaintMs = await paintTimes(browser, url, 1);
    return { bytes: await weigh(url), firstPaintMs, slowPaintMs: await paintTimes(browser, url, 4) };
  } finally {
    await browser.close();
    await mock.close();
  }
}

async function weigh(url: string): Promise<PageResult['bytes']> {
  const page = Buffer.from(await (await fetch(url, { headers: { accept: 'text/html' } })).arrayBuffer());
  return { raw: page.length, gzip: gzipSync(page).length, brotli: brotliCompressSync(page).length };
}

async function paintTimes(browser: Browser, url: string, slowdown: number): Promise<number[]> {
  const times: number[] = [];
  for (let visit = 0; visit < visits; visit++) times.push(await paintTime(browser, url, slowdown));
  return times.sort((a, b) => a - b);
}

async function paintTime(browser: Browser, url: string, rate: number): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await page.goto(url);
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  const ms = (await paint.jsonValue()) as number;
  await context.close();
  return ms;
}

/** The result as a table. */
export function renderPage({ bytes, firstPaintMs, slowPaintMs }: PageResult): string {
  const middle = (times: number[]) =>
    `${times[times.length >> 1]?.toFixed(0)} ms (${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)})`;
  const kb = (count: number) => `${(count / 1000).toFixed(0)} kB`;
  return columns([
    ['Size', `${kb(bytes.raw)}, ${kb(bytes.gzip)} with gzip, ${kb(bytes.brotli)} with brotli`],
    [`First paint, median of ${visits}`, middle(firstPaintMs)],
    ['The same, processor four times slower', middle(slowPaintMs)],
  ]).join('\n');
}
