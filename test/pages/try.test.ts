import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Effect } from '../../src/app/faults/effects.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import {
  button,
  copied,
  copyAs,
  downloaded,
  expectAccessible,
  looks,
  mayCopy,
  openPage,
  story,
  tryAgain,
} from '../support/developer-page.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// The view Try of the developer page, against a real mock.

const operations = operationsOf(loadDocument());
const answerOf = (page: Page) => page.getByRole('region', { name: 'Response', exact: true });
const send = (page: Page) => button(page, 'Send').click();
const statusOf = (page: Page) => answerOf(page).locator('.status').first().innerText();
const field = (page: Page, key: string) => page.locator(`[id="field-${key}"]`);
const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const told = (page: Page, text: string | RegExp) => answerOf(page).getByText(text);
const requestLogOf = async (adminUrl: string | undefined) =>
  (await (await fetch(`${adminUrl}/requests`)).json()).requests as {
    request: { url: string; headers: Record<string, string>; body?: string };
  }[];

it('shows fields with what is stated and open, is filled in and sent with the keyboard alone, and copied', async (test) => {
  const { page, mock } = await openPage(test, { at: '#/try/createDrive', look: mayCopy });
  await page.getByText('string, 1 or more characters, required').waitFor();
  await page.locator('.operation .field').getByRole('link', { name: 'nameRules nonEmpty' }).waitFor();
  await page.getByTitle('The specification leaves it open').first().click();
  await page.locator('.operation').getByRole('link', { name: 'successStatus.createDrive 201' }).waitFor();
  await answerOf(page).getByText('Id of the organization that owns the drive.').waitFor();
  await field(page, 'body.name').focus();
  await page.keyboard.type('By keys g r / ?');
  await expect.poll(() => button(page, 'Send').isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => statusOf(page)).toBe('201');
  await page
    .getByRole('status')
    .getByText(/^201 in \d+ ms\.$/)
    .waitFor();
  await answerOf(page).locator('pre .name', { hasText: '"name"' }).waitFor();
  const texts = {
    curl: /^curl -X POST '/,
    'curl for cmd': /^curl .*\^"http:/,
    fetch: /^const response = await fetch\('/,
    'typed client': /createClient<paths>/,
  };
  const copyWidth = () =>
    page
      .locator('.send .menu summary')
      .boundingBox()
      .then((box) => box?.width);
  const width = await copyWidth();
  for (const [what, starts] of Object.entries(texts)) {
    await copyAs(page, what);
    await page.locator('.send .menu summary', { hasText: 'Copied' }).waitFor();
    expect(await copyWidth()).toBe(width);
    await expect.poll(() => copied(page)).toMatch(starts);
    expect(await copied(page)).toContain(mock.keys[0]);
  }
  await button(page, 'Copy base URL').click();
  await expect.poll(() => copied(page)).toBe(mock.url);
  await button(page, 'Copy key').click();
  await expect.poll(() => copied(page)).toBe(mock.keys[0]);
});

describe.runIf(isFull).each(sampleOf(operations, 1))('the form of $operationId', ({ operationId, method, isRead }) => {
  it('is sent with ids of the current state, and its examples', async (test) => {
    const { page } = await openPage(test, { at: `#/try/${operationId}` });
    await page.locator('.operation').waitFor();
    const ids = page.locator('input[id$="Id"]');
    for (const each of await ids.all()) await expect.poll(() => each.inputValue()).not.toBe('');
    const examples = page.locator('.examples button');
    for (let index = 0; index < (await examples.count()); index++) await examples.nth(index).click();
    if (operationId === 'deleteDriveTree') await field(page, 'query.path').fill('/docs');
    await send(page);
    await expect.poll(() => statusOf(page)).toMatch(/^20\d$/);
    expect(await told(page, `${method} /v0.1/`).count()).toBe(1);
    await page.getByRole('tab', { name: /^Open points/ }).click();
    await told(page, 'is now').first().waitFor();
    if (!isRead) expect(await button(page, 'Send').isEnabled()).toBe(true);
  });
});

describe('the caller', () => {
  story('sends the key of each organization in each auth header', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/listAgents' });
    for (const [authHeader, headers] of [
      ['X-API-Key', ['x-api-key']],
      ['Authorization: Bearer', ['authorization']],
      ['Both headers', ['authorization', 'x-api-key']],
    ] as const) {
      await choice(page, 'Auth header').selectOption(authHeader);
      await choice(page, 'Key').selectOption('Key of Birch');
      await send(page);
      await told(page, '"agent-b"').waitFor();
      const sentHeaders = async () => {
        const [latest] = await requestLogOf(mock.adminUrl);
        return Object.keys(latest?.request.headers ?? {}).filter((name) => /x-api-key|authorization/.test(name));
      };
      await expect.poll(async () => (await sentHeaders()).sort()).toEqual(headers);
    }
  });

  story('may be wrong, missing or typed, and is the sandbox that is chosen for the page', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents', mayFail: true });
    await choice(page, 'Sandbox').selectOption('Birch');
    await expect.poll(() => page.url()).toContain('sandbox=org-b');
    await send(page);
    await told(page, '"agent-b"').waitFor();
    for (const who of ['A wrong key', 'No key']) {
      await choice(page, 'Key').selectOption(who);
      await send(page);
      await expect.poll(() => statusOf(page)).toBe('401');
      await told(page, 'Authentication required').first().waitFor();
    }
    await choice(page, 'Key').selectOption('A different key');
    await page.getByLabel('API key').fill('key-b');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
    expect(page.url()).not.toContain('key-b');
  });

  story('is copied beside a sandbox with a long name', async (test) => {
    const body = JSON.stringify({ name: 'Long name '.repeat(12) });
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const before = ({ adminUrl }: Mock) => fetch(`${adminUrl}/organizations`, json);
    const { page } = await openPage(test, { at: '#/try/listAgents', before });
    await choice(page, 'Key').selectOption({ label: `Key of ${'Long name '.repeat(12)}`.trim() });
    for (const width of [1280, 900, 400]) {
      await page.setViewportSize({ width, height: 800 });
      const { x = width } = (await button(page, 'Copy key').boundingBox()) ?? {};
      expect(x).toBeLessThan(width - 50);
      const cut = (codes: Element[]) =>
        codes.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
      expect(await page.locator('.connection code').evaluateAll(cut)).toBe(0);
    }
  });
});

