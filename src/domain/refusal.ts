import type { RefusalKind } from '../../openapi/contract/refusals.ts';
import type { Violation } from '../../openapi/contract/schemas.ts';

/** Why a call was refused. It changed nothing. */
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

/** The violations in a part of a value, located in the whole. */
export function located(place: readonly string[], violations: readonly Violation[]): Violation[] {
  return violations.map((violation) => ({ ...violation, location: [...place, ...violation.location] }));
}
