import type { Settings } from '../../../conformance/config/settings.ts';
import type { CheckResult } from '../../../conformance/report.ts';
import { runSuite } from '../../../conformance/run.ts';
import { type Mode, settingsForMock } from '../fixtures.ts';
import { receiptErrors, takeSnapshot } from '../snapshot.ts';
import type { OddLegalServer, RunningOddServer } from './oddity.ts';

/** What came of one run over an odd server. */
export interface OddResult {
  /** The checks that did not pass. */
  others: CheckResult[];
  passed: number;
  requests: number;
  durationMs: number;
  /** Whether the state is the same afterwards. */
  isUnchanged: boolean;
  receiptErrors: string[];
  suiteError: string | undefined;
}

/** Everything settles within 700 ms on these servers. */
const settleMs = 1_800;

/** The settings for an odd server. */
export function settingsForOdd({ baseUrl, keys, mock, fixtures }: RunningOddServer, mode: Mode): Settings {
  const [apiKey = '', otherApiKey = ''] = keys;
  return settingsForMock(mock, baseUrl, mode, { apiKey, otherApiKey, fixtures, settleMs, timeoutMs: 3_000 });
}

/** Runs the suite over an odd server. */
export async function runOdd(server: OddLegalServer, mode: Mode, shuffleSeed?: number): Promise<OddResult> {
  const startedMs = performance.now();
  const running = await server.start();
  const { mock, close } = running;
  const before = takeSnapshot(mock);
  const settings = settingsForOdd(running, mode);
  try {
    const report = await runSuite(settings, { tool: 'odd', ...(shuffleSeed === undefined ? {} : { shuffleSeed }) });
    const after = takeSnapshot(mock);
    return {
      others: report.checks.filter(({ outcome }) => outcome !== 'passed'),
      passed: report.summary.passed,
      requests: report.run.requests,
      durationMs: performance.now() - startedMs,
      isUnchanged: before.text === after.text,
      receiptErrors: receiptErrors(before, after, report.leftovers),
      suiteError: report.run.suiteError,
    };
  } finally {
    await close();
  }
}

/** Whether a check is one of those that a server may be warned by. */
export function mayWarn({ mayWarn: patterns }: OddLegalServer, id: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(id));
}
