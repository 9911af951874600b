import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { parse } from 'yaml';
import { htmlPage } from '../docs/questions/html-page.ts';
import { loadParts } from '../docs/questions/questions.ts';
import { loadOpenPoints } from '../openapi/contract/load.ts';
import { validateChoices } from '../openapi/contract/profile.ts';
import { noBrowser, openBrowser } from './support/browser.ts';
import { isFull } from './support/depth.ts';

const address = new URL('../docs/questions.html', import.meta.url).href;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const points = loadOpenPoints();
const asked = points.filter(({ question }) => !question.startsWith('None')).length;

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

type Look = NonNullable<Parameters<Browser['newContext']>[0]>;

/** The page as a reader opens it from a disk, and what it did that it must not do. */
async function open(test: TestContext, look: Look = {}, hash = ''): Promise<{ page: Page; misdeeds: string[] }> {
  // Without a browser this is left out: the run then ends with a visible line, and in CI with an error.
  if (browser === undefined) return test.skip(noBrowser);
  const context = await browser.newContext(look);
  test.onTestFinished(() => context.close());
  const page = await context.newPage();
  const misdeeds: string[] = [];
  page.on('console', (message) => misdeeds.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => misdeeds.push(`error: ${error}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('blob:'))
      misdeeds.push(`request: ${request.url()}`);
  });
  await page.goto(address + hash);
  return { page, misdeeds };
}

const question = (page: Page, id: string) => page.locator(`#${id}`);
const answer = (page: Page, id: string, value: string) =>
  question(page, id).locator(`[type=radio][value="${value}"]`).check();
const textOf = async (page: Page, id: string) => (await page.locator(`#${id}`).textContent()) ?? '';
const profileOf = async (page: Page): Promise<unknown> => parse(await textOf(page, 'profile'));

describe('the page of questions', () => {
  it('makes sentences and a profile of three answers, and keeps them', async (test) => {
    const { page, misdeeds } = await open(test);
    expect(await textOf(page, 'progress')).toBe(`0 of ${asked} answered`);
    await answer(page, 'createStatus', '200');
    await answer(page, 'timestampZone', '+00:00');
    await question(page, 'defaultLimit').getByLabel('Another answer').fill('25');
    const chosen = { createStatus: 200, timestampZone: '+00:00', defaultLimit: 25 };
    for (const visit of ['answered', 'reloaded']) {
      expect(await profileOf(page), visit).toEqual(chosen);
      expect(await textOf(page, 'sentences'), visit).toContain('Section 4.4\n- The default of limit is 25.\n');
      expect(await textOf(page, 'sentences'), visit).toContain(
        '- Unless stated otherwise, a successful creation is answered with status 200.',
      );
      expect(await textOf(page, 'progress'), visit).toBe(`3 of ${asked} answered`);
      await page.reload();
    }
    expect(validateChoices(points, chosen)).toEqual([]);
    expect(misdeeds).toEqual([]);
  });

  it.runIf(isFull)('makes a profile of any answers that the mock accepts', async (test) => {
    const { page } = await open(test);
    for (const last of [true, false]) {
      await page.evaluate((isLast) => {
        for (const one of document.querySelectorAll('fieldset')) {
          const all = [...one.querySelectorAll<HTMLInputElement>('[data-says]:not([value="*"])')];
          all.at(isLast ? -1 : 0)?.click();
        }
      }, last);
      const profile = await profileOf(page);
      expect(Object.keys(profile as object)).toHaveLength(asked);
      expect(validateChoices(points, profile)).toEqual([]);
    }
  });

  it.runIf(isFull)('gives a profile without choices when nothing is answered', async (test) => {
    const { page } = await open(test, {}, '#answers=&createStatus=200');
    expect(await profileOf(page)).toEqual({ createStatus: 200 });
    await page.getByRole('button', { name: 'Clear all answers' }).click();
    expect(await profileOf(page)).toEqual({});
    expect(await textOf(page, 'sentences')).toBe('');
    await page.reload();
    expect(await profileOf(page)).toEqual({});
  });

  it.runIf(isFull)('takes no answer that is not legal, from a field or an address', async (test) => {
    const { page } = await open(
      test,
      {},
      '#answers=&createStatus=204&listOrder=random&treePathParameter=filter[path]&x=y',
    );
    expect(await profileOf(page)).toEqual({ treePathParameter: 'filter[path]' });
    const field = question(page, 'createStatus').getByLabel('Another answer');
    await field.fill('204');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await profileOf(page)).not.toHaveProperty('createStatus');
    await field.fill('207');
    expect(await profileOf(page)).toHaveProperty('createStatus', 207);
  });

  it.runIf(isFull)('takes words in any order, and says so when it takes none', async (test) => {
    const { page } = await open(test, {}, '#answers=&optionalFields=without size description');
    expect(await profileOf(page)).toEqual({ optionalFields: 'without description size' });
    expect(await textOf(page, 'sentences')).toContain('may be missing: description, size.');
    const field = question(page, 'optionalFields').getByLabel('Another answer');
    const error = page.locator('#optionalFields-error');
    expect(await error.isVisible()).toBe(false);
    await field.fill('id');
    expect(await error.textContent()).toContain('Not accepted');
    expect(await error.isVisible()).toBe(true);
    expect(await profileOf(page)).toEqual({});
    await field.fill('size');
    expect(await profileOf(page)).toEqual({ optionalFields: 'without size' });
    expect(validateChoices(points, { optionalFields: 'without size' })).toEqual([]);
  });

  it.runIf(isFull)('says which answers of an address it does not take', async (test) => {
    const { page } = await open(test, {}, '#answers=&listOrder=random&createStatus=204&x=y');
    const told = await textOf(page, 'not-taken');
    for (const pair of ['listOrder=random', 'createStatus=204', 'x=y']) expect(told).toContain(pair);
    expect(await page.locator('#createStatus-error').isVisible()).toBe(true);
  });

  it.runIf(isFull)('puts into a sentence what holds for the questions that it refers to', async (test) => {
    const { page } = await open(test, {}, '#answers=&unknownAgentStatus=notFoundStatus&requiredServerFields=none');
    expect(await textOf(page, 'sentences')).toContain('- An unknown agent is answered with status 404.');
    await answer(page, 'notFoundStatus', '410');
    expect(await textOf(page, 'sentences')).toContain('- An unknown agent is answered with status 410.');
    const says = question(page, 'malformedIds').locator('.says').first();
    expect(await says.textContent()).toContain('410 for an agent');
  });

  it.runIf(isFull)('puts a comment under its sentence, and keeps it', async (test) => {
    const { page } = await open(test, {}, '#answers=&createStatus=200');
    await question(page, 'createStatus').getByText('Add a comment').click();
    await question(page, 'createStatus').locator('textarea').fill('Not yet\nfor servers.');
    const told = 'status 200.\n  Comment: Not yet\n  for servers.';
    expect(await textOf(page, 'sentences')).toContain(told);
    await page.reload();
    expect(await textOf(page, 'sentences')).toContain(told);
  });

  it('offers only the most damaging questions', async (test) => {
    const { page } = await open(test);
    await page.getByLabel('most damaging').check();
    const count = Number(/only the (\d+)/.exec((await page.locator('#toolbar').textContent()) ?? '')?.[1]);
    expect(await page.locator('.question:visible').count()).toBe(count);
    expect(await page.locator('.question:visible:not(.cost-3)').count()).toBe(0);
  });

  it.runIf(isFull)('shows the questions of one endpoint, or those without an answer', async (test) => {
    const { page } = await open(test, {}, '#answers=&treePathParameter=directory');
    const shown = page.locator('.question:not([hidden])');
    expect(await shown.count()).toBe(asked);
    await page.getByLabel('Endpoint').selectOption('deleteDriveTree');
    const ofTree = points.filter(({ operations, question: asks }) => {
      return operations.includes('deleteDriveTree') && !asks.startsWith('None');
    });
    expect(await shown.count()).toBe(ofTree.length);
    await page.getByLabel('only unanswered').check();
    expect(await question(page, 'treePathParameter').isVisible()).toBe(false);
    expect(await question(page, 'deleteStatus').isVisible()).toBe(true);
    await page.goto(`${address}#treePathParameter`);
    expect(await question(page, 'treePathParameter').isVisible()).toBe(true);
    expect(await profileOf(page)).toEqual({ treePathParameter: 'directory' });
  });

  it('saves and copies what it shows', async (test) => {
    const { page } = await open(
      test,
      { permissions: ['clipboard-read', 'clipboard-write'] },
      '#answers=&createStatus=200',
    );
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download: Profile' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('profile.yaml');
    expect(readFileSync(await saved.path(), 'utf8')).toBe(await textOf(page, 'profile'));
    await page.getByRole('button', { name: 'Copy: Sentences' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await textOf(page, 'sentences'));
  });

  it('is answered with the keyboard alone', async (test) => {
    const { page } = await open(test);
    await question(page, 'createStatus').locator('[type=radio]').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await profileOf(page)).toEqual({ createStatus: 201 });
    await page.keyboard.press('ArrowDown');
    expect(await profileOf(page)).toEqual({ createStatus: 200 });
  });

  it.runIf(isFull)('shows any text as text, never as markup', async () => {
    const hostile = `<img src=x onerror=alert(1)>"'\u202e&\`<b>\``;
    const parts = (await loadParts()).map((part) => ({
      ...part,
      title: hostile,
      questions: part.questions.map((one) => ({
        ...one,
        asks: hostile,
        text: [hostile],
        point: { ...one.point, open: hostile },
        cost: { ...one.cost, breaks: hostile },
        answers: one.answers.map((each) => ({ ...each, means: hostile, sentence: hostile })),
        example: hostile,
      })),
    }));
    const html = htmlPage(parts);
    expect(html.split('&lt;img src=x').length).toBeGreaterThan(points.length);
    expect(html).not.toMatch(/<img|<b>|"'|\u202e/);
  });

  it.runIf(isFull)('can be read without scripts', async (test) => {
    const { page } = await open(test, { javaScriptEnabled: false });
    expect(await page.locator('.question').count()).toBe(asked);
    expect(await page.locator('#toolbar').isVisible()).toBe(false);
    expect(await page.getByText('This page needs JavaScript').isVisible()).toBe(true);
  });

  it.for([
    { colorScheme: 'dark', width: 1280 },
    { colorScheme: 'light', width: 360 },
  ] as const)('is accessible in $colorScheme at $width px', async ({ colorScheme, width }, test) => {
    const { page } = await open(test, { colorScheme, viewport: { width, height: 800 } }, '#answers=&createStatus=200');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await violations(page)).toEqual([]);
  });
});

/** What axe finds. Not added to the page: its policy allows no other script. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      nodes: { html: string }[];
    }
    const { violations: found } = await axe.run();
    return found.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
