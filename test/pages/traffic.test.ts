import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Schemas } from '../../openapi/contract/schemas.ts';
import type { Mock } from '../../src/index.ts';
import { isFull } from '../support/depth.ts';
import {
  copied,
  downloaded,
  expectAccessible,
  hadTimeToShow,
  isLive,
  keys,
  looks,
  mayCopy,
  openPage,
  story,
} from '../support/developer-page.ts';
import { harSchema } from '../support/har-schema.ts';
import { argumentsOf, readByCmd } from '../support/windows-shell.ts';

// The view Traffic of the developer page, against a real mock.

const at = '#/traffic';
const call = (mock: Mock, path: string, key = 'key-a', options: RequestInit = {}) =>
  fetch(mock.url + path, { headers: { 'x-api-key': key }, ...options }).catch(() => undefined);
const callTimes = async (mock: Mock, count: number, from = 0) => {
  for (let index = from; index < from + count; index++) await call(mock, `/drives?offset=${index}`);
};
const row = (page: Page, url: string) => page.getByRole('link', { name: url, exact: true });
const rowsOf = (page: Page) => page.locator('.exchanges tbody tr:not(.gap)');
const detail = (page: Page) => page.getByRole('region', { name: /^Exchange/ });
const why = (page: Page, text: string | RegExp) => detail(page).getByText(text);
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter' });

it('lists each request at once, newest first, and shows request, response and why', async (test) => {
  const { page, mock } = await openPage(test, { at, look: mayCopy });
  await page.getByText('No requests yet').waitFor();
  expect(await page.getByText(mock.url).count()).toBe(1);
  await isLive(page);
  await call(mock, '/agents', 'wrong');
  const headers = { 'x-api-key': 'key-a', 'content-type': 'application/json' };
  await call(mock, '/drives', '', { method: 'POST', headers, body: '{"name":""}' });
  await row(page, '/v0.1/drives').waitFor();
  expect(await rowsOf(page).first().innerText()).toContain('Alder');
  expect(await rowsOf(page).last().innerText()).toContain('401');
  await row(page, '/v0.1/drives').click();
  await detail(page).locator('.notice', { hasText: 'body.name' }).waitFor();
  await detail(page).getByText('Alder').waitFor();
  await why(page, /, request id \S+$/).waitFor();
  await why(page, /open points? shaped the response/).click();
  await detail(page).getByText('is now').first().waitFor();
  await detail(page).getByText('"name": ""').waitFor();
  await detail(page).getByRole('button', { name: 'Copy curl', exact: true }).click();
  await page.getByText('curl copied. Set AGENT_PLATFORM_API_KEY to your key before you run it.').waitFor();
  await detail(page).getByText('Set your key in AGENT_PLATFORM_API_KEY.').waitFor();
  const text = await copied(page);
  expect(text).toContain(`curl -X POST '${mock.url}/drives'`);
  expect(text).toContain('-H "x-api-key: $AGENT_PLATFORM_API_KEY"');
  expect(text).toContain(`--data-raw '{"name":""}'`);
  expect(text).not.toContain('key-a');
  await detail(page).getByRole('button', { name: 'Copy curl for cmd' }).click();
  await page.getByText('curl for cmd copied.').waitFor();
  const forCmd = await copied(page);
  const words = argumentsOf(readByCmd(forCmd, { AGENT_PLATFORM_API_KEY: 'secret' }));
  expect(words).toEqual(expect.arrayContaining([`${mock.url}/drives`, 'x-api-key: secret', '{"name":""}']));
  await detail(page).getByRole('link', { name: 'Close' }).click();
  await expect.poll(() => detail(page).count()).toBe(0);
});

