/**
 * The example for Cypress, as far as it goes without the program of Cypress, which its package downloads: the types, the mock
 * that the configuration starts, and the page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { installExample } from '../support/examples.ts';
import { npm } from '../support/packing.ts';
import { page as html, serveSite } from '../support/page-server.ts';
import { type ShellOptions, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

interface Config {
  env: Record<string, string>;
}

interface CypressConfig {
  e2e: { setupNodeEvents(on: (event: string, handler: () => unknown) => void, config: Config): Promise<Config> };
}

let folder: TemporaryFolder;
let shell: ShellOptions;

beforeAll(async () => {
  folder = temporaryFolder('example-cypress');
  process.env.CYPRESS_INSTALL_BINARY = '0';
  shell = await installExample('cypress', folder);
});
afterAll(() => {
  delete process.env.CYPRESS_INSTALL_BINARY;
  folder.remove();
});

const at = (file: string) => join(shell.cwd, file);

describe('the example for Cypress', () => {
  const handlers: Record<string, () => unknown> = {};
  let env: Config['env'];

  beforeEach(async () => {
    const { default: config }: { default: CypressConfig } = await import(pathToFileURL(at('cypress.config.js')).href);
    const on = (event: string, handler: () => unknown) => {
      handlers[event] = handler;
    };
    ({ env } = await config.e2e.setupNodeEvents(on, { env: { kept: 'yes' } }));
    return async () => void (await handlers['after:run']?.());
  });

  it('has sound types', async () => {
    expect(await npm(['run', 'check'], shell)).not.toContain('error');
  });

  it('starts a mock, and ends it after the run', async () => {
    expect(env.kept).toBe('yes');
    const drives = () => fetch(`${env.apiUrl}/drives`, { headers: { 'X-API-Key': 'test-1' } });
    expect((await drives()).headers.get('x-sandbox')).toBe('opened');
    await handlers['after:run']?.();
    await expect(drives()).rejects.toThrow('fetch failed');
  });

  it('has a page that does what its tests expect', async (test) => {
    const browser = await openBrowser();
    if (browser === undefined) return test.skip(noBrowser);
    const path = (key: string) => `/drives.html?${new URLSearchParams({ api: env.apiUrl ?? '', key })}`;
    const text = html(readFileSync(at('drives.html'), 'utf8'));
    const site = await serveSite({ [path('test-2')]: text, [path('test-3')]: text });
    try {
      const page = await browser.newPage();
      await page.goto(new URL(path('test-2'), site.url).href);
      await page.getByText('5 drives').waitFor();
      await page.getByLabel('Name').fill('Launch plans');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('6 drives').waitFor();
      const fault = { organizationId: 'self', effect: { status: { code: 503 } }, operations: ['listDrives'] };
      const headers = { 'X-API-Key': 'test-3', 'Content-Type': 'application/json' };
      await fetch(`${env.adminUrl}/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
      await page.goto(new URL(path('test-3'), site.url).href);
      await page.getByText('The drives could not be loaded.').waitFor();
      expect(await page.getByRole('listitem').count()).toBe(0);
    } finally {
      site.close();
      await browser.close();
    }
  });
});
