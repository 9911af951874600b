import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, it, type TestContext } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { noBrowser, sharedBrowser } from './browser.ts';
import { isFull, sampleOf } from './depth.ts';
import { tinySeed } from './tiny-seed.ts';

interface PageOptions {
  mock?: MockOptions;
  look?: BrowserContextOptions;
  /** What follows `/` in the address. */
  at?: string;
  /** Whether there may be error responses, which a browser logs in its console. */
  mayFail?: boolean;
  /** Runs before the page is opened. */
  before?: (mock: Mock) => Promise<unknown>;
}

/**
 * Opens the developer page of a new mock in the browser that all files share, or skips the test without a browser. The
 * test fails if the page has misdeeds at its end.
 */
export async function openPage(test: TestContext, options: PageOptions = {}) {
  const context = await newContext(test, options.look);
  const mock = await createMock({ seed: tinySeed, ...options.mock });
  test.onTestFinished(() => mock.close());
  await options.before?.(mock);
  const { page, misdeeds } = await visit(test, context, new URL(options.at ?? '', new URL('/', mock.url)), options);
  return { page, mock, misdeeds };
}

/** A new page at an address. The test fails if the page has misdeeds at its end. */
export async function visit(
  test: TestContext,
  context: BrowserContext,
  address: URL,
  { mayFail = false }: Pick<PageOptions, 'mayFail'> = {},
) {
  const page = await context.newPage();
  const misdeeds = watchPage(page, address.origin, mayFail);
  test.onTestFinished(() => expect(misdeeds).toEqual([]));
  const response = await page.goto(address.href);
  expect(response?.status()).toBe(200);
  return { page, misdeeds };
}

/** A browser context until the test ends. Skips the test without a browser. */
export async function newContext(test: TestContext, look: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = (await sharedBrowser()) ?? test.skip(noBrowser);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  test.onTestFinished(() => context.close());
  return context;
}

/**
 * The misdeeds of a page from now on: console messages, errors, dialogs, and requests to other servers. `mayFail`: there
 * may be error responses.
 */
function watchPage(page: Page, origin: string, mayFail = false): string[] {
  const misdeeds: string[] = [];
  page.on('console', (message) => {
    const isRefusal = /^Failed to load resource: /.test(message.text());
    if (!mayFail || !isRefusal) misdeeds.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => misdeeds.push(`error: ${error}`));
  page.on('dialog', (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(?:blob:|data:)/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      misdeeds.push(`request: ${request.url()}`);
  });
  return misdeeds;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asserts that axe finds nothing on the page as it is now, and that nothing is wider than the page. */
export async function expectAccessible(page: Page): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  // Elements that are still fading in have too little contrast.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => undefined),
  );
  // Not added to the page: its policy allows no other script.
  await page.evaluate(axe);
  expect(await page.evaluate(runAxe)).toEqual([]);
}

async function runAxe(): Promise<string[]> {
  interface Violation {
    id: string;
    nodes: { html: string; failureSummary?: string }[];
  }
  const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
  const { violations } = await axe.run();
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const undo = (page: Page) => page.locator('button.undo');

/** Shows a view: by its link, or by the menu where the page is narrow. */
export async function goToView(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('combobox', { name: 'View', exact: true });
  if (await menu.isVisible()) await menu.selectOption(name);
  else await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click();
}

/** Presses "Try again", unless the page finds the server again by itself. */
export async function tryAgain(page: Page): Promise<void> {
  const again = button(page, 'Try again');
  await Promise.race([again.click(), again.waitFor({ state: 'hidden' })]);
}

/** A row of a list, by the link in it. */
export const row = (page: Page, name: string | RegExp) =>
  page.getByRole('row').filter({ has: page.locator('.row-link').getByText(name, { exact: typeof name === 'string' }) });

/** The rows of a list that are in the page. */
export const rows = (page: Page) => page.locator('.table tbody tr:not(.gap)');

/** What is selected in a list. */
export const detail = (page: Page) => page.locator('.detail:has(.detail-head)');

/** Clicks on an entry of a Copy menu. */
export async function copyAs(page: Page, what: string, within = page.locator('body')): Promise<void> {
  await within.locator('.menu summary', { hasText: 'Copy' }).click();
  await within.locator('.menu').getByRole('button', { name: what, exact: true }).click();
}

/** Clicks on buttons, one after the other. */
export async function press(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await button(page, name).click();
}

/** Presses keys, one after the other. */
export async function keys(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.keyboard.press(name);
}

/** Waits until the page shows all of these. */
export async function sees(page: Page, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) await page.getByText(text).waitFor();
}

/** What a page needs to copy. */
export const mayCopy = { permissions: ['clipboard-read', 'clipboard-write'] };

/** The text that was copied last. */
export const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Chooses a file with this text. */
export function giveFile(input: Locator, { name, text }: { name: string; text: string }): Promise<void> {
  return input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}

/** The file that a click on this button saves. */
export async function downloaded(page: Page, button: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), path, text: readFileSync(path, 'utf8') };
}

/** Waits until Traffic follows the stream of exchanges. */
export function isLive(page: Page): Promise<void> {
  return page.locator('.stream.live').waitFor();
}

/** Waits until the page has had time to show an exchange: the request log has it, and two frames were drawn since. */
export async function hadTimeToShow(page: Page, path: string): Promise<void> {
  await expect.poll(() => page.evaluate(async () => (await fetch('/__admin/requests')).text())).toContain(path);
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
  });
}

/** What follows the one story of each view that every run tells. */
export const story = (name: string, tell: (test: TestContext) => Promise<void>) => it.runIf(isFull)(name, tell);

// 900 and 1024 lie between the narrow page and the wide one.
const widths = [360, 900, 1024, 1280];
const everyLook = (['light', 'dark'] as const).flatMap((colorScheme) =>
  widths.map((width) => ({ colorScheme, width, look: { colorScheme, viewport: { width, height: 800 } } })),
);

/** The colours and widths in which the page is tested: one of eight, drawn from the random seed; all in the full run. */
export const looks = sampleOf(everyLook, 1);
