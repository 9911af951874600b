import { relative } from 'node:path';
import type { Reporter, TestModule, TestResult, Vitest } from 'vitest/node';
import { findBrowser, noBrowser } from './browser.ts';
import { findNginx, noNginx } from './nginx.ts';

/** Ends a run with how to replay it, what could not be tested, and a line of counts for readers of logs. */
export default class ClosingLine implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
    // In CI this throws if there is no browser, before the first test.
    findBrowser();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result()));
    const count = (state: string) => results.filter((result) => result.state === state).length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const { env, testNamePattern } = this.vitest?.config ?? {};
    const { TEST_DEPTH, TEST_SEED } = env ?? {};
    const isWhole = TEST_DEPTH === 'quick' && testNamePattern === undefined;
    const longest = testNamePattern === undefined ? longestOf(modules) : [];
    const forLater = isWhole ? results.filter(isForLater).length : 0;
    const later = forLater === 0 ? '' : `; ${forLater} of them are for npm run test:full`;
    const withoutBrowser = results.filter((one) => one.state === 'skipped' && one.note === noBrowser).length;
    const missing = withoutBrowser === 0 ? '' : `; ${withoutBrowser} of them NOT TESTED in a browser: ${noBrowser}`;
    const failed = count('failed') + brokenModules + errors.length;
    const lines = [
      ...(longest.length === 0 ? [] : [`What took longest:\n  ${longest.join('\n  ')}`]),
      ...(TEST_DEPTH === 'full' && findNginx() === undefined ? [`NOT TESTED behind nginx. ${noNginx}`] : []),
      ...leftOut(results),
      `The ${TEST_DEPTH} run, random seed ${TEST_SEED}. Replay it with TEST_SEED=${TEST_SEED}.`,
      // Some people read only the last line.
      `${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped${later}${missing}`,
    ];
    process.stdout.write(`\n${lines.join('\n\n')}\n`);
  }
}

/** The files that took longest in a run of many files. */
function longestOf(modules: readonly TestModule[]): string[] {
  if (modules.length < 50) return [];
  const all = modules.map((module) => ({ file: relative('', module.moduleId), ms: module.diagnostic().duration }));
  const sorted = all.toSorted((one, other) => other.ms - one.ms).slice(0, 10);
  return sorted.map(({ file, ms }) => `${file} ${(ms / 1_000).toFixed(0)} s`);
}

/** Whether a test was left for the full run. Tests skipped for other reasons have a note. */
function isForLater(result: TestResult): boolean {
  return result.state === 'skipped' && result.note === undefined;
}

/** What a run could not test on this machine, in the words of its tests. A missing browser is in the last line. */
function leftOut(results: readonly TestResult[]): string[] {
  const notes = results.flatMap((result) => (result.state === 'skipped' ? [result.note ?? ''] : []));
  const told = Map.groupBy(notes, (note) => note);
  const others = [...told].filter(([note]) => note !== '' && note !== noBrowser);
  return others.map(([note, all]) => `${all.length} NOT TESTED: ${note}`);
}
