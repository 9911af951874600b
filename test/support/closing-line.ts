import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { findBrowser, noBrowser } from './browser.ts';
import { findNginx, noNginx } from './nginx.ts';

/** Closes a run with how to replay it, with what could not be tested, and with a line of counts for readers of logs. */
export default class ClosingLine implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string) => states.filter((candidate) => candidate === state).length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const failed = count('failed') + brokenModules + errors.length;
    const { TEST_DEPTH, TEST_SEED } = this.vitest?.config.env ?? {};
    const lines = [
      ...(findBrowser() === undefined ? [`NOT TESTED in a browser. ${noBrowser}`] : []),
      ...(TEST_DEPTH === 'full' && findNginx() === undefined ? [`NOT TESTED behind nginx. ${noNginx}`] : []),
      `The ${TEST_DEPTH} run, random seed ${TEST_SEED}. Replay it with TEST_SEED=${TEST_SEED}.`,
      `${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`,
    ];
    process.stdout.write(`\n${lines.join('\n\n')}\n`);
  }
}
