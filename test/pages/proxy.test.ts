import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';
import { createMock } from '../../src/index.ts';
import type { ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { isFull } from '../support/depth.ts';
import { detail, expectAccessible, isLive, looks, newContext, row, story, visit } from '../support/developer-page.ts';
import { hostileTexts, reportOf } from '../support/hostile.ts';
import { startProxy } from '../support/proxied.ts';
import { tinySeed } from '../support/tiny-seed.ts';
import { type Received, recording, startUpstream } from '../support/upstream.ts';

// The developer page of a proxy, in a real browser.

/** The base URL of a server, and how it is stopped. */
interface Upstream {
  url: string;
  close(): Promise<unknown>;
}

interface Options {
  upstream?: () => Promise<Upstream>;
  look?: BrowserContextOptions;
  /** What follows the address of the page. */
  at?: string;
  before?: (proxy: ValidatingProxy) => Promise<unknown>;
}

/** The page of a proxy in front of a mock, or of another server. Skips the test where there is no browser. */
async function openPage(test: TestContext, options: Options = {}) {
  const context = await newContext(test, options.look);
  const upstream = await (options.upstream ?? (() => createMock({ seed: tinySeed })))();
  const { proxy, close } = await startProxy({ upstream: upstream.url });
  test.onTestFinished(async () => {
    await close();
    await upstream.close();
  });
  await options.before?.(proxy);
  const address = new URL(options.at ?? '', new URL('/__admin/', proxy.url));
  return { proxy, ...(await visit(test, context, address)) };
}

/** A server that answers every request with 200 and a body that is no list, and keeps the requests. */
async function startBroken(received: Received[] = []): Promise<Upstream> {
  return startUpstream(
    recording(received, (response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"data":"<img src=x onerror=alert(1)>"}');
    }),
  );
}

const call = async (proxy: ValidatingProxy, path: string) => {
  await (await fetch(proxy.url + path, { headers: { 'x-api-key': 'key-a' } })).text();
};
it('the developer page of the proxy has Traffic and Reports, says how to begin, and shows each exchange at once', async (test) => {
  const { page, proxy } = await openPage(test);
  await page.getByText('No requests yet').waitFor();
  expect(await page.title()).toBe('Traffic · Agent Platform proxy');
  expect(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts()).toEqual([
    'Traffic',
    'Reports',
  ]);
  expect(await page.getByText(proxy.url).count()).toBe(1);
  await isLive(page);
  await call(proxy, '/agents');
  await row(page, '/v0.1/agents').click();
  await detail(page).getByText('No violations.').waitFor();
});

describe('the developer page of the proxy', () => {
  story('says that the client broke the contract, where and by which rule', async (test) => {
    const { page } = await openPage(test, {
      at: '#/traffic/0',
      before: (proxy) => call(proxy, '/drives?limit=0'),
    });
    await detail(page).getByText('The client broke the contract').waitFor();
    await detail(page).getByText('request.query.limit').first().waitFor();
    await detail(page).getByText('rule minimum').waitFor();
    expect(await detail(page).getByText('The server broke').count()).toBe(0);
  });

  story('says that the server broke it, and shows its markup as text', async (test) => {
    const { page } = await openPage(test, {
      upstream: startBroken,
      at: '#/traffic/0',
      before: (proxy) => call(proxy, '/drives'),
    });
    await detail(page).getByText('The server broke the contract').waitFor();
    await detail(page).getByText('response.body.pagination').waitFor();
    await detail(page).getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  story('says when the proxy kept only the beginning of a body', async (test) => {
    const long = `"${'x'.repeat(20_000)}"`;
    const { page } = await openPage(test, {
      upstream: () => startUpstream((_, response) => response.setHeader('content-type', 'application/json').end(long)),
      at: '#/traffic/0',
      before: (proxy) => call(proxy, '/drives'),
    });
    await detail(page).getByText('The proxy kept only the beginning of 20,002 bytes.').waitFor();
    expect(await detail(page).getByText('No body.', { exact: true }).count()).toBe(1);
  });

  story('is filtered by who broke the contract', async (test) => {
    const before = async (proxy: ValidatingProxy) => {
      await call(proxy, '/agents');
      await call(proxy, '/drives?limit=0');
    };
    const { page } = await openPage(test, { at: '#/traffic?broke=client', before });
    await row(page, '/v0.1/drives?limit=0').waitFor();
    expect(await row(page, '/v0.1/agents').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Broken by' }).selectOption('Not broken');
    await row(page, '/v0.1/agents').waitFor();
    expect(await row(page, '/v0.1/drives?limit=0').count()).toBe(0);
    expect(await page.getByRole('combobox', { name: 'Operation' }).count()).toBe(0);
  });

  story('clears the request log', async (test) => {
    const { page, proxy } = await openPage(test, { before: (proxy) => call(proxy, '/agents') });
    await row(page, '/v0.1/agents').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Clear?' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(proxy.requestLog.entries).toEqual([]);
  });

  story('forwards nothing of its own', async (test) => {
    const received: Received[] = [];
    const { page, proxy } = await openPage(test, { upstream: () => startBroken(received) });
    await isLive(page);
    await call(proxy, '/agents');
    await row(page, '/v0.1/agents').waitFor();
    expect(received).toHaveLength(1);
  });

  it.runIf(isFull).for(looks)('is accessible: $colorScheme, $width px', async ({ look }, test) => {
    const { page } = await openPage(test, {
      ...{ look, upstream: startBroken, at: '#/traffic/0' },
      before: (proxy) => call(proxy, '/drives?limit=0'),
    });
    await detail(page).getByText('The server broke the contract').waitFor();
    await expectAccessible(page);
    await detail(page).getByRole('link', { name: 'Close' }).click();
    await row(page, '/v0.1/drives?limit=0').waitFor();
    await expectAccessible(page);
  });

  story('reads reports, without what a proxy does not have', async (test) => {
    const { page } = await openPage(test, { at: '#/reports' });
    await page.locator('input[type=file]').setInputFiles({
      name: 'report.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(reportOf(hostileTexts))),
    });
    await page.locator('.row-link').first().click();
    await detail(page).waitFor();
    expect(await page.getByRole('button', { name: 'Open in Try' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
