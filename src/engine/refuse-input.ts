import { placeOf } from '../../lib/place.ts';
import { inputRefusalFor } from '../../openapi/contract/refusals.ts';
import { andMore, countOf, type Violation } from '../../openapi/contract/schemas.ts';
import type { Refusal } from '../domain/refusal.ts';

const mostShown = 1_000;

/** Refuses input, naming each rule that it breaks. */
export function refuseInput(violations: readonly Violation[], refused = inputRefusalFor(violations)): Refusal {
  const shown = violations.slice(0, mostShown).map(({ location, code, message }) => ({ location, code, message }));
  const rest = countOf(violations) - shown.length;
  const texts = shown.map(({ location, message }) => `${placeOf(location)} ${message}`);
  const detail = [...texts, ...(rest === 0 ? [] : [andMore(rest)])].join('; ');
  return { refused, detail, violations: shown };
}