describe('input', () => {
  story('is judged by the mock, whose words stand beside the field until it is changed', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listDrives', mayFail: true });
    await field(page, 'query.limit').fill('1.5');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('422');
    const wrong = page.locator('.operation .wrong');
    await expect.poll(() => wrong.allInnerTexts()).toEqual(['must be an integer']);
    expect(await field(page, 'query.limit').getAttribute('aria-invalid')).toBe('true');
    await answerOf(page).locator('.notice', { hasText: 'query.limit must be an integer' }).waitFor();
    await field(page, 'query.limit').fill('1');
    await expect.poll(() => wrong.count()).toBe(0);
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
  });

  story('arrives as it was typed, whatever characters it has', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/deleteDriveTree', mayFail: true });
    for (const path of ['/R&D', '/C#', '/a+b', '/100%', '/why?', '/a b;c=d', '/%2F', '/ü/😀', '/"\'', '/&path=/docs']) {
      await field(page, 'query.path').fill(path);
      await send(page);
      const latest = async () => new URL((await requestLogOf(mock.adminUrl))[0]?.request.url ?? '', mock.url);
      await expect.poll(async () => (await latest()).searchParams.getAll('path')).toEqual([path]);
    }
  });

  story('may be any text as a body', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/createDrive', mayFail: true });
    await field(page, 'body.name').fill('A "name"');
    await page.getByLabel('Edit as text').check();
    expect(await page.getByLabel('Text of the body').inputValue()).toBe('{"name":"A \\"name\\""}');
    await page.getByLabel('Text of the body').fill('{"name": 1.0');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('400');
    expect((await requestLogOf(mock.adminUrl))[0]?.request.body).toBe('{"name": 1.0');
    for (const _ of [1, 2]) {
      await page.getByLabel('Edit as text').click();
      await page.getByText('This is not JSON that the fields can hold.').waitFor();
      await expect.poll(() => page.getByLabel('Edit as text').isChecked()).toBe(true);
    }
    await page.getByLabel('Text of the body').fill('{"name": "Kept"}');
    await page.getByLabel('Edit as text').uncheck();
    await expect.poll(() => field(page, 'body.name').inputValue()).toBe('Kept');
  });

  story('offers what is there, also what was just created', async (test) => {
    const { page } = await openPage(test, { at: '#/try/createDrive' });
    await field(page, 'body.name').fill('Brand new');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('201');
    await page.getByRole('link', { name: 'DELETE /drives/{driveId}/items/tree' }).click();
    await expect
      .poll(() => page.locator('[id="field-path.driveId-list"] option').allInnerTexts())
      .toContain('Brand new');
    const paths = page.locator('[id="field-query.path-list"] option');
    const shown = () => paths.evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
    await expect.poll(shown).toEqual(['/docs', '/docs/old', '/inbox']);
  });
});

