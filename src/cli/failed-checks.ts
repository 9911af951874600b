import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  allChecks,
  type CheckResult,
  contractDigest,
  inWords,
  loadReport,
  type Outcome,
  type Report,
  reporters,
  type Settings,
  SuiteError,
} from '../../conformance/index.ts';
import { own, say } from '../../lib/sentence.ts';
import { nameList, plural } from '../../lib/text.ts';
import { conformanceFlags } from './conformance-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';

/** A report, and those of its checks that will run again. */
export interface FailedBefore {
  file: string;
  report: Report;
  ids: readonly string[];
  /** Other checks, whose requests show what some of those found. */
  senders: readonly string[];
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
  const checks = report.checks.filter(({ outcome }) => again.includes(outcome));
  return { file: redact(file), report, ids: checks.map(({ id }) => id), senders: otherSenders(checks) };
}

/** The other checks whose requests show what some checks found. */
export function otherSenders(checks: readonly CheckResult[]): string[] {
  const ids = new Set(checks.map(({ id }) => id));
  const senders = new Set(checks.flatMap(({ evidence }) => evidence?.sentBy ?? []));
  return [...senders].filter((id) => !ids.has(id));
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
export function describeAgain({ file, report, ids, senders }: FailedBefore): string {
  const counts = again.map((outcome) => `${report.summary[outcome]} ${inWords(outcome)}`).join(', ');
  const more =
    senders.length === 0 ? '' : `, and ${plural(senders.length, 'check')} with the requests behind their results`;
  return `Running again: ${plural(ids.length, 'check')} of ${file} (${counts}), ${report.run.startedAt}${more}\n`;
}

/** Says how the checks of a report ended when they ran again. */
export function describeRecovered({ file, report, ids }: FailedBefore, now: Report): string {
  const after = new Map(now.checks.map(({ id, outcome }) => [id, outcome]));
  const notFound = report.checks.filter(({ id, outcome }) => {
    return (outcome === 'failed' || outcome === 'warned') && after.get(id) === 'passed';
  });
  const mended = notFound.filter((check) => isMended(check, after));
  const unsure = notFound.filter((check) => !mended.includes(check));
  const count = (outcome: Outcome) => ids.filter((id) => after.get(id) === outcome).length;
  const rest = again.filter((outcome) => count(outcome) > 0).map((outcome) => `${count(outcome)} ${inWords(outcome)}`);
  const names = [
    ...named('No longer failing:', mended),
    ...named('Not seen again; only a full run can tell whether they still fail:', unsure),
  ];
  const total = `Of ${plural(ids.length, 'check')} in ${file}: ${[`${count('passed')} passed`, ...rest].join(', ')}`;
  return ['', ...names, total, ''].join('\n');
}

/** Whether everything that showed a finding was sent again, and is enough to show it. */
function isMended({ id, evidence }: CheckResult, after: ReadonlyMap<string, Outcome>): boolean {
  const judged: readonly (Outcome | undefined)[] = ['passed', 'failed', 'warned'];
  const { sentBy } = evidence ?? {};
  if (sentBy === undefined || (weighsRun(id) && sentBy.some((sender) => sender !== id))) return false;
  return sentBy.every((sender) => judged.includes(after.get(sender)));
}

/** Whether a check compares or counts what others sent: a few requests do not show what many do. */
function weighsRun(id: string): boolean {
  const check = allChecks().find((one) => one.id === id);
  return check?.phase === 'judge' && !check.isAboutAnswers;
}

function named(title: string, checks: readonly CheckResult[]): string[] {
  if (checks.length === 0) return [];
  const ids = checks.map(({ id }) => id);
  return [title, ...nameList(ids, '  ')];
}
