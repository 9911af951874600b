import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { clientsOf } from '../support/control.ts';
import {
  expectAccessible,
  giveFile,
  goToView,
  keys,
  looks,
  openPage,
  row,
  sees,
  story,
} from '../support/developer-page.ts';
import { sendRaw } from '../support/raw-http.ts';
import { tinySeed } from '../support/tiny-seed.ts';

const html = readFileSync(new URL('../../src/ui/page.gen.html', import.meta.url));
const limitBytes = 150_000;

const asks = { html: 'text/html,application/xhtml+xml,*/*;q=0.8', json: 'application/json', all: '*/*' };

describe('the root of the mock', () => {
  let mock: Mock;
  let origin: string;
  beforeAll(async () => {
    mock = await createMock({ seed: tinySeed });
    ({ origin } = new URL(mock.url));
  });
  afterAll(() => mock.close());

  it.each([
    ['text/html', 'page'],
    [asks.html, 'page'],
    ['application/json, text/html', 'page'],
    ['application/json, text/html;q=0.5', 'index'],
    ['text/html;q=0', 'index'],
    ['text/html;q=x', 'index'],
    [asks.json, 'index'],
    [asks.all, 'index'],
    ['', 'index'],
  ])('answers Accept: %s with the %s', async (accept, what) => {
    const response = await fetch(`${origin}/`, { headers: { accept } });
    expect(response.status).toBe(200);
    const type = what === 'page' ? 'text/html; charset=utf-8' : 'application/json';
    expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      type,
      expect.stringContaining('Accept'),
    ]);
    const text = await response.text();
    if (what === 'page') expect(text).toBe(html.toString());
    else expect(JSON.parse(text)).toMatchObject({ page: `${origin}/`, baseUrl: `${origin}/v0.1` });
  });

  it.each([
    ['open', {}, undefined],
    ['token', { adminToken: 'secret' }, undefined],
    ['off', { admin: false }, /--no-admin/],
    ['closed', { host: '0.0.0.0' }, /--admin-token/],
  ] as const)('says that the admin API is %s', async (access, options, why) => {
    const mock = await createMock({ seed: tinySeed, ...options });
    onTestFinished(() => mock.close());
    const { port } = new URL(mock.url);
    const index = await (await fetch(`http://127.0.0.1:${port}/`)).json();
    expect(index.adminApi).toMatchObject({ access });
    if (why !== undefined) expect(index.adminApi.why).toMatch(why);
    for (const link of [index.contract.json, index.contract.yaml]) expect((await fetch(link)).status, link).toBe(200);
  });

  it('is no traffic, nor is what the page loads', async () => {
    await fetch(`${mock.adminUrl}/requests`, { method: 'DELETE' });
    for (const accept of [asks.html, asks.json]) await fetch(`${origin}/`, { headers: { accept } });
    await sendRaw(mock.url, { method: 'GET', target: '/openapi.json', lines: ['Sec-Fetch-Site: same-origin'] });
    const { requests } = await (await fetch(`${mock.adminUrl}/requests`)).json();
    expect(requests).toEqual([]);
  });

  it.each(['/docs', '/swagger'])('is where %s leads', async (path) => {
    const response = await fetch(origin + path, { redirect: 'manual', headers: { accept: asks.html } });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
  });

  it('allows no other method', async () => {
    const refused = await fetch(`${origin}/`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${origin}/`, { method: 'HEAD', headers: { accept: asks.html } });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('sends the page once, and compressed to few bytes', async () => {
    for (const encoding of ['br', 'gzip', 'identity', 'br;q=0, gzip']) {
      const headers = { accept: asks.html, 'accept-encoding': encoding };
      const response = await fetch(`${origin}/`, { headers });
      const expected = encoding === 'identity' ? null : encoding.includes('gzip') ? 'gzip' : 'br';
      expect(response.headers.get('content-encoding')).toBe(expected);
      if (encoding === 'br') expect(Number(response.headers.get('content-length'))).toBeLessThan(limitBytes);
      expect(await response.text()).toBe(html.toString());
      const tag = response.headers.get('etag') ?? '';
      const again = await fetch(`${origin}/`, { headers: { ...headers, 'if-none-match': `"x", W/${tag}` } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  it('has a policy that lets nothing run but the page itself', async () => {
    const { headers } = await fetch(`${origin}/`, { headers: { accept: asks.html } });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+';/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

it('the page refers to nobody else', () => {
  const references = html.toString().match(/(?:https?:)?\/\/[a-z][\w.-]+\.[a-z]{2,}/g) ?? [];
  expect(references.filter((one) => !one.endsWith('//www.w3.org'))).toEqual([]);
});

it.for(looks)(
  'the page is accessible in $colorScheme at $width px, and goes from view to view',
  async ({ look }, test) => {
    const { page } = await openPage(test, { look });
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await expectAccessible(page);
    // One row, whatever the width.
    expect(await page.locator('.top').evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(60);
    await page.getByRole('button', { name: 'Help' }).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await goToView(page, 'Traffic');
    await expect.poll(() => page.title()).toBe('Traffic · Agent Platform mock');
    await page.locator('main').focus();
    await keys(page, 'g', 't');
    await expect.poll(() => page.title()).toBe('Try · Agent Platform mock');
    await page.goBack();
    await expect.poll(() => page.title()).toBe('Traffic · Agent Platform mock');
    expect(await page.locator('.top [aria-current]').textContent()).toBe('Traffic');
  },
);

it.for(looks)('the header fits with an active fault in $colorScheme at $width px', async ({ look }, test) => {
  const { page, mock } = await openPage(test, { look });
  mock.faults.add({ effect: { status: { code: 503 } }, when: { share: 0.001 } });
  await page.locator('.active-faults').waitFor();
  await expectAccessible(page);
  for (const control of await page.locator('.top :is(select, button):visible').all())
    expect((await control.boundingBox())?.width).toBeGreaterThan(25);
  const help = await page.getByRole('button', { name: 'Help' }).boundingBox();
  expect((help?.x ?? 0) + (help?.width ?? 0)).toBeLessThanOrEqual(look.viewport.width);
});

story('a low window leaves every list its height, as a wide one zoomed in to 400 % is', async (test) => {
  const { page } = await openPage(test, { look: { viewport: { width: 320, height: 256 } } });
  for (const view of ['Open points', 'State', 'Traffic']) {
    await goToView(page, view);
    const list = page.locator('.panes').first();
    await list.scrollIntoViewIfNeeded();
    expect((await list.boundingBox())?.height).toBeGreaterThan(200);
  }
});

it('the page runs under its policy, which stops any other script', async (test) => {
  const { page, misdeeds } = await openPage(test);
  await page.getByRole('link', { name: 'Try' }).waitFor();
  expect(misdeeds.splice(0)).toEqual([]);
  await page
    .evaluate(() => {
      const script = document.createElement('script');
      script.append('document.title = "hacked"');
      document.body.append(script);
    })
    .catch(() => undefined);
  expect(await page.title()).toBe('Try · Agent Platform mock');
  expect(misdeeds.splice(0).join()).toMatch(/Content Security Policy|TrustedScript|trusted/i);
});

describe('the frame of the page', () => {
  story('knows its keys as soon as it is drawn', async (test) => {
    const { page } = await openPage(test);
    await page.addInitScript(() => {
      const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      addEventListener('DOMContentLoaded', () => ['g', 's'].map(press));
    });
    await page.reload();
    await expect.poll(() => page.title()).toBe('State · Agent Platform mock');
  });

  story('lists its keys, and lets them be switched off', async (test) => {
    const { page } = await openPage(test);
    await page.getByRole('link', { name: 'Traffic' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).getByText('Go to Traffic').waitFor();
    await page.getByLabel('Single-key shortcuts').uncheck();
    await keys(page, 'Escape', 'g', 'r');
    expect(await page.title()).toBe('Try · Agent Platform mock');
    await page.reload();
    await page.getByRole('button', { name: 'Help' }).click();
    expect(await page.getByLabel('Single-key shortcuts').isChecked()).toBe(false);
  });

  story('keeps the colours that are chosen', async (test) => {
    const { page } = await openPage(test, { look: { colorScheme: 'light' } });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    for (const name of ['Theme: system', 'Theme: light']) await page.getByRole('button', { name }).click();
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    await page.reload();
    expect(await ground()).toBe(dark);
  });

  story('skips to its content', async (test) => {
    const { page } = await openPage(test);
    await page.getByRole('link', { name: 'Try' }).waitFor();
    await keys(page, 'Tab', 'Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });
});

describe('each view', () => {
  story('shows nothing of others in place of a sandbox that is gone', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/state/agents?sandbox=gone' });
    for (const view of ['State', 'Traffic', 'Faults', 'Open points']) {
      await goToView(page, view);
      await sees(page, 'This sandbox no longer exists.');
      expect(await page.locator('main button').count()).toBe(0);
    }
    await page.getByRole('link', { name: 'Show all sandboxes' }).click();
    await page.locator('main button').first().waitFor();
    const { body } = await clientsOf(mock).control('POST', '/organizations', { json: { name: 'Newer' } });
    await page.goto(`${page.url().split('#')[0]}#/state/agents?sandbox=${body.organization.id}`);
    await page.getByRole('button', { name: 'Reset Newer' }).waitFor();
  });

  story('says what it needs where there is no admin API', async (test) => {
    const { page } = await openPage(test, { mock: { admin: false } });
    for (const view of ['State', 'Traffic', 'Faults', 'Open points']) {
      await goToView(page, view);
      await sees(page, `${view} needs the admin API`, 'Start the mock without --no-admin');
    }
  });

  story('shows text as text, whatever it says', async (test) => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const add = (mock: Mock, path: string, json: object) => clientsOf(mock).control('POST', path, { json });
    const before = async (mock: Mock) => {
      const named = { id: evil, name: evil, description: evil };
      await add(mock, '/organizations', { name: evil });
      await add(mock, '/organizations/org-a/agents', named);
      await add(mock, '/organizations/org-a/drives/drive-full/files', { path: `/${evil}/${evil}`, id: evil });
      const settings = { json: { profile: { treePathParameter: evil } } };
      await clientsOf(mock).control('PATCH', '/settings?organization=org-a', settings);
    };
    const { page } = await openPage(test, { at: '#/try/createDrive', before });
    const shown = async (within: string) => {
      await page.locator(within).getByText(evil).filter({ visible: true }).first().waitFor();
      expect(await page.locator('#page img, #page script').count()).toBe(0);
    };
    const show = (hash: string) => page.goto(`${page.url().split('#')[0]}#${hash}`);
    await page.getByLabel('name', { exact: false }).fill(evil);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await shown('pre');
    await page.getByRole('link', { name: 'Show in Traffic' }).click();
    await shown('.detail');
    await show('/state/sandboxes');
    await shown('table');
    await show(`/state/${encodeURIComponent(`agents/${encodeURIComponent(evil)}`)}?sandbox=org-a`);
    await page.getByRole('region', { name: `Agent ${evil}` }).waitFor();
    await show('/state/drives?sandbox=org-a');
    await row(page, 'Middle').click();
    await row(page, /^script>$/).click();
    await page.getByRole('region', { name: /^File/ }).waitFor();
    await show('/points/treePathParameter?sandbox=org-a');
    await shown('.list');
    await giveFile(page.getByLabel('Profile to load'), { name: `${evil}.yaml`, text: `"${evil}": "${evil}"` });
    await shown('[role=alert]');
  });
});
