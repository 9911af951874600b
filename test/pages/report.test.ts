import fc from 'fast-check';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';
import { toHtml } from '../../conformance/report/html.ts';
import { toJunit } from '../../conformance/report/junit.ts';
import type { CheckResult } from '../../conformance/report/report.ts';
import { visible } from '../../lib/text.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { detail, expectAccessible, looks, newContext, rows, story, visit } from '../support/developer-page.ts';
import { anyReport, reportOf } from '../support/hostile.ts';
import {
  believableReport,
  evidenceOf as sampleEvidence,
  sampleReport,
  sampleResult,
} from '../support/sample-report.ts';

const pageUrl = 'http://report.test/';

/** A page that can show a report. It loads nothing else. */
async function open(test: TestContext, look: BrowserContextOptions = {}) {
  const context = await newContext(test, look);
  let body = '';
  await context.route('**/*', (route) =>
    route.request().url() === pageUrl
      ? route.fulfill({ contentType: 'text/html; charset=utf-8', body })
      : route.abort(),
  );
  const { page, misdeeds } = await visit(test, context, new URL(pageUrl));
  const show = async (html: string) => {
    body = html;
    await page.goto(pageUrl);
  };
  return { page, show, misdeeds };
}

it('the HTML report shows any text as text, never as markup', async (test) => {
  const { page, show, misdeeds } = await open(test);
  await fc.assert(
    fc.asyncProperty(anyReport, async (report) => {
      await show(toHtml(report));
      // The page opens its first finding once it is drawn, and would open it over a check that is chosen before.
      await detail(page).waitFor();
      for (const check of report.checks) {
        await page.evaluate((id) => location.replace(`#/reports/${id}`), check.id);
        await page.getByRole('region', { name: check.id, exact: true }).waitFor();
        const text = await detail(page).evaluate(({ textContent }) => textContent);
        expect(evidenceOf(check).filter((one) => !text.includes(visible(one)))).toEqual([]);
      }
      for (const part of await page.locator('.tabs a').all()) {
        await part.click();
        expect(await countForeign(page)).toBe(0);
      }
      expect(misdeeds).toEqual([]);
    }),
    { seed: randomSeed, numRuns: depth(3, 15) },
  );
});

it('the HTML report shows the first finding, folds the others with its cause, and opens the check of an address', async (test) => {
  const { page, show } = await open(test);
  const checks = ['no-key', 'header-key', 'bearer-key', 'ids-differ', 'known-agent'].map((rule) => ({
    ...withBody(JSON.stringify('x'.repeat(4998))),
    id: `listAgents.${rule}`,
  }));
  await show(toHtml(sampleReport(checks)));
  await page.getByRole('region', { name: 'listAgents.bearer-key' }).waitFor();
  expect(await rows(page).count()).toBe(1);
  const shown = await detail(page).locator('pre', { hasText: 'xxx' }).innerText();
  expect(shown).toBe(`"${'x'.repeat(2499)}… (truncated, 2,500 of 5,000 characters)`);
  await detail(page).getByText('4 more checks failed the same way').click();
  await detail(page).getByRole('link', { name: 'listAgents.known-agent' }).click();
  await page.getByRole('region', { name: 'listAgents.known-agent' }).waitFor();
  expect(await rows(page).count()).toBe(5);
});

const headline = (page: Page) => page.locator('.verdict').innerText();
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the report' }).getByRole('link', { name }).click();

