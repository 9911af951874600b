/**
 * Takes the pictures of the developer page and of the HTML report, light and dark, in Chromium.
 *
 * Whether a picture is up to date is not told by its pixels, which differ with the fonts of a machine. Each picture has a
 * digest of what it shows: the elements of the page with their texts and values, and the rules of the style sheet that
 * apply to them. `docs/pictures/digests.json` keeps it. To add a picture, add an entry to the table.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { usedReport, usedReportPage } from './report.ts';
import { type Ids, startScriptedMock } from './scripted-mock.ts';
import { clock } from './recordings.ts';

interface Shot {
  /** Opens what the picture shows. `origin` is that of a mock with some traffic. */
  show(page: Page, mock: { origin: string; ids: Ids }): Promise<unknown>;
  /** Whether it takes a run of the suite. */
  isSlow?: boolean;
}

/** The screenshots by name; each gives `<name>-light.png` and `<name>-dark.png`. */
export const shots: Readonly<Record<string, Shot>> = {
  'page-try': {
    show: async (page, { origin, ids }) => {
      await page.goto(`${origin}/#/try/createDrive?sandbox=${ids.organization}`);
      await page.locator('[id="field-body.name"]').fill('Launch plans 2027');
      await page.locator('form.operation button[type=submit]:enabled').click();
      await page.locator('.answer .status').waitFor();
      const points = page.locator('.answer details summary');
      if ((await points.count()) > 0) await points.first().click();
    },
  },
  'page-state': {
    show: (page, { origin, ids: { organization, drive, otherFile } }) =>
      page.goto(`${origin}/#/state/${encodeURIComponent(`drives/${drive}/files/${otherFile}`)}?sandbox=${organization}`),
  },
  'page-traffic': {
    show: async (page, { origin }) => {
      await page.goto(`${origin}/#/traffic/10`);
      await page.locator('.stream.live').waitFor();
    },
  },
  'page-points': { show: (page, { origin }) => page.goto(`${origin}/#/points/errorBody`) },
  'page-faults': { show: (page, { origin }) => page.goto(`${origin}/#/faults/slow-creations`) },
  'page-reports': {
    show: async (page, { origin }) => {
      await page.goto(`${origin}/#/reports`);
      const report = { name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(await usedReport()) };
      await page.locator('input[type=file]').first().setInputFiles(report);
      await page.locator('.verdict').waitFor();
      await page.goto(`${origin}/#/reports/listDrives.offset-skips`);
    },
    isSlow: true,
  },
  report: {
    show: async (page) => {
      const address = 'http://report.test/';
      const body = await usedReportPage();
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
      await page.goto(address);
    },
    isSlow: true,
  },
};

/** What was looked at: the digest, and how to take its two pictures. */
export interface Seen {
  digest: string;
  take(): Promise<{ light: Buffer; dark: Buffer }>;
}

/** Opens what each of the pictures shows, one by one. */
export async function eachShot(
  browser: Browser,
  names: readonly string[],
  look: (name: string, seen: Seen) => Promise<unknown>,
): Promise<void> {
  for (const name of names) {
    const { mock, ids } = await startScriptedMock(clock);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
      timezoneId: 'UTC',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    try {
      const page = await context.newPage();
      await page.clock.setFixedTime(clock);
      const { origin, host } = new URL(mock.url);
      await shots[name]?.show(page, { origin, ids });
      const digest = await settled(page, host);
      await look(name, { digest, take: () => take(page) });
    } finally {
      await context.close();
      await mock.close();
    }
  }
}

async function take(page: Page): Promise<{ light: Buffer; dark: Buffer }> {
  const light = await page.screenshot({ animations: 'disabled' });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await page.screenshot({ animations: 'disabled' });
  return { light, dark };
}

/** Waits until nothing changes any more, with what differs from run to run replaced; the digest of what is shown then. */
async function settled(page: Page, host: string): Promise<string> {
  const read = async () => {
    await page.evaluate(replaceVarying, host);
    return page.evaluate(shownParts);
  };
  let before = '';
  let now = await read();
  for (let round = 0; now !== before && round < 40; round++) {
    before = now;
    await setTimeout(300);
    now = await read();
  }
  return createHash('sha256').update(now).digest('hex').slice(0, 32);
}

/** Runs in the page: the usual port in place of the one that was free, and one duration for all. */
function replaceVarying(host: string): void {
  const steady = (text: string) =>
    text.replaceAll(host, '127.0.0.1:4010').replaceAll(/(?<![\d.,])\d[\d.,]*(?= ms\b)/g, (shown) => (shown === '250' ? shown : '2'));
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const text = node.textContent ?? '';
    if (steady(text) !== text) node.textContent = steady(text);
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (steady(value) !== value) element.setAttribute(name, steady(value));
    }
  }
  (document.activeElement as HTMLElement | null)?.blur();
}

/** Runs in the page: its elements, the values of its fields, and the rules of its style sheets that apply to any of them. */
function shownParts(): string {
  const body = document.body.cloneNode(true) as HTMLElement;
  for (const element of body.querySelectorAll('script, style')) element.remove();
  const fields = [...document.querySelectorAll('input, select, textarea')].map((field) => {
    const { value, checked = false } = field as HTMLInputElement;
    return `${value} ${checked}`;
  });
  const applies = (selector: string) => {
    try {
      return document.querySelector(selector.replaceAll(/::?(?:before|after|marker|placeholder|hover|focus[\w-]*|active)/g, '') || '*');
    } catch {
      return true;
    }
  };
  const rulesOf = (rules: CSSRuleList): string[] =>
    [...rules].flatMap((rule) => {
      if (rule instanceof CSSStyleRule) return applies(rule.selectorText) ? [rule.cssText] : [];
      if (rule instanceof CSSGroupingRule) return rulesOf(rule.cssRules);
      return [];
    });
  const styles = [...document.styleSheets].flatMap((sheet) => rulesOf(sheet.cssRules));
  return [body.outerHTML, ...fields, ...styles].join('\n');
}

/** Chromium, where it is installed. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
}