describe('responses', () => {
  story('are forced by choice, to any status, and late', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listDrives', mayFail: true, look: mayCopy });
    await page.getByText('Force a response').click();
    const choices = choice(page, 'Response');
    const options = await choices.locator('option').allInnerTexts();
    expect(options.length).toBeGreaterThan(3);
    for (const option of options.slice(1, -1)) {
      await choices.selectOption(option);
      await send(page);
      await expect.poll(() => statusOf(page)).toBe(option.slice(0, 3));
      await told(page, /^Forced: code=/).waitFor();
    }
    await choices.selectOption('Other status…');
    await page.getByLabel(/^Status/).fill('507');
    await page.getByLabel(/^Delay/).fill('20');
    await send(page);
    await told(page, 'Forced: code=507, delay=20').waitFor();
    await copyAs(page, 'typed client');
    await expect.poll(() => copied(page)).toContain("headers: { Prefer: 'code=507, delay=20' },");
    await page.getByLabel(/^Status/).fill('99');
    await send(page);
    await told(page, 'must be a status code from 200 to 599').first().waitFor();
  });

  story('that are late are waited for in sight, can be cancelled, and leave the focus where it was', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/listAgents', mayFail: true });
    await expect.poll(() => button(page, 'Send').isEnabled()).toBe(true);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await button(page, 'Send').press('Enter');
    await expect.poll(() => statusOf(page)).toBe('200');
    await expect.poll(focused).toBe('Send');
    mock.faults.add({ effect: { latency: { delayMs: 60_000 } } });
    await page.reload();
    await expect.poll(() => button(page, 'Send').isEnabled()).toBe(true);
    await button(page, 'Send').press('Enter');
    await told(page, 'Waiting for the response… 1 s').waitFor();
    expect(await told(page, 'Send the request to see').count()).toBe(0);
    await expect.poll(focused).toBe('Send');
    await button(page, 'Cancel').press('Enter');
    await told(page, /^Cancelled after \d\.\d s$/).waitFor();
    await expect.poll(focused).toBe('Send');
    mock.faults.clear();
    await page.keyboard.press('Enter');
    await expect.poll(() => statusOf(page)).toBe('200');
  });

  it.runIf(isFull).for(sampleOf(['connectionReset', 'emptyAnswer', 'truncatedBody'] as const, 1))(
    'lost by %s are told',
    async (effect, test) => {
      const { page, mock } = await openPage(test, { at: '#/try/createDrive', mayFail: true });
      mock.faults.add({ effect: { [effect]: {} } as Effect });
      await field(page, 'body.name').fill('Lost');
      await send(page);
      await told(page, 'No complete response').waitFor();
      await told(page, 'An active fault may have caused this:').waitFor();
      await answerOf(page).getByRole('link', { name: 'Traffic' }).waitFor();
      mock.faults.clear();
      await send(page);
      await expect.poll(() => statusOf(page)).toBe('201');
    },
  );

  story('are shown as received, indented or raw, in part if they are large, and can be kept', async (test) => {
    const { page } = await openPage(test, { at: '#/try/listAgents', look: mayCopy });
    const body = '[{"id":12345678901234567890,"one":1.0}]';
    await page.route('**/v0.1/agents', (route) => route.fulfill({ body }));
    await send(page);
    const shown = answerOf(page).locator('pre');
    await expect.poll(() => shown.innerText()).toBe('[\n  {\n    "id": 12345678901234567890,\n    "one": 1.0\n  }\n]');
    await answerOf(page).getByLabel('Raw').check();
    await expect.poll(() => shown.innerText()).toBe(body);
    await button(page, 'Copy body').click();
    await expect.poll(() => copied(page)).toBe(body);
    const { name } = await downloaded(page, button(page, 'Download body'));
    expect(name).toBe('response.txt');
    await page.route('**/v0.1/agents', (route) => route.fulfill({ body: `"${'x'.repeat(1_500_000)}"` }));
    await send(page);
    await told(page, '1.5 MB').waitFor();
    expect((await shown.innerText()).length).toBe(50_000);
  });
});

