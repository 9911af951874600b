import { plural } from '../../lib/text.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import type { Observed } from '../observe/observe.ts';
import type { Observer } from '../observe/observer.ts';
import {
  type CheckResult,
  type Outcome,
  outcomes,
  type Report,
  type RequiredChoice,
  type Summary,
  type Verdict,
} from '../report/report.ts';
import type { Settings } from './settings.ts';

/** How many checks ended with each outcome. */
export function summarize(checks: readonly CheckResult[]): Summary {
  const counts = outcomes.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]);
  return Object.fromEntries(counts) as Summary;
}

/**
 * Non-conformant if a must failed. Conformant if none failed, and everything enabled was judged (`isWhole`: to the end
 * of the run, without crashes of the target). Otherwise inconclusive.
 */
export function verdictOf({ failed, inconclusive, passed, warned }: Summary, isWhole: boolean): Verdict {
  if (failed > 0) return 'non-conformant';
  return isWhole && inconclusive === 0 && passed + warned > 0 ? 'conformant' : 'inconclusive';
}

/** 0: conformant. 1: non-conformant, or what the user asked for was not found. 2: could not run. 3: inconclusive. */
export type ExitCode = 0 | 1 | 2 | 3;

/** The exit code of a run, and all reasons why it is not 0, the most serious first. */
export interface Ending<Code extends number = ExitCode> {
  exitCode: Code;
  reasons: string[];
}

/** How a run ended. Expected failures and their consequences do not count; crashes of the target always do. */
export function endingOf(report: Report, isStrict: boolean): Ending {
  const found = causes(report, isStrict).filter(({ text }) => text !== '');
  const exitCode = found[0]?.exitCode ?? 0;
  return { exitCode, reasons: found.map(({ text }) => text) };
}

/** The exit code of a run. */
export function exitCodeOf(report: Report, isStrict: boolean): ExitCode {
  return endingOf(report, isStrict).exitCode;
}

/** The possible reasons for an exit code other than 0, the most serious first. An empty text means no. */
function causes(report: Report, isStrict: boolean): { exitCode: ExitCode; text: string }[] {
  const { checks, expectedFailures, run, summary } = report;
  const count = (outcome: Outcome) =>
    checks.filter((check) => check.outcome === outcome && check.expectedFailure === undefined).length;
  const few = (number: number, words: string) => (number === 0 ? '' : `${plural(number, 'check')} ${words}`);
  const isCut = run.endedBy !== undefined && run.endedBy !== 'suite' && run.endedBy !== 'user';
  const stale = expectedFailures.stale.length;
  const unmet = unmetChoices(report).length;
  const judged = summary.passed + summary.failed + summary.warned + summary.inconclusive;
  return [
    { exitCode: 1, text: few(count('failed'), 'failed') },
    { exitCode: 2, text: run.suiteError !== undefined && !isCut ? 'the suite stopped early' : '' },
    { exitCode: 3, text: isCut ? 'the run ended early' : '' },
    { exitCode: 1, text: stale === 0 ? '' : `${plural(stale, 'expected failure')} did not fail` },
    {
      exitCode: 1,
      text: unmet === 0 ? '' : `${plural(unmet, 'required choice')} ${unmet === 1 ? 'was' : 'were'} not seen`,
    },
    { exitCode: 1, text: isStrict ? few(count('warned'), 'warned (--strict)') : '' },
    { exitCode: 3, text: few(count('inconclusive'), 'could not be judged') },
    { exitCode: 3, text: run.crashes === undefined ? '' : 'the target crashed' },
    { exitCode: 1, text: isStrict ? few(count('not-enabled'), 'not enabled by the settings (--strict)') : '' },
    { exitCode: 2, text: judged === 0 ? 'nothing was judged' : '' },
  ];
}

/** The results of the required choices; empty if none are required. `observers`: all that there are. */
export function judgeChoices(
  settings: Settings,
  { observed }: Pick<Observed, 'observed'>,
  observers: readonly Observer[],
): Pick<Report, 'requiredChoices'> {
  const requiredChoices = Object.entries(settings.require).map(([openPoint, choice]): RequiredChoice => {
    const required = meant(openPoint, choice, { ...observed, ...settings.require });
    const seen = Object.hasOwn(observed, openPoint) ? observed[openPoint] : undefined;
    if (seen !== undefined) return { openPoint, required, seen };
    const setting = settingFor(openPoint, settings, observers);
    return { openPoint, required, ...(setting === undefined ? {} : { reason: `It needs ${setting}.` }) };
  });
  return requiredChoices.length === 0 ? {} : { requiredChoices };
}

// A choice that names another case of its open point stands for the choice there.
function meant(openPoint: string, choice: Choice, choices: Readonly<Record<string, Choice>>): Choice {
  const other = openPoint.replace(/\..*/, `.${choice}`);
  if (other === openPoint || !Object.hasOwn(choices, other)) return choice;
  return meant(other, choices[other] as Choice, choices);
}

const writing: readonly string[] = ['create', 'publish', 'move', 'delete'];

/** The missing permission without which an open point is hardly ever seen. */
function settingFor(openPoint: string, settings: Settings, observers: readonly Observer[]): string | undefined {
  const { allowWrites, allowDestructive, treePathParameter } = settings;
  const phase = observers.find((observer) => observer.openPoint === openPoint)?.phase ?? 'read';
  if (writing.includes(phase) && !allowWrites) return '--allow-writes';
  if (phase !== 'delete') return undefined;
  if (!allowDestructive) return '--allow-destructive';
  return treePathParameter === undefined ? 'openPoints.treePathParameter' : undefined;
}

/** Whether the target made the required choice. */
export function isMet({ required, seen }: RequiredChoice): boolean {
  return seen === required;
}

/** The required choices that were not seen. */
export function unmetChoices({ requiredChoices = [] }: Pick<Report, 'requiredChoices'>): RequiredChoice[] {
  return requiredChoices.filter((choice) => !isMet(choice));
}
