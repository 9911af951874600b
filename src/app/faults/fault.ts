/*
 * `faults.schema.yaml` and this file define faults, `effects.ts` what they do; `parse-fault.ts` has the rules that no
 * schema can express; `faults.ts` selects the calls; `../edge/answer-call.ts` applies the effects.
 */

import { placeOf } from '../../../lib/place.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import type { Effect, FaultMoment, Latency } from './effects.ts';

/** A delay: in milliseconds, as text such as `200` or `100-400`, or as in a fault. */
export type LatencyOption = number | string | Latency;

/** Selects the calls that a fault is applied to. */
export type Timing = { readonly next: number } | { readonly every: number } | { readonly share: number };

/** One deviation that the mock injects. `faults.schema.yaml` is its schema. */
export interface Fault {
  /** Default: counted. */
  readonly id?: string;
  /** Applies only to calls of this organization. Default: all. */
  readonly organizationId?: string;
  /** Applies only to these operations. Default: all. */
  readonly operations?: readonly OperationId[];
  /** Default true. */
  readonly isEnabled?: boolean;
  readonly effect: Effect;
  /** Default: the first of `momentsOf` its effect. */
  readonly moment?: FaultMoment;
  /** Default: always. */
  readonly when?: Timing;
  /** Number of calls that it counts as matched already, such as those before it was removed. Default 0. */
  readonly matched?: number;
  /** Number of calls that it counts as applied to already. Default 0. */
  readonly applied?: number;
}

/** The id of the latency set for all organizations. The id for one organization starts with it and a colon. */
export const latencyId = 'latency';

/** Whether an id is that of a latency of the settings, which is not removed with the faults. */
export function isLatencyId(id: string | undefined): boolean {
  return id === latencyId || id?.startsWith(`${latencyId}:`) === true;
}

/** A change of a fault: a field replaces the old one completely, null removes it. */
export type FaultPatch = {
  readonly [Field in Exclude<keyof Fault, 'id' | 'matched' | 'applied'>]?: Fault[Field] | null;
};

/** A fault with its counts. */
export interface ListedFault extends Fault {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly moment: FaultMoment;
  /** Number of calls that it selected while enabled. */
  readonly matched: number;
  /** Number of calls that it was applied to. */
  readonly applied: number;
  /** Whether it was applied the number of times that `next` allows. */
  readonly isUsedUp: boolean;
}

/** The faults that apply to one call, and their effects. */
export interface FaultMatch {
  /** The organization of the call. */
  readonly organizationId: string;
  /** The ids of the faults, in the order of the list. */
  readonly faults: readonly string[];
  /** How long the call is delayed at each moment. */
  readonly delayMs: Readonly<Record<FaultMoment, number>>;
  /** The effect other than delays. */
  readonly spoiling?: { readonly moment: FaultMoment; readonly effect: Effect };
}

/** Why a fault was not added or changed. */
export type FaultErrorCode = 'FAULT_INVALID' | 'FAULT_ID_TAKEN' | 'FAULT_UNKNOWN';

/** A fault that was not added or changed. The message shows the error, its place and the fix. */
export class FaultError extends Error {
  readonly code: FaultErrorCode;
  /** The violations of its fields; empty for other errors. */
  readonly violations: readonly Violation[];

  constructor(code: FaultErrorCode, message: string, violations: readonly Violation[] = []) {
    super(message);
    this.name = 'FaultError';
    this.code = code;
    this.violations = violations;
  }
}

export function invalidFault(violations: readonly Violation[]): FaultError {
  const text = violations.map(({ location, message }) => `${placeOf(location) || 'The fault'} ${message}`).join('\n');
  return new FaultError('FAULT_INVALID', text, violations);
}
