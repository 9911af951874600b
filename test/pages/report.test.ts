import fc from 'fast-check';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Report } from '../../conformance/report.ts';
import { toHtml } from '../../conformance/reporters/html.ts';
import { toJunit } from '../../conformance/reporters/junit.ts';
import { visible } from '../../lib/text.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { lowContrast } from '../support/contrast.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { newContext, story, visit } from '../support/developer-page.ts';
import { anyReport, reportOf } from '../support/hostile.ts';
import { evidenceOf as sampleEvidence } from '../support/sample-evidence.ts';
import { believableReport, sampleReport, sampleResult } from '../support/sample-report.ts';

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

const textOf = (page: Page) => page.evaluate(() => document.body.textContent);

it('the HTML report shows any text as text, never as markup', async (test) => {
  const { page, show, misdeeds } = await open(test);
  await fc.assert(
    fc.asyncProperty(anyReport, async (report) => {
      await show(toHtml(report));
      const text = await textOf(page);
      expect(evidenceOf(report).filter((one) => !text.includes(visible(one)))).toEqual([]);
      expect(await countForeign(page)).toBe(0);
      expect(misdeeds).toEqual([]);
    }),
    { seed: randomSeed, numRuns: depth(6, 40) },
  );
});

it('the HTML report groups failures of one cause, truncates a body, and opens the check that a link leads to', async (test) => {
  const { page, show } = await open(test);
  const checks = ['no-key', 'header-key', 'bearer-key', 'ids-differ', 'known-agent'].map((rule) => ({
    ...withBody(JSON.stringify('x'.repeat(998))),
    id: `listAgents.${rule}`,
  }));
  await show(toHtml(sampleReport(checks)));
  expect(await page.locator('article:visible').count()).toBe(1);
  const shown = await page.locator('pre:visible', { hasText: 'xxx' }).first().innerText();
  expect(shown).toBe(`"${'x'.repeat(299)}… (truncated, 300 of 1,000 characters)`);
  await page.getByRole('link', { name: 'All checks' }).click();
  await page.getByRole('link', { name: 'listAgents.known-agent' }).click();
  expect(await page.getByRole('article').filter({ hasText: 'listAgents.known-agent' }).isVisible()).toBe(true);
  expect(await page.getByText('4 more checks failed the same way').count()).toBe(1);
});

