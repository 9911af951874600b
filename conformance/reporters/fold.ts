import { plural } from '../../reporting/text.ts';
import type { CheckResult } from '../report.ts';

/** A finding to show in full, and similar ones that need a line only. */
export interface Reported {
  check: CheckResult;
  alike: CheckResult[];
}

const fewAlike = 3;

/**
 * Groups findings by cause: those with the same words and the same response. A group of more than three is shown by its
 * first finding. Beyond `limit` groups, all findings are in `rest`.
 */
export function fold(
  findings: readonly CheckResult[],
  limit = Number.POSITIVE_INFINITY,
): { reported: Reported[]; rest: CheckResult[] } {
  const reported = [...Map.groupBy(findings, causeOf).values()].flatMap(([check, ...alike]) => {
    if (check === undefined) return [];
    return alike.length < fewAlike ? [check, ...alike].map((one) => ({ check: one, alike: [] })) : [{ check, alike }];
  });
  return {
    reported: reported.slice(0, limit),
    rest: reported.slice(limit).flatMap(({ check, alike }) => [check, ...alike]),
  };
}

function causeOf({ id, evidence }: CheckResult): string {
  if (evidence === undefined) return id;
  const { response, failure } = evidence.exchanges.at(-1) ?? {};
  return JSON.stringify([evidence.actual, response?.status, response?.body, failure?.kind]);
}

/** `9 more checks failed the same way` */
export function alikeText(alike: readonly CheckResult[]): string {
  return `${plural(alike.length, 'more check')} ${alike[0]?.outcome ?? 'failed'} the same way`;
}