describe('the list', () => {
  story('holds only the rows in sight, and says how many there are', async (test) => {
    const { page, mock } = await openPage(test, { at, before: (mock) => callTimes(mock, 120) });
    await row(page, '/v0.1/drives?offset=119').waitFor();
    const table = page.getByRole('table');
    expect(await table.getAttribute('aria-rowcount')).toBe('121');
    expect(await rowsOf(page).count()).toBeLessThan(60);
    await page.locator('.exchanges').evaluate((element) => element.scrollTo(0, 1e6));
    await row(page, '/v0.1/drives?offset=0').waitFor();
    expect(await rowsOf(page).last().getAttribute('aria-rowindex')).toBe('121');
    await isLive(page);
    await callTimes(mock, 2, 500);
    await page.getByRole('button', { name: '2 new' }).click();
    await row(page, '/v0.1/drives?offset=501').waitFor();
    expect(await page.locator('.exchanges').evaluate((element) => element.scrollTop)).toBe(0);
  });

  story('is not called empty before it is loaded, and shows the newest while the rest is loaded', async (test) => {
    const { page } = await openPage(test, { before: (mock) => callTimes(mock, 60) });
    const asked = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    await page.route('**/__admin/requests?limit=1', async (route) => {
      asked.resolve();
      await first.promise;
      await route.continue();
    });
    await page.route('**/__admin/requests', async (route) => {
      await rest.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await asked.promise;
    await page.getByText('Loading…').waitFor();
    expect(await page.getByText('No requests yet').count()).toBe(0);
    first.resolve();
    await row(page, '/v0.1/drives?offset=59').waitFor();
    await page.getByText('50 exchanges').waitFor();
    rest.resolve();
    await page.getByText('60 exchanges').waitFor();
  });

  story('tells how many the mock keeps', async (test) => {
    const { page } = await openPage(test, { at, mock: { requestLogLimit: 5 }, before: (mock) => callTimes(mock, 7) });
    await page.getByText('5 exchanges; the mock keeps the last 5 of 7').waitFor();
    expect(await rowsOf(page).count()).toBe(5);
  });

  story('shows one sandbox, or all', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives', 'key-b');
    };
    const { page } = await openPage(test, { at: '#/traffic?sandbox=org-b', before });
    await row(page, '/v0.1/drives').waitFor();
    expect(await row(page, '/v0.1/agents').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('All');
    await row(page, '/v0.1/agents').waitFor();
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('Alder');
    await expect.poll(() => row(page, '/v0.1/drives').count()).toBe(0);
  });

  story('is filtered, keeps the filter in the address, and says what is wrong with it', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives?limit=x');
    };
    const { page } = await openPage(test, { at, before });
    await row(page, '/v0.1/agents').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('status:4xx');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByText('1 of 2 exchanges').waitFor();
    await page.reload();
    await row(page, '/v0.1/drives?limit=x').waitFor();
    expect(await filter(page).inputValue()).toBe('status:4xx');
    await filter(page).fill('stauts:4xx');
    await page.getByText('There is no filter stauts (did you mean status?)').waitFor();
    await filter(page).fill('nothing-like-this');
    await page.getByText('No match among 2 exchanges').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.getByText('How to filter').click();
    await page.getByText('status:404 or status:4xx').waitFor();
  });

  story('is exported as HAR 1.2: what is shown, without keys', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives?limit=x');
      await call(mock, '/mcp-servers', 'key-b');
    };
    const { page, mock } = await openPage(test, { at: '#/traffic?sandbox=org-a', before });
    await filter(page).fill('path:"/drives"');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    const { name, text } = await downloaded(page, page.getByRole('button', { name: 'Export HAR' }));
    expect(name).toBe('agent-platform-mock.har');
    const har = JSON.parse(text);
    expect(new Schemas(harSchema).at('#')(har)).toEqual([]);
    expect(har.log.entries).toMatchObject([
      { request: { url: `${mock.url}/drives?limit=x` }, response: { status: 422 }, _operation: 'listDrives' },
    ]);
    expect(text).not.toMatch(/key-a|agents|mcp-servers/);
    await filter(page).fill('nothing-like-this');
    expect(await page.getByRole('button', { name: 'Export HAR' }).isDisabled()).toBe(true);
  });

  story('is paused, and catches up', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await callTimes(mock, 3);
    await hadTimeToShow(page, '/v0.1/drives?offset=2');
    expect(await rowsOf(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
  });

  story('is cleared by a second click, for one sandbox or for all', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives', 'key-b');
    };
    const { page, mock } = await openPage(test, { at: '#/traffic?sandbox=org-b', before });
    await row(page, '/v0.1/drives').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Clear the request log of Birch? This cannot be undone.' }).click();
    await page.getByText('No match among 1 exchange').waitFor();
    await page.getByRole('button', { name: 'Show all sandboxes' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Help' }).focus();
    expect(await page.getByRole('button', { name: 'Clear the request log? This cannot be undone.' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Clear the request log? This cannot be undone.' }).click();
    await page.getByText('No requests yet').waitFor();
    expect((await (await fetch(`${mock.adminUrl}/requests`)).json()).requests).toEqual([]);
  });

  story('says when there is no request log, and asks for the token of the admin API', async (test) => {
    const off = await openPage(test, { at, mock: { requestLogLimit: 0 }, mayFail: true });
    await off.page.getByText('The request log is off').waitFor();
    const closed = await openPage(test, { at, mock: { adminToken: 'secret' } });
    await closed.page.getByLabel('Token').fill('secret');
    await closed.page.keyboard.press('Enter');
    await closed.page.getByText('No requests yet').waitFor();
  });
});

describe('the stream', () => {
  const listeners = async (page: Page, isHidden: boolean) =>
    page.evaluate((isNow) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => isNow });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);

  story('closes while the tab is hidden or another view is shown, and then catches up', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    const streams = new Set<unknown>();
    page.on('requestfinished', (request) => request.url().endsWith('/live') && streams.add(request));
    page.on('requestfailed', (request) => request.url().endsWith('/live') && streams.add(request));
    await listeners(page, true);
    await expect.poll(() => streams.size).toBe(1);
    await callTimes(mock, 2);
    await listeners(page, false);
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.getByRole('link', { name: 'Try', exact: true }).click();
    await expect.poll(() => streams.size).toBe(2);
    await callTimes(mock, 1, 7);
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await row(page, '/v0.1/drives?offset=7').waitFor();
    expect(await rowsOf(page).count()).toBe(3);
  });

  story('opens again when the mock answers again, and knows another request log', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    await isLive(page);
    await callTimes(mock, 3);
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Reconnecting').waitFor();
    await page.getByRole('alert').getByText('The mock does not respond').waitFor();
    await fetch(`${mock.adminUrl}/reset`, { method: 'POST' });
    await call(mock, '/agents');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, '/v0.1/agents').waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});

