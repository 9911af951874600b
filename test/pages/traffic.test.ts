import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Schemas } from '../../openapi/contract/schemas.ts';
import type { Mock } from '../../src/index.ts';
import { isFull } from '../support/depth.ts';
import {
  button,
  copied,
  copyAs,
  detail,
  downloaded,
  expectAccessible,
  goToView,
  hadTimeToShow,
  isLive,
  keys,
  looks,
  mayCopy,
  openPage,
  row,
  rows,
  story,
  tryAgain,
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
const find = (page: Page) => page.getByRole('searchbox', { name: 'Find' });
const narrow = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

it('lists each request at once, newest first, and shows request, response and why', async (test) => {
  const { page, mock } = await openPage(test, { at, look: mayCopy });
  await page.getByText('No requests yet').waitFor();
  expect(await page.getByText(mock.url).count()).toBe(1);
  await isLive(page);
  await call(mock, '/agents', 'wrong');
  const headers = { 'x-api-key': 'key-a', 'content-type': 'application/json' };
  await call(mock, '/drives', '', { method: 'POST', headers, body: '{"name":""}' });
  await row(page, '/v0.1/drives').waitFor();
  expect(await rows(page).first().innerText()).toContain('Alder');
  expect(await rows(page).last().innerText()).toContain('401');
  await row(page, '/v0.1/drives').click();
  await detail(page).locator('.notice', { hasText: 'body.name' }).waitFor();
  await detail(page).getByText('Alder').waitFor();
  await detail(page)
    .getByText(/^\d{4}-\d\d-\d\d [\d:.]{12} UTC, request id \S+$/)
    .waitFor();
  await detail(page)
    .getByText(/open points? shaped the response/)
    .click();
  await detail(page).getByText('is now').first().waitFor();
  const request = detail(page).getByRole('region', { name: 'Request' });
  const response = detail(page).getByRole('region', { name: 'Response' });
  await request.getByText('"name": ""').waitFor();
  const [left, right] = [await request.boundingBox(), await response.boundingBox()];
  expect([left?.y, (left?.x ?? 0) < (right?.x ?? 0)]).toEqual([right?.y, true]);
  for (const column of ['Request', 'Status', 'ms', 'Sandbox', 'Time (UTC)'])
    expect(await page.getByRole('columnheader', { name: column }).isVisible(), column).toBe(true);
  await copyAs(page, 'curl', detail(page));
  await page.getByText('curl copied. Set AGENT_PLATFORM_API_KEY to your key before you run it.').waitFor();
  const text = await copied(page);
  expect(text).toContain(`curl -X POST '${mock.url}/drives'`);
  expect(text).toContain('-H "x-api-key: $AGENT_PLATFORM_API_KEY"');
  expect(text).toContain(`--data-raw '{"name":""}'`);
  expect(text).not.toContain('key-a');
  await copyAs(page, 'curl for cmd', detail(page));
  await expect.poll(() => copied(page)).toContain('^"');
  const words = argumentsOf(readByCmd(await copied(page), { AGENT_PLATFORM_API_KEY: 'secret' }));
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
    expect(await rows(page).count()).toBeLessThan(60);
    await page.locator('.traffic .table').evaluate((element) => element.scrollTo(0, 1e6));
    await row(page, '/v0.1/drives?offset=0').waitFor();
    expect(await rows(page).last().getAttribute('aria-rowindex')).toBe('121');
    await isLive(page);
    await callTimes(mock, 2, 500);
    await page.getByRole('button', { name: '2 new' }).click();
    await row(page, '/v0.1/drives?offset=501').waitFor();
    await expect.poll(() => page.locator('.traffic .table').evaluate((element) => element.scrollTop)).toBe(0);
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
    await goToView(page, 'Traffic');
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
    expect(await rows(page).count()).toBe(5);
  });

  story('shows one sandbox, or all', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives', 'key-b');
    };
    const { page } = await openPage(test, { at: '#/traffic?sandbox=org-b', before });
    await row(page, '/v0.1/drives').waitFor();
    expect(await row(page, '/v0.1/agents').count()).toBe(0);
    await narrow(page, 'Sandbox').selectOption('All sandboxes');
    await row(page, '/v0.1/agents').waitFor();
    await narrow(page, 'Sandbox').selectOption('Alder');
    await expect.poll(() => row(page, '/v0.1/drives').count()).toBe(0);
  });

  story('is filtered by three fields, which stay in the address', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives?limit=x');
      await call(mock, '/drives?limit=7');
    };
    const { page } = await openPage(test, { at, before });
    await row(page, '/v0.1/agents').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('GET drives');
    await expect.poll(() => rows(page).count()).toBe(2);
    await narrow(page, 'Status').selectOption('4xx: refused');
    await page.getByText('1 of 3 exchanges').waitFor();
    await page.reload();
    await row(page, '/v0.1/drives?limit=x').waitFor();
    expect([await find(page).inputValue(), await rows(page).count()]).toEqual(['GET drives', 1]);
    await narrow(page, 'Operation').selectOption('listAgents');
    await page.getByText('No match among 3 exchanges').waitFor();
    await button(page, 'Clear the filter').click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  story('is exported as HAR 1.2: what is shown, without keys', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives?limit=x');
      await call(mock, '/mcp-servers', 'key-b');
    };
    const { page, mock } = await openPage(test, { at: '#/traffic?sandbox=org-a', before });
    await find(page).fill('/drives');
    await expect.poll(() => rows(page).count()).toBe(1);
    const { name, text } = await downloaded(page, page.getByRole('button', { name: 'Export HAR' }));
    expect(name).toBe('agent-platform-mock.har');
    const har = JSON.parse(text);
    expect(new Schemas(harSchema).at('#')(har)).toEqual([]);
    expect(har.log.entries).toMatchObject([
      { request: { url: `${mock.url}/drives?limit=x` }, response: { status: 422 }, _operation: 'listDrives' },
    ]);
    expect(text).not.toMatch(/key-a|agents|mcp-servers/);
    await find(page).fill('nothing-like-this');
    expect(await page.getByRole('button', { name: 'Export HAR' }).isDisabled()).toBe(true);
  });

  story('is paused, and catches up', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await callTimes(mock, 3);
    await hadTimeToShow(page, '/v0.1/drives?offset=2');
    expect(await rows(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  story('is cleared by a second click, for one sandbox or for all', async (test) => {
    const before = async (mock: Mock) => {
      await call(mock, '/agents');
      await call(mock, '/drives', 'key-b');
    };
    const { page, mock } = await openPage(test, { at: '#/traffic?sandbox=org-b', before });
    await row(page, '/v0.1/drives').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Clears the request log of Birch. This cannot be undone.').waitFor();
    await page.getByRole('button', { name: 'Clear?' }).click();
    await page.getByText('No requests of Birch').waitFor();
    expect(await page.getByRole('button', { name: 'Clear the filter' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show all sandboxes' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Help' }).focus();
    await expect.poll(() => page.getByRole('button', { name: 'Clear?' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Clear?' }).click();
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

  story('closes while the tab is hidden, and the list catches up then and after another view', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    const streams = new Set<unknown>();
    page.on('requestfinished', (request) => request.url().endsWith('/live') && streams.add(request));
    page.on('requestfailed', (request) => request.url().endsWith('/live') && streams.add(request));
    await listeners(page, true);
    await expect.poll(() => streams.size).toBe(1);
    await callTimes(mock, 2);
    await listeners(page, false);
    await expect.poll(() => rows(page).count()).toBe(2);
    await goToView(page, 'Reports');
    await callTimes(mock, 1, 7);
    await goToView(page, 'Traffic');
    await row(page, '/v0.1/drives?offset=7').waitFor();
    expect(await rows(page).count()).toBe(3);
  });

  story('opens again when the mock answers again, and knows another request log', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    await isLive(page);
    await callTimes(mock, 3);
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.context().setOffline(true);
    await listeners(page, true);
    await listeners(page, false);
    await page.locator('.stream.reconnecting').waitFor();
    await page.getByRole('alert').getByText('The mock does not respond').waitFor();
    await fetch(`${mock.adminUrl}/reset`, { method: 'POST' });
    await call(mock, '/agents');
    await page.context().setOffline(false);
    await tryAgain(page);
    await row(page, '/v0.1/agents').waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
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
    await narrow(page, 'Status').selectOption('No response');
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  story('says that a request forced its answer, not that the mock judged it', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await call(mock, '/agents', 'key-a', { headers: { 'x-api-key': 'key-a', prefer: 'code=503' } });
    await call(mock, '/agents?__code=413');
    await call(mock, '/agents', 'key-a', { headers: { 'x-api-key': 'key-a', prefer: 'delay=1' } });
    await expect.poll(() => rows(page).locator('.tag').allInnerTexts()).toEqual(['forced', 'forced']);
    await row(page, '/v0.1/agents?__code=413').click();
    await detail(page)
      .getByText(/^Forced by the request: Prefer: code=413.*\. The mock did not evaluate the request\.$/)
      .waitFor();
    expect(await detail(page).locator('.notice strong').count()).toBe(0);
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
    await expect.poll(() => page.locator('[id="field-path.fileId"]').inputValue()).toBe('file-plain');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('region', { name: 'Response', exact: true });
    await answer.getByText('"The plan"').waitFor();
    await goToView(page, 'Traffic');
    await expect.poll(() => rows(page).count()).toBe(2);
    await row(page, '/v0.1/drives/drive-full/files/file-plain?x=1').click();
    await detail(page).getByRole('button', { name: 'Open in Try' }).click();
    await answer.getByText('Send the request to see the response here.').waitFor();
  });

  story('that has left the request log is told', async (test) => {
    const { page } = await openPage(test, { at: '#/traffic/77', mayFail: true });
    await detail(page).getByText('This request is not in the log').waitFor();
    await detail(page).getByRole('link', { name: 'Close' }).click();
    await page.goto(`${page.url()}/does-not-exist`);
    await detail(page).getByText('This request is not in the log').waitFor();
    await detail(page).getByRole('link', { name: 'Show all requests' }).click();
    await expect.poll(() => page.url()).toMatch(/#\/traffic$/);
  });

  story('is reached with the keyboard alone', async (test) => {
    const { page } = await openPage(test, { at, before: (mock) => callTimes(mock, 60) });
    await row(page, '/v0.1/drives?offset=59').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.mono')?.textContent);
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('/v0.1/drives?offset=59');
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('/v0.1/drives?offset=58');
    await keys(page, 'k', 'End');
    await expect.poll(focused).toBe('/v0.1/drives?offset=0');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe('/v0.1/drives?offset=1');
    await page.keyboard.press('Enter');
    await detail(page).getByRole('heading', { name: 'GET /v0.1/drives?offset=1', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => detail(page).count()).toBe(0);
    await expect.poll(() => page.locator('.row-link[tabindex="0"]').count()).toBe(1);
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
  await expectAccessible(page);
  await row(page, '/v0.1/drives?limit=x').click();
  await detail(page).getByText('query.limit').first().waitFor();
  await detail(page)
    .getByText(/shaped the response/)
    .click();
  await expectAccessible(page);
});
