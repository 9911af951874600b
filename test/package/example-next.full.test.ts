/** The example for Next.js, installed from the tarball and run by its own line, which builds it. */
import { expect, it } from 'vitest';
import { findBrowser, noBrowser } from '../support/browser.ts';
import { installExample, runPlaywrightExample } from '../support/examples.ts';
import { temporaryFolder } from '../support/shell.ts';

it('the example for Next.js builds and passes, in a browser', async (test) => {
  const browser = findBrowser();
  if (browser === undefined) return test.skip(noBrowser);
  const folder = temporaryFolder('example-next');
  test.onTestFinished(() => folder.remove());
  const installed = await installExample('next', folder);
  const shell = { ...installed, environment: { NEXT_TELEMETRY_DISABLED: '1' } };
  const done = await runPlaywrightExample(shell, browser, ['npm', 'test', '--']);
  expect(done).toEqual({ passed: 3, failures: [], workers: 1 });
});
