import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { VaryReport } from '../../src/vary/report.ts';
import { runCommand } from '../support/command.ts';
import { isWhole } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { timeLimit } from '../support/time-limit.ts';

const root = join(import.meta.dirname, '../..');
const folder = createFolder('vary-examples');

/** What `vary` finds in tests. */
async function varied(tests: string, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const json = folder.at('report.json');
  const command = [process.execPath, join(root, tests)];
  const { code, stderr } = await runCommand(['vary', '--json', json, ...args, '--', ...command], environment);
  expect(code, stderr).toBe(1);
  return JSON.parse(readFileSync(json, 'utf8')) as VaryReport;
}

const reliedOn = ({ dependencies }: VaryReport) =>
  dependencies
    .map(({ openPoints }) => openPoints.map((one) => `${one.openPoint} = ${one.reliesOn}`).join(' and '))
    .sort();

/*
 * One test of the sample fails by chance in a quarter of the runs. How likely is it that this test fails for that reason?
 * - A wrong cause is named: 16 runs in a row are red by chance, 0.25 ** 16 = 2e-10 for each confirmation; 1,500 runs
 *   have room for 94. Together 2e-8. That the base is taken for red is as unlikely.
 * - A cause is missed: no green run can come from a variant that holds it, so ten searches in a row go astray. Measured
 *   over 1,500 runs of the search with made-up tests, the first does in a quarter, each later one in a ninth of all
 *   cases: 0.25 * 0.11 ** 9 = 6e-10 for each of the four.
 * - The flaky test is not seen: green in each run without a cause. When it is never red there are 52 such runs with
 *   these variants: 0.75 ** 52 = 3e-7.
 */
it('vary finds each dependency of the sample frontend and its flakiness', {
  timeout: timeLimit(600_000),
}, async () => {
  const profile = ['--profile', join(root, 'examples/frontend/profile.yaml')];
  const args = [...profile, '--repeat', '16', '--runs', '30', '--max-runs', '1500', '--parallel', '2'];
  const report = await varied('examples/frontend/drive-browser.test.js', args, { FLAKY: '1' });
  const planted = [
    'errorBody = message',
    'idFormat = sortable',
    'listOrder = oldestFirst',
    'successStatus.createDrive = 201',
  ];
  expect(reliedOn(report)).toEqual(planted);
  expect(report.endedBy).toBe('end');
  expect(report.dependencies.filter(({ redRuns }) => redRuns < 16)).toEqual([]);
  expect(report.flakiness?.output).toContain('the spinner is gone in time');
  expect(report.variants.filter(({ outcome }) => outcome !== 'green' && outcome !== 'flaky')).toEqual([]);
});

it('vary finds three choices and a pair that fail the tests of another frontend, in fewer than 67 runs', {
  timeout: timeLimit(300_000),
}, async () => {
  const report = await varied('test/support/reliant-tests.mjs');
  const pair = 'timestamps.precision = milliseconds and timestamps.zone = Z';
  expect(reliedOn(report)).toEqual(['errorBody = problem', 'idFormat = uuid', 'listOrder = oldestFirst', pair]);
  expect(report.coverage.pairs.tried).toBe(report.coverage.pairs.all);
  expect(report.runs).toBeLessThan(67);
});

it.runIf(isWhole)(
  'vary finds the three choices that fail the tests of a third one, in fewer than 67 runs',
  {
    timeout: timeLimit(300_000),
  },
  async () => {
    const report = await varied('test/support/counting-tests.mjs');
    expect(reliedOn(report)).toEqual([
      'duplicates.names = allowed',
      'mcpDefaultType = streamableHttp',
      'totalMeaning = all',
    ]);
    expect(report.coverage.choices.tried).toBe(report.coverage.choices.all);
    expect(report.runs).toBeLessThan(67);
  },
);

it('the guide shows what vary prints for the sample frontend', { timeout: timeLimit(300_000) }, async () => {
  const guide = readFileSync(new URL('../../docs/what-does-your-frontend-rely-on.md', import.meta.url), 'utf8');
  const shown = guide.split('<!-- dependency -->\n\n```text\n')[1]?.split('```')[0];
  const line = 'vary --profile examples/frontend/profile.yaml';
  const tests = 'node --test examples/frontend/drive-browser.test.js';
  const { stdout } = await runCommand([...line.split(' '), '--', ...tests.split(' ')]);
  // How often a finding is confirmed depends on how often the runs of an arbitrary order differ.
  const plain = (text = '') => text.replaceAll(/in \d+ of \d+ runs/g, 'in all runs').replaceAll('--repeat 1 ', '');
  expect(plain(stdout)).toContain(plain(shown));
});
