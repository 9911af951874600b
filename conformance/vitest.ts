import { beforeAll, describe, it, type TestContext } from 'vitest';
import { allChecks } from './checks/index.ts';
import { type Config, toSettings } from './config/settings.ts';
import type { CheckResult, Report } from './report.ts';
import { findingRows, layOut } from './reporters/failure-text.ts';
import { runSuite } from './run.ts';
import { type Selection, selectIds } from './selection.ts';

/** A config with what every run needs. */
export type VitestConfig = Config & { baseUrl: string; apiKey: string };

/** Which checks to register, and how long a run may take. */
export interface VitestOptions extends Partial<Selection> {
  /** In milliseconds. Default: two minutes. */
  runTimeoutMs?: number;
}

/**
 * Registers every check as a Vitest test. The suite judges the target once, before the first of them. A broken must
 * fails its test; a broken should passes with a note; a check that could not be judged is skipped with its reason.
 * Throws a `SuiteError`, here or in the run, for options and settings that do not exist or have a wrong value.
 */
export function registerConformance(
  config: VitestConfig | (() => VitestConfig | Promise<VitestConfig>),
  options: VitestOptions = {},
): void {
  const { only = [], skip = [], runTimeoutMs = 120_000 } = options;
  const all = allChecks().map(({ id }) => id);
  const ids = selectIds(all, { only, skip });
  let report: Report | undefined;
  describe('conformance', () => {
    beforeAll(async () => {
      const settings = toSettings(typeof config === 'function' ? await config() : config);
      report = await runSuite(settings, { tool: 'agent-platform-contract/vitest', only, skip });
      if (report.run.suiteError !== undefined) throw new Error(`The suite stopped: ${report.run.suiteError}`);
    }, runTimeoutMs);
    for (const id of all.filter((candidate) => ids.has(candidate))) {
      it(id, (context) => showResult(resultOf(report, id), context));
    }
  });
}

function resultOf(report: Report | undefined, id: string): CheckResult {
  const result = report?.checks.find((check) => check.id === id);
  if (result === undefined) throw new Error(`The run has no result for ${id}.`);
  return result;
}

async function showResult(result: CheckResult, context: TestContext): Promise<void> {
  const { outcome, reason } = result;
  if (outcome === 'failed') throw new Error([reason, '', ...layOut(findingRows(result))].join('\n'));
  // For a configuration in which each test needs an assertion.
  context.expect(outcome).not.toBe('failed');
  if (outcome === 'warned') await context.annotate(reason, 'warning');
  if (outcome === 'unverified' || outcome === 'skipped') context.skip(`${outcome}: ${reason}`);
}
