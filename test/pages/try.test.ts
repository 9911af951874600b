import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Effect } from '../../src/workbench/faults/effects.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { copied, downloaded, expectAccessible, looks, mayCopy, openPage, story } from '../support/developer-page.ts';

// The view Try of the developer page, against a real mock.

const operations = operationsOf(loadDocument());
const answerOf = (page: Page) => page.getByRole('region', { name: 'Response' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const statusOf = (page: Page) => answerOf(page).locator('.status').innerText();
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const choice = (page: Page, name: string | RegExp) => page.getByRole('combobox', { name, exact: true });
const told = (page: Page, text: string | RegExp) => answerOf(page).getByText(text);
const requestLogOf = async (adminUrl: string | undefined) =>
  (await (await fetch(`${adminUrl}/requests`)).json()).requests as {
    request: { url: string; headers: Record<string, string>; body?: string };
    answer: { status: number };
  }[];

describe.runIf(isFull).each(sampleOf(operations, 1))('the form of $operationId', ({ operationId, method, isRead }) => {
  it('is sent with ids of the current state, and its examples', async (test) => {
    const { page } = await openPage(test, { at: `#/try/${operationId}` });
    await page.getByRole('heading', { level: 3 }).last().waitFor();
    const ids = page.locator('input[id$="Id"]');
    for (const each of await ids.all()) await expect.poll(() => each.inputValue()).not.toBe('');
    const examples = page.locator('.examples button');
    for (let index = 0; index < (await examples.count()); index++) await examples.nth(index).click();
    if (operationId === 'deleteDriveTree') await field(page, 'path').fill('/docs');
    await send(page);
    await expect.poll(() => statusOf(page)).toMatch(/^20\d$/);
    expect(await answerOf(page).getByText(`${method} /v0.1/`).count()).toBe(1);
    await told(page, /open points? shaped this response/).click();
    await answerOf(page).getByText('is now').first().waitFor();
    if (!isRead) expect(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
  });
});

describe('the caller', () => {
  story('sends the key of each organization in each auth header', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/listAgents', mayFail: true });
    for (const [authHeader, headers] of [
      ['X-API-Key', ['x-api-key']],
      ['Authorization: Bearer', ['authorization']],
      ['Both headers', ['authorization', 'x-api-key']],
    ] as const) {
      await choice(page, 'Auth header').selectOption(authHeader);
      await choice(page, 'Key').selectOption('Key of Birch');
      await send(page);
      await expect.poll(() => statusOf(page)).toBe('200');
      await answerOf(page).getByText('"agent-b"').waitFor();
      const sentHeaders = async () => {
        const [latest] = await requestLogOf(mock.adminUrl);
        return Object.keys(latest?.request.headers ?? {}).filter((name) => /x-api-key|authorization/.test(name));
      };
      // The answer of the round before stays until the new one is there.
      await expect.poll(async () => (await sentHeaders()).sort()).toEqual(headers);
      await page.getByRole('link', { name: "GET List the organization's drives" }).click();
      await page.getByRole('link', { name: "GET List the organization's agents" }).click();
    }
  });

  story('sends a wrong key, none, or a typed one', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents', mayFail: true });
    for (const who of ['A wrong key', 'No key']) {
      await choice(page, 'Key').selectOption(who);
      await send(page);
      await expect.poll(() => statusOf(page)).toBe('401');
      await answerOf(page).getByText('Authentication required').first().waitFor();
    }
    await choice(page, 'Key').selectOption('A different key');
    await field(page, 'API key').fill('key-b');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
    expect(page.url()).not.toContain('key-b');
  });

  story('is the sandbox that is chosen for the page', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents' });
    await choice(page, 'Sandbox').selectOption('Birch');
    await expect.poll(() => page.url()).toContain('sandbox=org-b');
    await send(page);
    await answerOf(page).getByText('"agent-b"').waitFor();
  });
});