describe('around the request', () => {
  story('says which id is missing, and what to do if there is none', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/getDriveFile' });
    await expect.poll(() => field(page, 'path.fileId').inputValue()).not.toBe('');
    await field(page, 'path.driveId').fill('');
    await send(page);
    await expect.poll(() => page.locator('.operation .wrong').allInnerTexts()).toEqual(['driveId is required.']);
    await expect.poll(() => field(page, 'path.driveId').evaluate((each) => each === document.activeElement)).toBe(true);
    for (const { id } of await (await fetch(`${mock.adminUrl}/organizations/org-a/drives`)).json())
      await fetch(`${mock.adminUrl}/organizations/org-a/drives/${id}`, { method: 'DELETE' });
    await page.getByRole('link', { name: 'DELETE /drives/{driveId}/items/tree' }).click();
    await field(page, 'query.path').fill('/docs');
    await expect.poll(() => field(page, 'path.driveId').inputValue()).toBe('');
    await send(page);
    await page.getByText('There are no drives yet. Create one with createDrive.').waitFor();
    expect(await requestLogOf(mock.adminUrl)).toEqual([]);
  });

  story('marks changed open points, and links to the fault and to what was created', async (test) => {
    const profile = { 'successStatus.createDrive': 200 };
    const { page, mock } = await openPage(test, { at: '#/try/createDrive', mock: { profile } });
    mock.faults.add({ id: 'slow', effect: { latency: { delayMs: 1 } } });
    await page
      .locator('.operation')
      .getByText(/^\d+ open, 1 changed$/)
      .first()
      .click();
    const changed = page.locator('.operation > .open-parts').getByRole('link', { name: 'changed' });
    await expect.poll(() => changed.allInnerTexts()).toEqual(['successStatus.createDrive 200 changed']);
    await field(page, 'body.name').fill('Found again');
    await send(page);
    await answerOf(page).locator('.notice').getByRole('link').waitFor();
    await page.getByRole('tab', { name: /^Headers/ }).click();
    await told(page, /^x-fault$/).waitFor();
    expect(await told(page, /^\d+ headers$/).count()).toBe(0);
    await answerOf(page).getByRole('link', { name: 'Show in State' }).click();
    await page.locator('.detail').getByText('Found again').first().waitFor();
  });
});

