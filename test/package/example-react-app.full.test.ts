/** The React example, as its user runs it: copied, with the package from its tarball, by its own line. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { findBrowser, noBrowser } from '../support/browser.ts';
import { checkout, inProject, npm, packed } from '../support/packing.ts';
import { temporaryFolder } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

const example = join(checkout, 'examples', 'react-app');
const own = new Set(['node_modules', 'dist', 'test-results']);

/** Copies the example. Its dependency on the clone becomes one on the tarball. */
function copyWith(tarball: string, folder: string): void {
  cpSync(example, folder, { recursive: true, filter: (path) => !own.has(basename(path)) });
  const manifest = readFileSync(join(example, 'package.json'), 'utf8');
  const changed = manifest.replace('"file:../.."', JSON.stringify(`file:${tarball}`));
  expect(changed).not.toBe(manifest);
  writeFileSync(join(folder, 'package.json'), changed);
}

it('the React example passes its own tests, in a browser and in legal variants of the mock', {
  timeout: timeLimit(900_000),
}, async (test) => {
  const browser = findBrowser();
  if (browser === undefined) return test.skip(noBrowser);
  const folder = temporaryFolder('react-app');
  test.onTestFinished(() => folder.remove());
  copyWith(await packed(), folder.at('app'));
  const programs = [join(checkout, 'node_modules', '.bin')];
  const shell = { ...inProject(folder.at('app')), programs, timeoutMs: timeLimit(800_000) };
  await npm(['install', '--prefer-offline'], shell);
  // The whole search of `npm run vary` takes minutes: here it is a part, with other profiles than by default.
  const part = { AGENT_PLATFORM_RUNS: '4', AGENT_PLATFORM_RANDOM_SEED: '2' };
  const printed = await npm(['test'], { ...shell, environment: { ...part, CHROMIUM_PATH: browser } });
  expect(printed).toContain('No dependency found. (4 profiles, ');
});
