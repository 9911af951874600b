/**
 * Takes the pictures of the developer page and of the HTML report, light and dark, in Chromium.
 *
 * Whether a picture is up to date is not told by its pixels, which differ with the fonts of a machine. Each picture has a
 * digest of what it shows: the elements of the page with their texts and values, and the rules of the style sheet that
 * apply to them. `docs/pictures/digests.json` keeps it. To add a picture, add an entry to the table.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { withPalette } from './png.ts';
import { clock } from './recordings.ts';
import { usedReport, usedReportPage } from './report.ts';
import { type Ids, startScriptedMock } from './scripted-mock.ts';

interface Shot {
  /** Opens what the picture shows. `origin` is that of a mock with some traffic. */
  show(page: Page, mock: { origin: string; ids: Ids }): Promise<unknown>;
  /** Whether it takes a run of the suite. */
  isSlow?: boolean;
  /** In pixels. Default: 800. */
  height?: number;
  /** Whether the faults of the mock stay. Default: they have gone when the page is opened. */
  hasFaults?: boolean;
}

/** The screenshots by name; each gives `<name>-light.png` and `<name>-dark.png`. */
export const shots: Readonly<Record<string, Shot>> = {
  'page-try': {
    show: async (page, { origin, ids }) => {
      await page.goto(`${origin}/#/try/createDrive?sandbox=${ids.organization}`);
      await page.locator('[id="field-body.name"]').fill('Launch plans 2027');
      await page.locator('form.operation button[type=submit]:enabled').click();
      await page.locator('.response .status').waitFor();
    },
    height: 960,
  },
  'page-state': {
    show: async (page, { origin, ids: { organization, drive, otherFile } }) => {
      const place = encodeURIComponent(`drives/${drive}/files/${otherFile}`);
      await page.goto(`${origin}/#/state/${place}?sandbox=${organization}`);
      await page.locator('.record').waitFor();
    },
  },
  'page-traffic': {
    show: async (page, { origin }) => {
      await page.goto(`${origin}/#/traffic/9`);
      await page.locator('.stream.live').waitFor();
    },
    hasFaults: true,
  },
  'page-points': { show: (page, { origin }) => page.goto(`${origin}/#/points/errorBody`) },
  'page-faults': { show: (page, { origin }) => page.goto(`${origin}/#/faults/slow-servers`), hasFaults: true },
  'page-reports': {
    show: async (page, { origin }) => {
      await page.goto(`${origin}/#/reports`);
      const report = { name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(await usedReport()) };
      await page.locator('input[type=file]').first().setInputFiles(report);
      // The view chooses the first finding by itself.
      await page.locator('tr.selected').waitFor();
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
    height: 1120,
  },
};

/** A picture's page, open in Chromium. */
interface Seen {
  /** Of what it shows. */
  digest: string;
  /** Takes its pictures. */
  take(): Promise<{ light: Buffer; dark: Buffer }>;
}

/** Opens what a picture shows, with a mock that is started for it, and looks at it. */
export async function lookAt<T>(browser: Browser, name: string, look: (seen: Seen) => T | Promise<T>): Promise<T> {
  const { show, height = 800, hasFaults = false } = shots[name] as Shot;
  const { mock, ids } = await startScriptedMock(clock);
  if (!hasFaults) mock.faults.clear();
  const context = await browser.newContext({
    viewport: { width: 1280, height },
    ...{ colorScheme: 'light', reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-GB' },
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.clock.setFixedTime(clock);
    await page.route(/\/__admin\/requests(?!\/live)/, withoutDurations);
    const { origin, host } = new URL(mock.url);
    await show(page, { origin, ids });
    await page.mouse.move(0, 0);
    const digest = await settled(page, host);
    return await look({ digest, take: () => take(page) });
  } finally {
    await context.close();
    await mock.close();
  }
}

/** The request log as if each call had taken the same time. */
async function withoutDurations(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.text()).replaceAll(/(?<="durationMs":\s*)[\d.]+/g, '2');
  await route.fulfill({ response, body });
}

async function take(page: Page): Promise<{ light: Buffer; dark: Buffer }> {
  const light = await page.screenshot({ animations: 'disabled' });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await page.screenshot({ animations: 'disabled' });
  return { light: withPalette(light), dark: withPalette(dark) };
}

/** Waits until nothing changes any more, with what differs from run to run replaced; the digest of what is shown then. */
async function settled(page: Page, host: string): Promise<string> {
  const read = async () => {
    await page.evaluate(replaceVarying, host);
    return page.evaluate(shownParts);
  };
  let now = await read();
  for (let [round, same] = [0, 0]; same < 3 && round < 60; round++) {
    await setTimeout(250);
    const before = now;
    now = await read();
    same = now === before ? same + 1 : 0;
  }
  return createHash('sha256').update(now).digest('hex').slice(0, 32);
}

/** Runs in the page: the usual port in place of the one that was free, one duration for all, no sentence for a moment. */
function replaceVarying(host: string): void {
  // That of the fault is no duration that was measured.
  const duration = (shown: string) => (shown === '250' ? shown : '2');
  const steady = (text: string) =>
    text.replaceAll(host, '127.0.0.1:4010').replaceAll(/(?<![\d.,])\d[\d.,]*(?= ms\b)/g, duration);
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const text = node.textContent ?? '';
    const isNumber = /^\d[\d.,]*$/.test(text) && /^ ms\b/.test(node.nextSibling?.textContent ?? '');
    const changed = isNumber ? duration(text) : steady(text);
    if (changed !== text) node.textContent = changed;
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (steady(value) !== value) element.setAttribute(name, steady(value));
    }
  }
  for (const region of document.querySelectorAll<HTMLElement>('[aria-live]')) region.style.visibility = 'hidden';
  (document.activeElement as HTMLElement | null)?.blur();
}

/** Runs in the page: its elements, the values of its fields, and the rules of its style sheets that apply to any of them. */
function shownParts(): string {
  const body = document.body.cloneNode(true) as HTMLElement;
  for (const element of body.querySelectorAll('script, style, [aria-live]')) element.remove();
  const fields = [...document.querySelectorAll('input, select, textarea')].map((field) => {
    const { value, checked = false } = field as HTMLInputElement;
    return `${value} ${checked}`;
  });
  const applies = (selector: string) => {
    try {
      return document.querySelector(
        selector.replaceAll(/::?(?:before|after|marker|placeholder|hover|focus[\w-]*|active)/g, '') || '*',
      );
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
