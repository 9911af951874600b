import type { CheckResult } from '../report.ts';

/** A failure that is told in full, and those that came to the same and need a line only. */
export interface Told {
  check: CheckResult;
  alike: CheckResult[];
}

export interface Folded {
  told: Told[];
  /** What is left when enough has been told in full. */
  rest: CheckResult[];
}

const fewAlike = 3;

/**
 * Says one failure in full for each cause where many have the same cause, and at most `limit` in full. Two failures are
 * alike when the same was seen: the same words and the same answer. A few alike ones all stand in full.
 */
export function fold(failures: readonly CheckResult[], limit = Number.POSITIVE_INFINITY): Folded {
  const causes = [...Map.groupBy(failures, causeOf).values()];
  const told = causes.flatMap(([check, ...alike]) => {
    if (check === undefined) return [];
    return alike.length < fewAlike ? [check, ...alike].map((one) => ({ check: one, alike: [] })) : [{ check, alike }];
  });
  return {
    told: told.slice(0, limit),
    rest: told.slice(limit).flatMap(({ check, alike }) => [check, ...alike]),
  };
}

function causeOf({ id, evidence }: CheckResult): string {
  if (evidence === undefined) return id;
  const { response, failure } = evidence.exchanges.at(-1) ?? {};
  return JSON.stringify([evidence.actual, response?.status, response?.body, failure?.kind]);
}
