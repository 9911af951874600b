/** The report that pictures show: of a run against the broken server, with what differs from run to run replaced. */

import { toHtml } from '../../conformance/report/html.ts';
import type { Report } from '../../conformance/report/report.ts';
import { withWords } from '../../conformance/report/report-words.ts';
import { clock, suiteRun } from './recordings.ts';

/** As JSON. */
export async function usedReport(): Promise<string> {
  const text = (await suiteRun()).report
    .replaceAll(/(?<="durationMs": )\d+/g, '2')
    .replaceAll(/(?<="date": ")[^"]*/g, 'Thu, 01 Oct 2026 09:00:00 GMT');
  const report = JSON.parse(text) as Report;
  const run = { ...report.run, startedAt: clock, requests: 609, durationMs: 2400 };
  // Which choices are seen depends on the order of the requests.
  return JSON.stringify(withWords({ ...report, run, observed: {}, samples: {} }));
}

/** As a page. */
export async function usedReportPage(): Promise<string> {
  return toHtml(JSON.parse(await usedReport()) as Report);
}
