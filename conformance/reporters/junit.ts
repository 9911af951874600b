import type { CheckResult, Report } from '../report.ts';
import { againRows, exchangeRow, findingRows, layOut } from './failure-text.ts';
import { type Fragment, Markup, markup } from './markup.ts';
import { cut, oneLine } from './text.ts';
import { isExpected, verdictReason } from './words.ts';

const shownMessage = 500;

/** The report as JUnit XML: a test case per check, in one suite. */
export function toJunit(report: Report): string {
  const cases = report.checks.map((check) => testCase(check, report));
  const { suiteError, startedAt } = report.run;
  const suite = suiteError === undefined ? [] : [suiteErrorCase(suiteError)];
  const counts = countsOf(report, suite.length);
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance"${counts}>
  <testsuite name="conformance"${counts}${attribute('timestamp', startedAt)}>
    <properties>${Object.entries(facts(report)).map(([name, value]) => property(name, value))}
    </properties>${[...cases, ...suite]}
  </testsuite>
</testsuites>
`;
  return document.text;
}

function countsOf(report: Report, errors: number): Markup {
  const count = (isCounted: (check: CheckResult) => boolean) => report.checks.filter(isCounted).length;
  const { durationMs } = report.run;
  return markup` tests="${report.checks.length + errors}" failures="${count(isFailure)}" errors="${errors}" skipped="${count(isSkipped)}" time="${seconds(durationMs)}"`;
}

function facts(report: Report): Record<string, string> {
  const { run } = report;
  return {
    verdict: report.verdict,
    'verdict.reason': verdictReason(report),
    tool: run.tool,
    contractVersion: run.contractVersion,
    baseUrl: run.baseUrl,
    randomSeed: String(run.randomSeed),
    runId: run.id,
    requests: String(run.requests),
    allowWrites: String(run.allowWrites),
    allowDestructive: String(run.allowDestructive),
  };
}

function testCase(check: CheckResult, report: Report): Markup {
  const properties = Object.entries(caseProperties(check, report)).map(([name, value]) =>
    property(name, value, '      '),
  );
  return markup`
    <testcase${attribute('classname', check.operation)}${attribute('name', check.id)} time="${seconds(check.durationMs)}">${
      properties.length > 0 &&
      markup`
      <properties>${properties}
      </properties>`
    }${ending(check)}
    </testcase>`;
}

function caseProperties(check: CheckResult, report: Report): Record<string, string> {
  return {
    requirement: check.requirements.join(' '),
    level: check.level,
    outcome: check.outcome,
    ...(check.setting === undefined ? {} : { setting: check.setting }),
    ...(report.expectedFailures.stale.includes(check.id) ? { expectedFailure: 'stale: it did not fail' } : {}),
  };
}

function isFailure(check: CheckResult): boolean {
  return check.outcome === 'failed' && !isExpected(check);
}

// JUnit has no expected failure. As in other runners it is skipped, with its reason: neither green nor red.
function isSkipped(check: CheckResult): boolean {
  return (
    check.outcome === 'unverified' || check.outcome === 'skipped' || (check.outcome === 'failed' && isExpected(check))
  );
}

/** What a test case holds beside its properties. */
function ending(check: CheckResult): Fragment {
  if (isFailure(check)) {
    return markup`
      <failure${attribute('message', messageOf(check))}${attribute('type', check.level)}>${story(check)}</failure>`;
  }
  if (isSkipped(check)) {
    return markup`
      <skipped${attribute('message', skipReason(check))}/>`;
  }
  // JUnit knows no warning. A broken recommendation breaks no build, so the case passes, and says so in its output.
  if (check.outcome === 'warned') {
    return markup`
      <system-out>${`warned: ${messageOf(check)}\n${story(check)}`}</system-out>`;
  }
  return undefined;
}

function messageOf(check: CheckResult): string {
  return cut(oneLine(check.evidence?.actual || check.reason), shownMessage);
}

function skipReason(check: CheckResult): string {
  if (isExpected(check)) return `expected failure: ${check.expectedFailure}`;
  return check.outcome === 'unverified' ? `unverified: ${check.reason}` : check.reason || 'not asked for';
}

function story(check: CheckResult): string {
  const rows = [...findingRows(check), ...exchangeRow(check), ...againRows(check, `--only ${check.id}`)];
  return `\n${layOut(rows).join('\n')}\n`;
}

function suiteErrorCase(message: string): Markup {
  return markup`
    <testcase classname="suite" name="suite" time="0">
      <error${attribute('message', cut(oneLine(message), shownMessage))} type="suite">${message}</error>
    </testcase>`;
}

function property(name: string, value: string, indent = '    '): Markup {
  return markup`
${new Markup(indent)}  <property${attribute('name', name)}${attribute('value', value)}/>`;
}

// A parser makes a space of a line break in an attribute, unless it comes as a reference.
function attribute(name: string, value: string): Markup {
  const { text } = markup`${value}`;
  return new Markup(` ${name}="${text.replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
