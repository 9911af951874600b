/** The mock in the browser mode of Vitest, as a project uses it: the packed modules, through Vite's own bundling. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { bundles } from '../../.ci/bundle.mjs';
import { findBrowser, noBrowser } from '../support/browser.ts';
import { checkout } from '../support/packing.ts';
import { run, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

const tools = join(checkout, 'node_modules');

it('works in the browser mode of Vitest, as fetch and behind MSW', async (test) => {
  const browser = findBrowser();
  if (browser === undefined) return test.skip(noBrowser);
  const folder = temporaryFolder('vitest-browser');
  test.onTestFinished(() => folder.remove());
  await createProject(folder, browser);
  const options = { cwd: folder.path, programs: [join(tools, '.bin')], timeoutMs: 120_000 };
  const { stdout, stderr, exitCode } = await run(
    'vitest',
    ['run', '--reporter=json', '--outputFile=result.json'],
    options,
  );
  expect(exitCode, stdout + stderr).toBe(0);
  expect(JSON.parse(readFileSync(folder.at('result.json'), 'utf8'))).toMatchObject({
    numPassedTests: 2,
    numTotalTests: 2,
  });
});

async function createProject(folder: TemporaryFolder, browser: string): Promise<void> {
  const own = folder.at('node_modules', 'agent-platform-contract');
  mkdirSync(join(own, 'dist/browser'), { recursive: true });
  copyFileSync(join(checkout, 'package.json'), join(own, 'package.json'));
  for (const [name, code] of Object.entries(await bundles())) writeFileSync(join(own, 'dist/browser', name), code);
  for (const name of ['vitest', '@vitest/browser-playwright', 'playwright', 'msw']) {
    mkdirSync(dirname(folder.at('node_modules', name)), { recursive: true });
    symlinkSync(join(tools, name), folder.at('node_modules', name));
  }
  mkdirSync(folder.at('public'));
  copyFileSync(join(tools, 'msw/lib/mockServiceWorker.js'), folder.at('public', 'mockServiceWorker.js'));
  writeFileSync(folder.at('package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(folder.at('vitest.config.js'), configWith(browser));
  writeFileSync(folder.at('drives.test.js'), tests);
}

const configWith = (browser: string) => `
import { playwright } from '@vitest/browser-playwright';
const launchOptions = {
  executablePath: ${JSON.stringify(browser)},
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};
const instances = [{ browser: 'chromium' }];
export default { test: { browser: { enabled: true, headless: true, provider: playwright({ launchOptions }), instances } } };
`;

const tests = `
import { setupWorker } from 'msw/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFetch } from 'agent-platform-contract/fetch';
import { createHandlers } from 'agent-platform-contract/msw';

const mock = createFetch({ baseUrl: 'https://api.example.com/v0.1' });
const worker = setupWorker(...createHandlers(mock));
const headers = { 'x-api-key': mock.keys[0] };
beforeAll(() => worker.start({ quiet: true }));
afterAll(() => worker.stop());

test('as fetch', async () => expect((await mock(mock.url + '/agents', { headers })).status).toBe(200));
test('behind MSW', async () => expect((await fetch(mock.url + '/agents', { headers })).status).toBe(200));
`;
