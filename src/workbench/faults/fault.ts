/*
 * `faults.schema.yaml` and this file define faults and their moments; `parse-fault.ts` has the rules that no schema can
 * express; `faults.ts` selects the calls; `../edge/answer-call.ts` applies the effects. Damaged bodies: `damage.ts`,
 * `src/node/mock/server.ts`, `src/browser/to-response.ts`.
 */

import { placeOf } from '../../../lib/place.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';

/** `before`: the state does not change. `after`: it changes, then the response is damaged or lost. */
export type FaultMoment = 'before' | 'after';

type NoSettings = Readonly<Record<string, never>>;

/** A delay that is fixed, or random between two bounds, both included. */
export type Latency = { readonly delayMs: number } | { readonly fromMs: number; readonly toMs: number };
/** A delay: in milliseconds, as text such as `200` or `100-400`, or as in a fault. */
export type LatencyOption = number | string | Latency;

/** The code of an error, and when to retry. */
export type Status = { readonly code: number; readonly retryAfterSeconds?: number };

/** The effects that replace or damage a response. */
export interface ResponseFaults {
  status: Status;
  connectionReset: NoSettings;
  emptyAnswer: NoSettings;
  truncatedBody: NoSettings;
  slowDribble: { readonly overMs: number };
  wrongMediaType: { readonly contentType?: string };
}

type Effects = ResponseFaults & { latency: Latency };
type OneOf<Settings> = { [Name in keyof Settings]: { readonly [Key in Name]: Settings[Name] } }[keyof Settings];

type EffectName = keyof Effects;
/** The effect of a fault: one of these, with its settings. `faults.schema.yaml` describes them. */
export type Effect = OneOf<Effects>;

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
  /** Default: the first of {@link momentsOf} its effect. */
  readonly moment?: FaultMoment;
  /** Default: always. */
  readonly when?: Timing;
}

/** The id of the latency set for all organizations. The id for one organization starts with it and a colon. */
export const latencyId = 'latency';

/** A change of a fault: a field replaces the old one completely, null removes it. */
export type FaultPatch = { readonly [Field in Exclude<keyof Fault, 'id'>]?: Fault[Field] | null };

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
  readonly spoiling?: { readonly moment: FaultMoment; readonly effect: OneOf<ResponseFaults> };
}

const moments: Record<EffectName, readonly [FaultMoment, ...FaultMoment[]]> = {
  latency: ['before', 'after'],
  status: ['before', 'after'],
  connectionReset: ['after', 'before'],
  emptyAnswer: ['after', 'before'],
  truncatedBody: ['after'],
  slowDribble: ['after'],
  wrongMediaType: ['after'],
};

/** The name of an effect. */
export function nameOf(effect: Effect): EffectName {
  return Object.keys(effect)[0] as EffectName;
}

/** The moments at which an effect makes sense, the default first. */
export function momentsOf(effect: Effect): readonly [FaultMoment, ...FaultMoment[]] {
  return moments[nameOf(effect)];
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

/** The error for a fault with invalid fields. */
export function invalidFault(violations: readonly Violation[]): FaultError {
  const text = violations.map(({ location, message }) => `${placeOf(location) || 'The fault'} ${message}`).join('\n');
  return new FaultError('FAULT_INVALID', text, violations);
}