describe('input', () => {
  story('is checked, and sent anyway', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listDrives', mayFail: true });
    await field(page, 'limit').fill('1.5');
    await send(page);
    await page.getByText('limit must be an integer').waitFor();
    expect(await field(page, 'limit').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-query.limit');
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await expect.poll(() => statusOf(page)).toBe('422');
    await answerOf(page).locator('.notice', { hasText: 'query.limit must be an integer' }).waitFor();
    await field(page, 'limit').fill('1');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
  });

  story('arrives as it was typed, whatever characters it has', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/deleteDriveTree', mayFail: true });
    const odd = [
      '/R&D',
      '/C#',
      '/a+b',
      '/100%',
      '/why?',
      '/a b;c=d',
      '/%2F',
      '/\u00fc/\ud83d\ude00',
      '/"\'',
      '/&path=/docs',
    ];
    for (const path of odd) {
      await field(page, 'path').fill(path);
      await send(page);
      const latest = async () => new URL((await requestLogOf(mock.adminUrl))[0]?.request.url ?? '', mock.url);
      await expect.poll(async () => (await latest()).searchParams.getAll('path')).toEqual([path]);
    }
  });

  story('may be any text as a body', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/createDrive', mayFail: true });
    await field(page, 'name').fill('A "name"');
    await page.getByLabel('Edit as text').check();
    expect(await field(page, 'Text of the body').inputValue()).toBe('{"name":"A \\"name\\""}');
    await field(page, 'Text of the body').fill('{"name": 1.0');
    await page.getByText('This is not JSON').waitFor();
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('400');
    expect((await requestLogOf(mock.adminUrl))[0]?.request.body).toBe('{"name": 1.0');
  });

  story('offers what is there, also what was just created', async (test) => {
    const { page } = await openPage(test, { at: '#/try/createDrive' });
    await field(page, 'name').fill('Brand new');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('201');
    await page.getByRole('link', { name: 'DELETE Delete a directory tree' }).click();
    const list = page.locator('[id="field-path.driveId-list"] option');
    await expect.poll(() => list.allInnerTexts()).toContain('Brand new');
    const paths = page.locator('[id="field-query.path-list"] option');
    const shown = () => paths.evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
    await expect.poll(shown).toEqual(['/docs', '/docs/old', '/inbox']);
  });
});

describe('answers', () => {
  story('are forced by choice', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listDrives', mayFail: true });
    const choices = choice(page, /^Response /);
    await choices.waitFor();
    const options = await choices.locator('option').allInnerTexts();
    expect(options.length).toBeGreaterThan(3);
    for (const option of options.slice(1, -1)) {
      await choices.selectOption(option);
      await send(page);
      await expect.poll(() => statusOf(page)).toBe(option.slice(0, 3));
      await told(page, /^Forced: code=/).waitFor();
    }
  });

  story('are forced to any status, and late', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listDrives', mayFail: true, look: mayCopy });
    await choice(page, /^Response /).selectOption('Other status…');
    await page.getByLabel(/^Status /).fill('507');
    await page.getByLabel(/^Delay /).fill('20');
    await send(page);
    await answerOf(page).getByText('Forced: code=507, delay=20').waitFor();
    expect(await statusOf(page)).toBe('507');
    await page.getByRole('button', { name: 'Copy typed client' }).click();
    await expect.poll(() => copied(page)).toContain("headers: { Prefer: 'code=507, delay=20' },");
    await page.getByLabel(/^Status /).fill('99');
    await send(page);
    await answerOf(page).getByText('must be a status code from 200 to 599').first().waitFor();
  });

  it.runIf(isFull).for(sampleOf(['connectionReset', 'emptyAnswer', 'truncatedBody'] as const, 1))(
    'lost by %s are told',
    async (effect, test) => {
      const { page, mock } = await openPage(test, { at: '#/try/createDrive', mayFail: true });
      mock.faults.add({ effect: { [effect]: {} } as Effect });
      await field(page, 'name').fill('Lost');
      await send(page);
      await answerOf(page).getByText('No complete response').waitFor();
      mock.faults.clear();
      await send(page);
      await expect.poll(() => statusOf(page)).toBe('201');
    },
  );

  story('are shown as received, in lines or not, and can be kept', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents', look: mayCopy });
    await page.route('**/v0.1/agents', (route) => route.fulfill({ body: '[{"id":12345678901234567890,"one":1.0}]' }));
    await send(page);
    const shown = answerOf(page).locator('pre');
    await expect.poll(() => shown.innerText()).toBe('[\n  {\n    "id": 12345678901234567890,\n    "one": 1.0\n  }\n]');
    await answerOf(page).getByLabel('Indent').uncheck();
    await expect.poll(() => shown.innerText()).toBe('[{"id":12345678901234567890,"one":1.0}]');
    await answerOf(page).getByRole('button', { name: 'Copy body' }).click();
    await page.getByText('body copied.').waitFor();
    expect(await copied(page)).toBe('[{"id":12345678901234567890,"one":1.0}]');
    const { name } = await downloaded(page, answerOf(page).getByRole('button', { name: 'Download' }));
    expect(name).toBe('response.txt');
  });

  story('are copied, and the page says the latest copy at once', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents', look: mayCopy });
    await page.clock.install();
    await page.getByRole('button', { name: 'Copy fetch' }).waitFor();
    // No time passes, so that nothing waits for its turn.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    for (const what of ['curl', 'fetch', 'typed client']) {
      await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
      await expect.poll(() => page.locator('.live-region').innerText()).toBe(`${what} copied.`);
    }
  });

  story('of more than a megabyte are shown in part', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents' });
    await page.route('**/v0.1/agents', (route) => route.fulfill({ body: `"${'x'.repeat(1_500_000)}"` }));
    await send(page);
    await answerOf(page).getByText('1.5 MB').waitFor();
    expect((await answerOf(page).locator('pre').innerText()).length).toBe(50_000);
  });
});

