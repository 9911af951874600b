/** The example for Jest, installed from the tarball and run by its own line. */
import { expect, it } from 'vitest';
import { installExample } from '../support/examples.ts';
import { npm } from '../support/packing.ts';
import { temporaryFolder } from '../support/shell.ts';

it('the example for Jest passes', async (test) => {
  const folder = temporaryFolder('example-jest');
  test.onTestFinished(() => folder.remove());
  const printed = await npm(['test'], await installExample('jest', folder));
  expect(printed).toMatch(/Tests: +3 passed, 3 total/);
});
