// Reports for CI: annotations on GitHub, and JUnit.
import { randomBytes } from 'node:crypto';
import { type JunitCase, type JunitResult, toJunitXml } from '../../lib/junit.ts';
import { cut, oneLine, visible } from '../../lib/text.ts';
import type { CheckResult, Report } from '../report.ts';
import { againRows, exchangeRow, findingRows, fold, layOut, onlyOptions } from './failure-text.ts';
import {
  headlineText,
  inconclusiveChecks,
  inReadingOrder,
  isExpected,
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

const shownMessage = 500;
const shownReason = 2000;

/** The report as JUnit XML: a test case per check, in one suite. With `isStrict`, what `--strict` adds fails too. */
export function toJunit(report: Report, isStrict = false): string {
  const { run, verdict } = report;
  const { tool, contractVersion, baseUrl, suiteError, startedAt, durationMs } = run;
  const properties = {
    ...{ verdict, 'verdict.reason': headlineText(report), tool, contractVersion, baseUrl },
    ...{ randomSeed: String(run.randomSeed), runId: run.id, requests: String(run.requests) },
    ...{ allowWrites: String(run.allowWrites), allowDestructive: String(run.allowDestructive) },
  };
  const checks = inReadingOrder(report).map((check) => testCase(check, report, isStrict));
  const cases = [...checks, ...choiceCases(report), ...staleCases(report)];
  if (suiteError !== undefined) {
    const message = cut(oneLine(suiteError), shownMessage);
    const result: JunitResult = { kind: 'error', message, type: 'suite', text: suiteError };
    cases.push({ classname: 'suite', name: 'suite', results: [result] });
  }
  return toJunitXml({ name: 'conformance', startedAt, durationMs, properties, cases });
}

function choiceCases(report: Report): JunitCase[] {
  return requiredChoiceLines(report).map(({ choice, text, isMet }) => {
    const failure: JunitResult = { kind: 'failure', message: oneLine(`${choice} ${text}`), type: 'required choice' };
    return { classname: 'required choices', name: choice, results: isMet ? [] : [failure] };
  });
}

/** An entry that did not fail fails the run, so it gets its own case: a pattern does not belong to one check. */
function staleCases(report: Report): JunitCase[] {
  return staleLines(report).map(({ id, text }) => {
    const failure: JunitResult = { kind: 'failure', message: oneLine(`${id} ${text}`), type: 'expected failure' };
    return { classname: 'expected failures', name: id, results: [failure] };
  });
}

function testCase(check: CheckResult, { expectedFailures }: Report, isStrict: boolean): JunitCase {
  const { id, operation, requirements, level, outcome, setting, obstacle, because, durationMs } = check;
  return {
    ...{ classname: operation, name: id, durationMs, results: resultsOf(check, isStrict) },
    properties: {
      ...{ requirement: requirements.join(' '), level, outcome },
      ...(setting === undefined ? {} : { setting }),
      ...(obstacle === undefined ? {} : { obstacle }),
      ...(because === undefined ? {} : { because }),
      ...(expectedFailures.stale.includes(id) ? { expectedFailure: 'stale: it did not fail' } : {}),
    },
  };
}

function resultsOf(check: CheckResult, isStrict: boolean): JunitResult[] {
  const { outcome, level, reason } = check;
  const message = cut(oneLine(check.evidence?.actual || reason), shownMessage);
  switch (outcome) {
    case 'passed':
      return [];
    // It was requested but could not be done: neither green nor a failure of the server.
    case 'inconclusive': {
      const why = `inconclusive: ${cut(reason, shownReason)}`;
      if (isExpected(check)) return [{ kind: 'skipped', message: why }];
      return [
        { kind: 'error', message: cut(oneLine(why), shownMessage), type: check.obstacle ?? 'inconclusive', text: why },
      ];
    }
    case 'not-enabled': {
      const why = `not enabled: ${cut(reason, shownReason)}`;
      if (!isStrict) return [{ kind: 'skipped', message: why }];
      return [{ kind: 'failure', message: cut(oneLine(why), shownMessage), type: 'not enabled', text: why }];
    }
    case 'skipped':
      return [{ kind: 'skipped', message: cut(reason, shownReason) || 'not selected' }];
    // JUnit has no warnings. Without --strict a broken should does not break a build, so the case passes, with a note in its output.
    case 'warned':
      if (isStrict && !isExpected(check)) return [{ kind: 'failure', message, type: level, text: story(check) }];
      return [{ kind: 'system-out', text: `warned: ${message}\n${story(check)}` }];
    // JUnit has no expected failures. As in other runners, they are skipped with the reason: neither green nor red.
    case 'failed':
      return isExpected(check)
        ? [{ kind: 'skipped', message: `expected failure: ${check.expectedFailure}` }]
        : [{ kind: 'failure', message, type: level, text: story(check) }];
  }
}

function story(check: CheckResult): string {
  const rows = [...findingRows(check), ...exchangeRow(check), ...againRows(check, onlyOptions(check))];
  return `\n${layOut(rows).join('\n')}\n`;
}
