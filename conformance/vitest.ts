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
  /** In milliseconds; two minutes unless said otherwise. */
  runTimeoutMs?: number;
}

/**
 * Registers every check as a test of the surrounding Vitest run. The target is judged once, before the first of them.
 * A must that is broken fails its test; a should that is broken is noted on its test, which passes; what could not be
 * judged is skipped, with its reason as a note.
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
      if (report.run.suiteError !== undefined) throw new Error(`The suite broke off: ${report.run.suiteError}`);
    }, runTimeoutMs);
    for (const id of all.filter((candidate) => ids.has(candidate))) {
      it(id, (context) => tell(resultOf(report, id), context));
    }
  });
}

function resultOf(report: Report | undefined, id: string): CheckResult {
  const result = report?.checks.find((check) => check.id === id);
  if (result === undefined) throw new Error(`The run has no result for ${id}.`);
  return result;
}

async function tell(result: CheckResult, context: TestContext): Promise<void> {
  const { outcome, reason } = result;
  if (outcome === 'failed') throw new Error([reason, '', ...layOut(findingRows(result))].join('\n'));
  if (outcome === 'warned') await context.annotate(reason, 'warning');
  if (outcome === 'unverified' || outcome === 'skipped') context.skip(`${outcome}: ${reason}`);
}
