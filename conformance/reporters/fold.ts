import { plural } from '../../lib/text.ts';
import type { CheckResult } from '../report.ts';

/** A finding to show in full, and similar ones that only need a line. */
export interface Reported {
  check: CheckResult;
  alike: CheckResult[];
}

const fewAlike = 3;

/**
 * Groups findings by cause: those that follow from one failure, those with the same words and the same rule or
 * response, and many cases of one rule. A group of more than three, or one that follows from its first finding, is
 * represented by that one. Beyond `limit` groups, all findings are in `rest`.
 */
export function fold(
  findings: readonly CheckResult[],
  limit = Number.POSITIVE_INFINITY,
): { reported: Reported[]; rest: CheckResult[] } {
  const ids = new Set(findings.map(({ id }) => id));
  const cause = (check: CheckResult) => (ids.has(check.because ?? '') ? check.because : causeOf(check, findings));
  const reported = [...Map.groupBy(findings, cause).values()].flatMap(([check, ...alike]) => {
    if (check === undefined) return [];
    const isExplained = alike.every(({ because }) => because === check.id);
    return alike.length < fewAlike && !isExplained
      ? [check, ...alike].map((one) => ({ check: one, alike: [] }))
      : [{ check, alike }];
  });
  return {
    reported: reported.slice(0, limit),
    rest: reported.slice(limit).flatMap(({ check, alike }) => [check, ...alike]),
  };
}

function causeOf(check: CheckResult, findings: readonly CheckResult[]): string {
  const { id, evidence } = check;
  if (evidence === undefined || findings.some(({ because }) => because === id)) return id;
  // A rule broken in the same way on many operations has one cause.
  const sameRule = findings.filter((other) => ruleOf(other) === ruleOf(check));
  if (sameRule.length > fewAlike) return ruleOf(check);
  const sameCases = findings.filter((other) => isCase(id) && familyOf(other.id) === familyOf(id));
  if (sameCases.length > fewAlike) return familyOf(id);
  const { response, failure } = evidence.exchanges.at(-1) ?? {};
  return JSON.stringify([evidence.actual, response?.status, response?.body, failure?.kind]);
}

/** The rule that a check judges, without the operation, with the words for how it is broken. */
function ruleOf({ id, evidence }: CheckResult): string {
  return JSON.stringify([id.slice(id.indexOf('.')), evidence?.actual]);
}

/** The part of an id that all cases of a rule share: `createDrive.name-kept` of `createDrive.name-kept.long`. */
function familyOf(id: string): string {
  return id.split('.').slice(0, 2).join('.');
}

function isCase(id: string): boolean {
  return id !== familyOf(id);
}

/** `9 more checks failed the same way`; `5 more checks of this rule failed` if they differ in what they found. */
export function alikeText({ check, alike }: Reported): string {
  const isSame = alike.every((one) => !differs(one, check));
  const words = isSame ? ['', ' the same way'] : [' of this rule', ''];
  return `${plural(alike.length, 'more check')}${words[0]} ${alike[0]?.outcome ?? 'failed'}${words[1]}`;
}

/** Whether a finding differs in cause or words from the one that represents it. */
export function differs({ because, evidence }: CheckResult, first: CheckResult): boolean {
  return because !== first.id && evidence?.actual !== first.evidence?.actual;
}