story('is copied as curl, fetch and a typed client', async (test) => {
  const { page, mock } = await openPage(test, { at: '#/try/createDrive', look: mayCopy });
  await field(page, 'name').fill("it's");
  const texts = {
    curl: /^curl -X POST '/,
    'curl for cmd': /^curl .*\^"http:/,
    fetch: /^const response = await fetch\('/,
    'typed client': /createClient<paths>/,
  };
  for (const [what, starts] of Object.entries(texts)) {
    await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
    await expect.poll(() => copied(page)).toMatch(starts);
    expect(await copied(page)).toContain(mock.keys[0]);
  }
});

it('is filled in and sent with the keyboard alone', async (test) => {
  const { page } = await openPage(test, { at: '#/try/createDrive' });
  await field(page, 'name').focus();
  await page.keyboard.type('By keys g r / ?');
  await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => statusOf(page)).toBe('201');
  const status = page.getByRole('status').getByText(/^201 in \d+ ms\.$/);
  await status.waitFor();
});

describe('without an admin API', () => {
  story('works with a typed key', async (test) => {
    const { page } = await openPage(test, { mock: { admin: false }, at: '#/try/listAgents' });
    await field(page, 'API key').fill('key-a');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
    await answerOf(page).getByText('open points shaped').click();
    await answerOf(page).getByText('listOrder', { exact: true }).waitFor();
    expect(await answerOf(page).getByRole('link', { name: 'listOrder' }).count()).toBe(0);
  });

  story('asks for the token once, and keeps it out of addresses', async (test) => {
    const { page } = await openPage(test, {
      mock: { adminToken: 'secret-token' },
      at: '#/try/listAgents',
      mayFail: true,
    });
    await page.getByText('Show keys and ids').click();
    for (const token of ['wrong-token', 'secret-token']) {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Use this token' }).click();
      if (token === 'wrong-token') await page.getByText('rejected this token').waitFor();
    }
    await choice(page, 'Key').selectOption('Key of Birch');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
    await page.reload();
    await choice(page, 'Sandbox').waitFor();
    expect(page.url()).not.toContain('token');
  });
});

it.runIf(isFull).for(looks)('is accessible in $colorScheme at $width px', async ({ look }, test) => {
  const { page } = await openPage(test, { at: '#/try/updateDriveFile', look, mayFail: true });
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await expectAccessible(page);
  await field(page, 'path').fill('no path');
  await send(page);
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect.poll(() => statusOf(page)).toBe('422');
  await answerOf(page).getByText('shaped this response').click();
  await told(page, /^\d+ headers$/).click();
  await answerOf(page).getByText('is now').first().waitFor();
  await expectAccessible(page);
});
