import { relative } from 'node:path';
import type { Reporter, TestModule, TestResult, Vitest } from 'vitest/node';
import { findBrowser, noBrowser } from './browser.ts';
import { findNginx, noNginx } from './nginx.ts';

/** How a run ended. */
interface Ending {
  depth: string | undefined;
  seed: string | undefined;
  passed: number;
  failed: number;
  skipped: number;
  /** How many of the skipped tests are left for the full run. */
  forLater: number;
  /** How many of the skipped tests need a browser. */
  withoutBrowser: number;
  /** What else could not be tested, in full sentences. */
  untested: readonly string[];
  /** The files that took longest, with their seconds. */
  longest: readonly string[];
}

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
    const lines = closingLines({
      ...{ depth: TEST_DEPTH, seed: TEST_SEED },
      ...{
        passed: count('passed'),
        failed: count('failed') + brokenModules + errors.length,
        skipped: count('skipped'),
      },
      forLater: isWhole ? results.filter(isForLater).length : 0,
      withoutBrowser: results.filter((result) => result.state === 'skipped' && result.note === noBrowser).length,
      longest: testNamePattern === undefined ? longestOf(modules) : [],
      untested: [
        ...(TEST_DEPTH === 'full' && findNginx() === undefined ? [`NOT TESTED behind nginx. ${noNginx}`] : []),
        ...leftOut(results),
      ],
    });
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
export function leftOut(results: readonly TestResult[]): string[] {
  const notes = results.flatMap((result) => (result.state === 'skipped' ? [result.note ?? ''] : []));
  const told = Map.groupBy(notes, (note) => note);
  const others = [...told].filter(([note]) => note !== '' && note !== noBrowser);
  return others.map(([note, all]) => `${all.length} NOT TESTED: ${note}`);
}

/** The last line has the counts and a note if there is no browser: some people read only that line. */
export function closingLines(ending: Ending): string[] {
  const { depth, seed, passed, failed, skipped, forLater, withoutBrowser, untested, longest } = ending;
  const later = forLater === 0 ? '' : `; ${forLater} of them are for npm run test:full`;
  const missing = withoutBrowser === 0 ? '' : `; ${withoutBrowser} of them NOT TESTED in a browser: ${noBrowser}`;
  return [
    ...(longest.length === 0 ? [] : [`What took longest:\n  ${longest.join('\n  ')}`]),
    ...untested,
    `The ${depth} run, random seed ${seed}. Replay it with TEST_SEED=${seed}.`,
    `${passed} passed, ${failed} failed, ${skipped} skipped${later}${missing}`,
  ];
}
