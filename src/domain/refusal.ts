import type { RefusalKind } from '../../openapi/contract/refusals.ts';
import type { Violation } from '../../openapi/contract/schemas.ts';

/** Why a call was not carried out. Nothing was changed. */
export interface Refusal {
  readonly refused: RefusalKind;
  /** The error, its place, and the fix. */
  readonly detail: string;
  readonly violations?: readonly Violation[];
}

export function refuse(refused: RefusalKind, detail: string, violations?: readonly Violation[]): Refusal {
  return violations === undefined ? { refused, detail } : { refused, detail, violations };
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}

/** Violations of a part of a value, as violations of the whole. */
export function located(place: readonly string[], violations: readonly Violation[]): Violation[] {
  return violations.map((violation) => ({ ...violation, location: [...place, ...violation.location] }));
}
