import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  contractDigest,
  inWords,
  loadReport,
  type Outcome,
  type Report,
  reporters,
  type Settings,
  SuiteError,
} from '../../conformance/index.ts';
import { own, say } from '../../openapi/reading/sentence.ts';
import { nameList, plural } from '../../reporting/text.ts';
import { conformanceFlags } from './conformance-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';

/** A report, and those of its checks that will run again. */
export interface FailedBefore {
  file: string;
  report: Report;
  ids: readonly string[];
}

const again: readonly Outcome[] = ['failed', 'warned', 'inconclusive', 'not-enabled'];

/**
 * The checks of `--failed`. Throws a {@link SuiteError} if there is no report, or one on another contract or target.
 */
export function loadFailed(
  { failed, json, reportDir }: { failed?: string; json?: string; reportDir?: string },
  settings: Settings,
  { redact }: Pick<SafeTerminal, 'redact'>,
): FailedBefore | undefined {
  if (failed === undefined) return undefined;
  const file = failed === conformanceFlags.failed.bare ? lastOf(json, reportDir) : failed;
  const report = loadReport(file);
  requireSame(file, report, redact(settings.baseUrl));
  return {
    file: redact(file),
    report,
    ids: report.checks.filter(({ outcome }) => again.includes(outcome)).map(({ id }) => id),
  };
}

/** Where this command line writes a JSON report; the newer one if there are two. */
function lastOf(json: string | undefined, reportDir = conformanceFlags.reportDir.default): string {
  const places = [...(json === undefined ? [] : [json]), join(reportDir, reporters.json.fileName)];
  const written = places.filter((file) => existsSync(file));
  const [newest] = written.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest !== undefined) return newest;
  const hint = own('Run all checks with --report json first, or name a report: --failed=<report.json>');
  throw new SuiteError(
    'REPORT_INVALID',
    say`--failed needs a JSON report; there is none at ${places.join(' or ')}. ${hint}.`,
  );
}

function requireSame(file: string, { run, digest }: Report, baseUrl: string): void {
  if (run.baseUrl !== baseUrl) {
    const remedy = own('Name a report on this server: --failed=<report.json>');
    throw new SuiteError(
      'REPORT_INVALID',
      say`${file} is a report on ${run.baseUrl}, but this run judges ${baseUrl}. ${remedy}.`,
    );
  }
  if (digest?.contract === contractDigest()) return;
  const hint = own('Run all checks again with --report json');
  throw new SuiteError('REPORT_INVALID', say`${file} was written by a different version of the contract. ${hint}.`);
}

/** Says which checks will run again. */
export function describeAgain({ file, report, ids }: FailedBefore): string {
  const counts = again.map((outcome) => `${report.summary[outcome]} ${inWords(outcome)}`).join(', ');
  return `Running again: ${plural(ids.length, 'check')} of ${file} (${counts}), ${report.run.startedAt}\n`;
}

/** Says how the checks of a report ended when they ran again. */
export function describeRecovered({ file, report, ids }: FailedBefore, now: Report): string {
  const after = new Map(now.checks.map(({ id, outcome }) => [id, outcome]));
  const mended = report.checks.filter(({ id, outcome }) => {
    return (outcome === 'failed' || outcome === 'warned') && after.get(id) === 'passed';
  });
  const count = (outcome: Outcome) => ids.filter((id) => after.get(id) === outcome).length;
  const rest = again.filter((outcome) => count(outcome) > 0).map((outcome) => `${count(outcome)} ${inWords(outcome)}`);
  const names =
    mended.length === 0
      ? []
      : [
          'No longer failing:',
          ...nameList(
            mended.map(({ id }) => id),
            '  ',
          ),
        ];
  const total = `Of ${plural(ids.length, 'check')} in ${file}: ${[`${count('passed')} passed`, ...rest].join(', ')}`;
  return ['', ...names, total, ''].join('\n');
}
