import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseJunit } from 'junit2json';
import { expect } from 'vitest';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { openBrowser } from './browser.ts';

const checkCount = new Set(loadRequirements().flatMap(({ checks = [] }) => checks)).size;

/** Reads the reports of a run as others do: JUnit with an independent parser, HTML in a real browser. */
export async function expectReadable(folder: string, baseUrl: string): Promise<void> {
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(report).toMatchObject({
    verdict: 'conformant',
    summary: { failed: 0, warned: 0, inconclusive: 0, 'not-enabled': 0 },
  });
  expect(report.run.baseUrl).toBe(baseUrl);
  expect(report.checks).toHaveLength(checkCount);
  expect(readFileSync(join(folder, 'reports/conformance.md'), 'utf8')).toContain('conformant');
  await expectJunit(readFileSync(join(folder, 'reports/conformance.junit.xml'), 'utf8'), report.summary.skipped);
  await expectPage(join(folder, 'reports/conformance.html'), baseUrl);
}

async function expectJunit(xml: string, skipped: number): Promise<void> {
  const suites = await parseJunit(xml);
  const suite = suites !== undefined && suites !== null && 'testsuite' in suites ? suites.testsuite?.[0] : undefined;
  expect(suite).toMatchObject({ tests: checkCount, failures: 0, errors: 0, skipped });
  expect(suite?.testcase).toHaveLength(checkCount);
}

async function expectPage(file: string, baseUrl: string): Promise<void> {
  const browser = await openBrowser();
  if (browser === undefined) return;
  try {
    const page = await browser.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) trouble.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    const text = await page.locator('body').innerText();
    expect(text.toLowerCase()).toContain('conformant');
    expect(text).toContain(baseUrl);
    expect(trouble).toEqual([]);
  } finally {
    await browser.close();
  }
}