describe('HTML report', () => {
  story('loads no other resources and causes no dialogs or errors', async (test) => {
    const { page, show } = await open(test);
    await show(toHtml(believableReport()));
    expect(await page.title()).toBe('non-conformant: https://staging.agents.example.com/v0.1');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Non-conformant');
  });

  story('indents JSON without changing a token', async (test) => {
    const { page, show } = await open(test);
    const body = `{"id":12345678901234567890,"id":1.0,"text":"a, b: {\\"c\\"}  d","none":[],"empty":{},"list":[1,[2],{"x":null}]}`;
    await show(toHtml(sampleReport([withBody(body)])));
    const shown = await page.locator('pre', { hasText: '"none"' }).innerText();
    expect(shown.split('\n').slice(0, 4)).toEqual([
      '{',
      '  "id": 12345678901234567890,',
      '  "id": 1.0,',
      '  "text": "a, b: {\\"c\\"}  d",',
    ]);
    expect(shown).toContain('  "none": [],\n  "empty": {},\n  "list": [\n    1,\n    [\n      2\n    ],\n    {');
    expect(shown.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(body);
  });

  story('filters the checks by outcome, operation and text', async (test) => {
    const { page, show } = await open(test);
    await show(toHtml(believableReport()));
    const rows = page.locator('#all-checks tbody tr:visible');
    expect(await rows.count()).toBe(0);
    await page.getByRole('link', { name: 'All checks' }).click();
    expect(await rows.count()).toBe(39);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('not-enabled');
    expect(await rows.count()).toBe(8);
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('deleteDriveTree');
    expect(await rows.count()).toBe(4);
    await page.getByRole('searchbox', { name: 'Name or reason' }).fill('DOT-DOT');
    expect(await rows.count()).toBe(1);
    expect(await page.locator('#shown').innerText()).toBe('1 of 39 shown');
    await page.getByRole('link', { name: '24 passed' }).click();
    expect(await rows.count()).toBe(24);
  });

  story('is readable without scripts', async (test) => {
    const { page, show } = await open(test, { javaScriptEnabled: false });
    await show(toHtml(believableReport()));
    await page.locator('summary', { hasText: 'All checks' }).click();
    expect(await page.locator('#filter').isVisible()).toBe(false);
    expect(await page.locator('#all-checks tbody tr:visible').count()).toBe(39);
    expect(await page.getByText('status 500 with an HTML page').isVisible()).toBe(true);
  });

  story('is folded behind a summary that fits one screen, with what weakens the verdict on top', async (test) => {
    const { page, show } = await open(test, { viewport: { width: 1280, height: 900 } });
    const leak = sampleResult('getDriveFile.foreign-resource', { outcome: 'warned' });
    const passed = loadRequirements().flatMap(({ checks = [] }) => checks);
    const others = [...new Set(passed)].filter((id) => id !== leak.id).map((id) => sampleResult(id));
    await show(toHtml(sampleReport([...others, leak])));
    const reason = page.locator('header .reason');
    expect(await reason.innerText()).toBe(
      `In all ${others.length + 1} checks, with 1 warning: files of another organization can be read`,
    );
    const bottom = await page.locator('#summary').evaluate((part) => part.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(900);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3 * 900);
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
    const tables = page.locator('#summary .scroll');
    expect(await tables.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))).toEqual([0, 0]);
  });

  story('shows the id of a selected check as it is, and only the operations that ran', async (test) => {
    const { page, show } = await open(test);
    const others = ['listAgents.is-served', 'getDriveFile.is-served'].map((id) =>
      sampleResult(id, { outcome: 'skipped', reason: 'It was not selected.' }),
    );
    await show(toHtml(sampleReport([sampleResult('listDrives.offset-skips'), ...others], { verdict: 'inconclusive' })));
    expect(await page.locator('header .reason').innerText()).toBe('listDrives.offset-skips');
    expect(await page.locator('#summary tbody').first().innerText()).toMatch(/^listDrives\s/);
    expect(await page.locator('#summary tbody').first().locator('tr').count()).toBe(1);
  });

  story('says what was found once', async (test) => {
    const { page, show } = await open(test);
    const evidence = { ...sampleEvidence('status 500'), actual: 'seven teapots' };
    const reason = `Expected ${evidence.expected}; got seven teapots. It came twice.`;
    await show(toHtml(sampleReport([sampleResult('listAgents.is-served', { outcome: 'failed', reason, evidence })])));
    const found = await page.locator('article').innerText();
    expect(found.split('seven teapots')).toHaveLength(2);
    expect(found).toContain('It came twice.');
  });

  story('has sufficient text contrast in light and dark mode', async (test) => {
    const { page, show } = await open(test);
    for (const verdict of ['conformant', 'non-conformant', 'inconclusive'] as const) {
      await show(toHtml({ ...believableReport(), verdict }).replaceAll('<details', '<details open'));
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate(lowContrast, 4.5)).toEqual([]);
      }
    }
  });

  story('has an outline and tables that screen readers can follow', async (test) => {
    const { page, show } = await open(test);
    await show(toHtml(believableReport()));
    for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
      expect(await page.getByRole(landmark).count()).toBe(1);
    }
    const levels = await page
      .locator('h1, h2, h3, h4')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    expect(await page.locator('th:not([scope])').count()).toBe(0);
    expect(await page.locator('table:not(:has(caption))').count()).toBe(0);
    expect(await page.locator('[id]').evaluateAll((all) => all.length - new Set(all.map(({ id }) => id)).size)).toBe(0);
    const targets = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect(await Promise.all(targets.map((target) => page.locator(`[id="${target.slice(1)}"]`).count()))).toEqual(
      targets.map(() => 1),
    );
  });
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

/** What a report has seen, as far as it stands on the page to the letter. */
function evidenceOf(report: Report): string[] {
  return report.checks.flatMap(({ reason, evidence, setting = '' }) => [
    ...(evidence === undefined
      ? []
      : [evidence.expected, evidence.actual, evidence.curl ?? '', evidence.smallest ?? '']),
    ...(evidence?.exchanges ?? []).flatMap(({ request, response, failure }) => [
      request.url,
      request.body ?? '',
      response?.body ?? '',
      failure?.message ?? '',
    ]),
    reason,
    setting,
  ]);
}

/** Elements that no report has, unless a text became one. */
function countForeign(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document.querySelectorAll(
        'img, svg, link, iframe, object, script ~ script, style ~ style, [onload], [onmouseover]',
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