describe('HTML report', () => {
  story('loads no other resources and causes no dialogs or errors', async (test) => {
    const { page, show } = await open(test);
    await show(toHtml(believableReport()));
    expect(await page.title()).toBe('non-conformant: https://staging.agents.example.com/v0.1');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Conformance report');
  });

  story('filters the checks by outcome, operation and text', async (test) => {
    const { page, show } = await open(test, { viewport: { width: 1280, height: 2000 } });
    await show(toHtml(believableReport()));
    await expect.poll(() => rows(page).count()).toBe(39);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('8 not enabled');
    await expect.poll(() => rows(page).count()).toBe(8);
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('deleteDriveTree');
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.getByRole('searchbox', { name: 'Search' }).fill('DOT-DOT');
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  story('is readable without scripts', async (test) => {
    const { page, show } = await open(test, { javaScriptEnabled: false });
    await show(toHtml(believableReport()));
    expect(await page.locator('noscript pre').innerText()).toMatch(/^NON-CONFORMANT: 3 checks failed/);
    for (const text of ['Actual      status 500 with an HTML page', '--allow-destructive'])
      expect(await page.locator('noscript pre').innerText()).toContain(text);
  });

  story('works in a frame without an origin, where a browser keeps nothing', async (test) => {
    const { page, show } = await open(test);
    await show('<!doctype html><title>a list of artifacts</title><iframe sandbox="allow-scripts"></iframe>');
    await page.evaluate(
      (html) => document.querySelector('iframe')?.setAttribute('srcdoc', html),
      toHtml(believableReport()),
    );
    await page.frameLocator('iframe').locator('.verdict', { hasText: 'non-conformant' }).waitFor();
  });

  story('says on top what weakens the verdict, and on how many checks it rests', async (test) => {
    const { page, show } = await open(test);
    const leak = sampleResult('getDriveFile.foreign-resource', { outcome: 'warned' });
    await show(toHtml(sampleReport([sampleResult('listAgents.is-served'), leak])));
    expect(await headline(page)).toBe(
      'conformant in all 2 checks, with 1 warning: files of another organization can be read',
    );
  });

  story('fits a window of any width, even with long words, and its summary one of 400 px', async (test) => {
    const { page, show } = await open(test);
    for (const report of [believableReport(), reportOf(['x'.repeat(3000)])]) {
      await show(toHtml(report));
      for (const width of [320, 1200, 400]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    }
    const outcomes = ['failed', 'warned', 'inconclusive', 'not-enabled', 'passed', 'skipped'] as const;
    const operations = [
      ...new Set(loadRequirements().flatMap(({ checks = [] }) => checks.map((id) => id.split('.')[0]))),
    ];
    const checks = operations.flatMap((operation) =>
      outcomes.map((outcome) => sampleResult(`${operation}.is-served`, { outcome })),
    );
    await show(toHtml(sampleReport([...checks, ...checks, ...checks])));
    await part(page, 'Summary');
    const tables = page.locator('.counts .rows');
    expect(await tables.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))).toEqual([0, 0]);
  });

  story('shows the id of a selected check as it is, and only the operations that ran', async (test) => {
    const { page, show } = await open(test);
    const others = ['listAgents.is-served', 'getDriveFile.is-served'].map((id) =>
      sampleResult(id, { outcome: 'skipped', reason: 'It was not selected.' }),
    );
    await show(toHtml(sampleReport([sampleResult('listDrives.offset-skips'), ...others], { verdict: 'inconclusive' })));
    expect(await headline(page)).toBe('passed listDrives.offset-skips');
    await part(page, 'Summary');
    expect(await page.locator('.counts tbody').first().innerText()).toMatch(/^listDrives\s/);
    expect(await page.locator('.counts tbody').first().locator('tr').count()).toBe(1);
  });

  story('says what was found once', async (test) => {
    const { page, show } = await open(test);
    const evidence = { ...sampleEvidence('status 500'), actual: 'seven teapots' };
    const reason = `Expected ${evidence.expected}; got seven teapots. It came twice.`;
    await show(toHtml(sampleReport([sampleResult('listAgents.is-served', { outcome: 'failed', reason, evidence })])));
    const found = await detail(page).innerText();
    expect(found.split('seven teapots')).toHaveLength(2);
    expect(found).toContain('It came twice.');
    expect(found).toContain('--only listAgents.is-served');
  });

  story('is printed as a whole, with every finding in full', async (test) => {
    const { page, show } = await open(test);
    await show(toHtml(believableReport()));
    await page.emulateMedia({ media: 'print' });
    const paper = page.locator('.paper');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const text = await paper.innerText();
    for (const shown of [
      'status 500 with an HTML page',
      'listOrder = newestFirst',
      'deleteDriveTree.file-below-is-gone',
      'conformance-k7m2x9-2',
    ])
      expect(text).toContain(shown);
    expect(await paper.locator('article').count()).toBe(5);
    expect(await page.locator('#page').isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await paper.count()).toBe(0);
  });
});

it.runIf(isFull).for(looks)('the HTML report is accessible in $colorScheme at $width px', async ({ look }, test) => {
  const { page, show } = await open(test, look);
  for (const verdict of ['conformant', 'non-conformant', 'inconclusive'] as const) {
    await show(toHtml({ ...believableReport(), verdict }));
    await expectAccessible(page);
  }
  for (const shown of await page.locator('.tabs a').all()) {
    await shown.click();
    await expectAccessible(page);
  }
});

story('the JUnit report is well-formed XML for any content', async (test) => {
  const { page, show } = await open(test);
  await show('<!doctype html><title>a parser</title>');
  await fc.assert(
    fc.asyncProperty(anyReport, async (report) => {
      const wrong = await page.evaluate((xml) => {
        const parsed = new DOMParser().parseFromString(xml, 'application/xml');
        return parsed.querySelector('parsererror')?.textContent ?? '';
      }, toJunit(report));
      expect(wrong).toBe('');
    }),
  );
});

/** What a check has seen, as far as it stands on the page to the letter. */
function evidenceOf({ reason, evidence, setting = '' }: CheckResult): string[] {
  if (evidence === undefined) return [reason, setting];
  const { expected, actual, curl = '', smallest = '', exchanges } = evidence;
  return [
    ...[expected, actual, curl, smallest],
    ...exchanges.flatMap(({ request, response, failure }) => [
      request.url,
      request.body ?? '',
      response?.body ?? '',
      failure?.message ?? '',
    ]),
  ];
}

/** Elements that no report has, unless a text became one. */
function countForeign(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document.querySelectorAll(
        'img, svg, link, iframe, object, #page script, #page style, style ~ style, [onload], [onmouseover]',
      ).length,
  );
}

function withBody(body: string) {
  const exchange = {
    request: { method: 'GET', url: `${pageUrl}agents`, headers: {} },
    response: { status: 200, headers: {}, body },
    durationMs: 5,
  };
  const evidence = { expected: 'an array', actual: 'an object', exchanges: [exchange] };
  return sampleResult('listAgents.answer-is-array', { outcome: 'failed', evidence });
}