describe('one exchange', () => {
  story('names its faults, and that no answer came', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    mock.faults.add({ id: 'cut', effect: { connectionReset: {} } });
    await call(mock, '/agents');
    await row(page, '/v0.1/agents').click();
    await detail(page).getByText('cut', { exact: true }).waitFor();
    await detail(page).getByText('The connection ended without a response.').waitFor();
    await filter(page).fill('fault:any verdict:lost status:0');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
  });

  story('says that a request forced its answer, not that the mock judged it', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await call(mock, '/agents', 'key-a', { headers: { 'x-api-key': 'key-a', prefer: 'code=503' } });
    await call(mock, '/agents?__code=413');
    await call(mock, '/agents', 'key-a', { headers: { 'x-api-key': 'key-a', prefer: 'delay=1' } });
    await filter(page).fill('forced:any');
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    expect(await page.locator('.exchanges .mark').allInnerTexts()).toEqual(['forced', 'forced']);
    await row(page, '/v0.1/agents?__code=413').click();
    await why(page, /^Forced by the request: Prefer: code=413.*\. The mock did not evaluate the request\.$/).waitFor();
    expect(await detail(page).locator('.notice strong').count()).toBe(0);
    await filter(page).fill('forced:503');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
  });

  story('names the nearest operation where it was for none', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    await isLive(page);
    await call(mock, '/drive/d-1/file/f-1');
    await row(page, '/v0.1/drive/d-1/file/f-1').click();
    await detail(page).getByText('none: no operation, so the key was not checked').waitFor();
    await detail(page).getByText('Nearest: GET /drives/{driveId}/files/{fileId}').waitFor();
    await detail(page).getByRole('link', { name: '/drives/' }).click();
    await expect.poll(() => page.url()).toMatch(/#\/try\/getDriveFile/);
  });

  story('opens in Try, where it is sent again', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    await isLive(page);
    await call(mock, '/drives/drive-full/files/file-plain?x=1');
    await row(page, '/v0.1/drives/drive-full/files/file-plain?x=1').click();
    await detail(page).getByRole('button', { name: 'Open in Try' }).click();
    await expect.poll(() => page.getByLabel('fileId', { exact: true }).inputValue()).toBe('file-plain');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('"The plan"').waitFor();
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await row(page, '/v0.1/drives/drive-full/files/file-plain?x=1').click();
    await detail(page).getByRole('button', { name: 'Open in Try' }).click();
    await answer.getByText('Send the request to see the response here.').waitFor();
  });

  story('shows its badge beside a long path where it is narrow', async (test) => {
    const { page, mock } = await openPage(test, { at, look: { viewport: { width: 400, height: 800 } } });
    await isLive(page);
    await call(mock, `/drives?__code=413&padding=${'x'.repeat(200)}`);
    const { x = 0, width = 0 } = (await page.locator('.exchanges .mark').boundingBox()) ?? {};
    const status = await page.locator('.exchanges td.code').boundingBox();
    expect(width).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(status?.x ?? 0);
  });

  story('adds what it is to the filter', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await call(mock, '/agents');
    await row(page, '/v0.1/agents').click();
    await detail(page).getByRole('button', { name: 'Only op:listAgents' }).click();
    await detail(page).getByRole('button', { name: 'Only status:200' }).click();
    expect(await filter(page).inputValue()).toBe('op:listAgents status:200');
    expect(await detail(page).count()).toBe(1);
  });

  story('that has left the request log is told', async (test) => {
    const { page } = await openPage(test, { at: '#/traffic/77', mayFail: true });
    await page.getByText('Exchange 77 is not here').waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    await expect.poll(() => page.url()).toMatch(/#\/traffic$/);
  });

  story('is reached with the keyboard alone', async (test) => {
    const { page } = await openPage(test, { at, before: (mock) => callTimes(mock, 60) });
    await row(page, '/v0.1/drives?offset=59').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('/v0.1/drives?offset=59');
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('/v0.1/drives?offset=58');
    await keys(page, 'k', 'End');
    await expect.poll(focused).toBe('/v0.1/drives?offset=0');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe('/v0.1/drives?offset=1');
    await page.keyboard.press('Enter');
    await detail(page).getByText('GET /v0.1/drives?offset=1', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => detail(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await page.locator('.exchanges a[tabindex="0"]').count()).toBe(1);
  });
});

it.runIf(isFull).for(looks)('is accessible in $colorScheme at $width px, empty and full', async ({ look }, test) => {
  const { page, mock } = await openPage(test, { at, look });
  await page.getByText('No requests yet').waitFor();
  await isLive(page);
  await expectAccessible(page);
  await callTimes(mock, 40);
  await call(mock, '/drives?limit=x');
  await row(page, '/v0.1/drives?limit=x').waitFor();
  await filter(page).fill('stauts:1');
  await page.getByText('How to filter').click();
  await expectAccessible(page);
  await row(page, '/v0.1/drives?limit=x').click();
  await detail(page).getByText('query.limit').first().waitFor();
  await why(page, /shaped the response/).click();
  await expectAccessible(page);
});
