import { placeOf } from '../../lib/place.ts';
import { type Problem, problemType } from '../../openapi/contract/error-bodies.ts';
import { inputRefusalFor, refusals } from '../../openapi/contract/refusals.ts';
import { andMore, countOf } from '../../openapi/contract/schemas.ts';
import type { Refusal } from '../domain/refusal.ts';

/** An error response as an RFC 9457 problem. */
export function toProblem({ refused, detail, violations }: Refusal, status: number): Problem {
  const { code, title } = refusals[refused];
  const problem: Problem = { type: problemType(code), title, status, detail };
  if (violations !== undefined) problem.validation = violations.map((one) => ({ ...one, severity: 'Error' }));
  return problem;
}

const mostShown = 1_000;

/** Refuses input, naming each rule that it breaks. */
export function refuseInput(
  violations: NonNullable<Refusal['violations']>,
  refused: Refusal['refused'] = inputRefusalFor(violations),
): Refusal {
  const shown = violations.slice(0, mostShown).map(({ location, code, message }) => ({ location, code, message }));
  const rest = countOf(violations) - shown.length;
  const texts = shown.map(({ location, message }) => `${placeOf(location)} ${message}`);
  const detail = [...texts, ...(rest === 0 ? [] : [andMore(rest)])].join('; ');
  return { refused, detail, violations: shown };
}
