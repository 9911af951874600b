/** The report that pictures show: of a run against the broken server, with what differs from run to run replaced. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../conformance/report.ts';
import { toHtml } from '../../conformance/reporters/html.ts';
import { clock, runSuite } from './recordings.ts';

let run: Promise<string> | undefined;

/** As JSON. The suite runs once, when the first picture needs it. */
export function usedReport(): Promise<string> {
  run ??= makeReport();
  return run;
}

/** As a page. */
export async function usedReportPage(): Promise<string> {
  return toHtml(JSON.parse(await usedReport()) as Report);
}

async function makeReport(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-pictures-'));
  const file = join(folder, 'report.json');
  try {
    const { baseUrl } = await runSuite(file);
    const text = readFileSync(file, 'utf8')
      .replaceAll(new URL(baseUrl).host, '127.0.0.1:8080')
      .replaceAll(/(?<="durationMs": )\d+/g, '2')
      .replaceAll(/(?<="requests": )\d+/g, '609')
      .replaceAll(/(?<="startedAt": ")[^"]*/g, clock)
      .replaceAll(/(?<="date": ")[^"]*/g, 'Thu, 01 Oct 2026 09:00:00 GMT')
      .replaceAll(/\b[0-9a-f]{8}(?=-0000-4000-8000-)/g, 'c0ffee00')
      .replaceAll(/(?<=-0000-4000-8000-)\d{12}/g, '000000000042')
      .replaceAll(/run-[0-9a-f]{8}/g, 'run-c0ffee00');
    const report = JSON.parse(text) as Report;
    // Which choices are seen depends on the order of the requests.
    return JSON.stringify({ ...report, observed: {}, samples: {}, run: { ...report.run, durationMs: 2400 } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
