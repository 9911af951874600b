// The findings as annotations on GitHub.
import { randomBytes } from 'node:crypto';
import { cut, oneLine, visible } from '../../lib/text.ts';
import { againRows, findingRows, fold, layOut, onlyOptions } from './failure-text.ts';
import type { CheckResult, Report } from './report.ts';
import {
  headlineText,
  inconclusiveChecks,
  requiredChoiceLines,
  staleLines,
  unexpected,
  unjudgedGroups,
} from './words.ts';

// GitHub shows ten errors and ten warnings per step.
const shown = 10;
const shownText = 3000;
const shownFirst = 200;

/**
 * The findings as workflow commands, which GitHub shows as annotations: errors for what fails the run, warnings for the
 * others. With `isStrict`, warnings fail it too, and checks that are not enabled.
 */
export function toAnnotations(report: Report, command: string, isStrict = false): string {
  const errors =
    report.run.suiteError === undefined ? [] : [annotation('error', headlineText(report), report.run.suiteError)];
  const unmet = requiredChoiceLines(report).filter(({ isMet }) => !isMet);
  if (report.verdict === 'inconclusive' && errors.length === 0 && inconclusiveChecks(report).length > 0) {
    errors.push(annotation('error', 'inconclusive', headlineText(report)));
  }
  errors.push(...unmet.map(({ choice, text }) => annotation('error', 'required choice', `${choice} ${text}`)));
  const failed = annotationsOf('error', unexpected(report, 'failed'), command, shown);
  const stale = staleLines(report).map(({ id, text }) => annotation('error', 'expected failure', `${id} ${text}`));
  const warned = annotationsOf(isStrict ? 'error' : 'warning', unexpected(report, 'warned'), command, shown);
  const strict = isStrict ? [...warned, ...notEnabled(report)] : [];
  const lines = [...[...errors, ...failed, ...stale, ...strict].slice(0, shown), ...(isStrict ? [] : warned)];
  return lines.map((line) => `${line}\n`).join('');
}

function annotationsOf(kind: Kind, found: readonly CheckResult[], command: string, limit: number): string[] {
  const { reported } = fold(found, limit);
  return reported.map(({ check }) => {
    const rows = [...findingRows(check), ...againRows(check, `${command} ${onlyOptions(check)}`)];
    const first = cut(oneLine(check.evidence?.actual || check.reason), shownFirst);
    return annotation(kind, `${check.id} ${check.outcome}`, [first, '', ...layOut(rows)].join('\n'));
  });
}

function notEnabled(report: Report): string[] {
  return unjudgedGroups(report, 'not-enabled').map(({ lead, setting = '' }) => {
    return annotation('error', 'not enabled', `${lead} ${setting}`.trimEnd());
  });
}

type Kind = 'error' | 'warning';

function annotation(kind: Kind, title: string, text: string): string {
  return `::${kind} title=${property(title)}::${data(cut(visible(text), shownText))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Text in which GitHub executes no commands: parts of it may come from a target. */
export function withoutCommands(text: string): string {
  const token = randomBytes(16).toString('hex');
  return `::stop-commands::${token}\n${text}::${token}::\n`;
}
