import { type Problem, problemType } from '../../openapi/contract/error-bodies.ts';
import { refusals } from '../../openapi/contract/refusals.ts';
import type { Refusal } from '../domain/refusal.ts';

/** A refusal as a problem of RFC 9457. */
export function toProblem({ refused, detail, violations }: Refusal, status: number): Problem {
  const { code, title } = refusals[refused];
  const problem: Problem = { type: problemType(code), title, status, detail };
  if (violations !== undefined) problem.validation = violations.map((one) => ({ ...one, severity: 'Error' }));
  return problem;
}

/** Refuses input, naming each rule that it breaks. */
export function refuseInput(
  violations: NonNullable<Refusal['violations']>,
  refused: Refusal['refused'] = 'invalidInput',
): Refusal {
  const detail = violations.map(({ location, message }) => `${location.join('.')} ${message}`).join('; ');
  return { refused, detail, violations };
}