describe('what was done in Try', () => {
  story('stays after a reload and in other views, and path parameters are shared', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/getDriveFile', mayFail: true });
    await choice(page, 'Key').selectOption('Key of Birch');
    await choice(page, 'Auth header').selectOption('Both headers');
    await field(page, 'path.fileId').fill('file-typed');
    await page.getByRole('link', { name: 'PATCH /drives/{driveId}/files/{fileId}' }).click();
    expect(await field(page, 'path.fileId').inputValue()).toBe('file-typed');
    await field(page, 'body.path').fill('/typed');
    await page.reload();
    await expect.poll(() => field(page, 'body.path').inputValue()).toBe('/typed');
    expect(await field(page, 'path.fileId').inputValue()).toBe('file-typed');
    await page.getByRole('link', { name: 'State', exact: true }).click();
    await page.getByRole('link', { name: 'Try', exact: true }).click();
    await expect.poll(() => field(page, 'body.path').inputValue()).toBe('/typed');
    expect(await choice(page, 'Key').locator('option:checked').innerText()).toBe('Key of Birch');
    expect(await choice(page, 'Auth header').locator('option:checked').innerText()).toBe('Both headers');
    await fetch(`${mock.adminUrl}/organizations/org-b`, { method: 'DELETE' });
    await page.reload();
    await expect.poll(() => choice(page, 'Key').locator('option:checked').innerText()).not.toBe('Key of Birch');
    await expect.poll(() => button(page, 'Send').isEnabled()).toBe(true);
  });

  story('stays while the mock is stopped and started', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/try/createDrive', mayFail: true });
    await field(page, 'body.name').fill('Kept');
    const { port } = new URL(mock.url);
    await mock.close();
    await page.getByRole('link', { name: 'State', exact: true }).click();
    await page.getByText('The mock does not respond.').first().waitFor();
    await page.getByRole('link', { name: 'Try', exact: true }).click();
    await expect.poll(() => field(page, 'body.name').inputValue()).toBe('Kept');
    const again = await createMock({ seed: tinySeed, port: Number(port) });
    test.onTestFinished(() => again.close());
    await tryAgain(page);
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('201');
    await page.getByRole('link', { name: 'State', exact: true }).click();
    const note = page.getByText('The mock was restarted.');
    await note.waitFor();
    await note.getByRole('button', { name: 'Close' }).click();
    await note.waitFor({ state: 'hidden' });
  });
});

describe('without an admin API', () => {
  story('works with a typed key', async (test) => {
    const { page } = await openPage(test, { mock: { admin: false }, at: '#/try/listAgents' });
    await page.getByLabel('API key').fill('key-a');
    await page.getByText('kept until this tab is closed').waitFor();
    await button(page, 'Forget').click();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('key-a');
    await page.getByLabel('API key').fill('key-a');
    await send(page);
    await expect.poll(() => statusOf(page)).toBe('200');
    await page.getByRole('tab', { name: /^Open points/ }).click();
    await told(page, 'listOrder').first().waitFor();
    expect(await answerOf(page).getByRole('link', { name: 'listOrder', exact: true }).count()).toBe(0);
  });

  story('asks for the token once, and keeps it out of addresses', async (test) => {
    const mock = { adminToken: 'secret-token' };
    const { page } = await openPage(test, { mock, at: '#/try/listAgents', mayFail: true });
    await page.getByText('Show keys and ids').click();
    for (const token of ['wrong-token', 'secret-token']) {
      await page.getByLabel('Token').fill(token);
      await button(page, 'Use this token').click();
      if (token === 'wrong-token') await page.getByText('rejected this token').waitFor();
      expect(await page.locator('.live-region').count()).toBe(0);
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
  const { page, mock } = await openPage(test, { at: '#/try/updateDriveFile', look, mayFail: true });
  await field(page, 'body.path').fill('no path');
  await expectAccessible(page);
  await expect.poll(() => button(page, 'Send').isEnabled()).toBe(true);
  await send(page);
  await expect.poll(() => statusOf(page)).toBe('422');
  for (const tab of [/^Headers/, /^Open points/, /^Fields/]) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessible(page);
  }
  await page.locator('.send .menu summary').click();
  await expectAccessible(page);
  mock.faults.add({ effect: { latency: { delayMs: 60_000 } } });
  await send(page);
  await told(page, /^Waiting for the response/).waitFor();
  await expectAccessible(page);
});
