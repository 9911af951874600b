/** The example for `node:test`, installed from the tarball and run by its own line. */
import { expect, it } from 'vitest';
import { installExample } from '../support/examples.ts';
import { npm } from '../support/packing.ts';
import { temporaryFolder } from '../support/shell.ts';

it('the example for node:test passes', async (test) => {
  const folder = temporaryFolder('example-node-test');
  test.onTestFinished(() => folder.remove());
  const printed = await npm(['test'], await installExample('node-test', folder));
  expect(printed).toMatch(/pass 3\n.*fail 0\n/);
});
