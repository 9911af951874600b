import type { CheckResult, Report } from '../../conformance/report/report.ts';
import { headlineText, inReadingOrder } from '../../conformance/report/words.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import { settingsFor } from '../power/fixtures.ts';
import type { Running } from './running.ts';

/** What the suite says of a server. */
export interface Judged {
  exitCode: number;
  headline: string;
  /** What failed and warned, in the order in which to look at it. */
  findings: CheckResult[];
  report: Report;
}

/** Runs the whole suite, or some checks of it, over a server, and stops it. */
export async function judge(server: Running, only: string[] = []): Promise<Judged> {
  const { baseUrl, apiKey, otherApiKey, fixtures, treePathParameter } = server;
  const limits = { settleMs: 1_500, timeoutMs: 5_000 };
  const settings = settingsFor('write', {
    ...{ baseUrl, apiKey, otherApiKey, fixtures, openPoints: { treePathParameter } },
    ...limits,
  });
  try {
    const report = await runSuite(settings, { tool: 'databases', only });
    const findings = inReadingOrder(report).filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    return { exitCode: exitCodeOf(report, false), headline: headlineText(report), findings, report };
  } finally {
    await server.close();
  }
}
