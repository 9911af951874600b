import type { OperationId } from '../../../openapi/contract/operations.ts';

/** Before the state change nothing has happened; after it, the answer is spoiled or lost. */
export type Moment = 'before' | 'after';

type NoSettings = Readonly<Record<string, never>>;

/** A delay that is fixed, or drawn between two bounds, both included. */
export type Latency = { readonly delayMs: number } | { readonly fromMs: number; readonly toMs: number };
/** The code of an error, and when to try again. */
export type Status = { readonly code: number; readonly retryAfterSeconds?: number };

/** What comes in place of an answer, or is done to it. */
export interface Spoilings {
  status: Status;
  connectionReset: NoSettings;
  emptyAnswer: NoSettings;
  truncatedBody: NoSettings;
  slowDribble: { readonly overMs: number };
  wrongMediaType: { readonly contentType?: string };
}

type Effects = Spoilings & { latency: Latency };
type OneOf<Settings> = { [Name in keyof Settings]: { readonly [Key in Name]: Settings[Name] } }[keyof Settings];

export type EffectName = keyof Effects;
/** What a fault does: one of these, with its settings. `faults.schema.yaml` describes them. */
export type Effect = OneOf<Effects>;

/** Which of its calls a fault strikes. */
export type Timing = { readonly next: number } | { readonly every: number } | { readonly share: number };

/** One deviation that the mock is told to inject. `faults.schema.yaml` is its schema. */
export interface Fault {
  /** Default: counted. */
  readonly id?: string;
  /** The only organization whose calls it strikes. Default: all. */
  readonly organizationId?: string;
  /** The only operations that it strikes. Default: all. */
  readonly operations?: readonly OperationId[];
  /** Default true. */
  readonly isEnabled?: boolean;
  readonly effect: Effect;
  /** Default: the first of {@link momentsOf} its effect. */
  readonly moment?: Moment;
  /** Default: always. */
  readonly when?: Timing;
}

/** What changes of a fault: a field takes the place of the whole field, null takes it away. */
export type FaultPatch = { readonly [Field in Exclude<keyof Fault, 'id'>]?: Fault[Field] | null };

/** A fault as the mock holds it, with what it has done so far. */
export interface ListedFault extends Fault {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly moment: Moment;
  /** How many calls were its kind while it was switched on. */
  readonly matched: number;
  /** How many of them it struck. */
  readonly struck: number;
  /** Whether it has struck as often as `next` says. */
  readonly isUsedUp: boolean;
}

/** What strikes one call. */
export interface Strike {
  /** Whose call it is. */
  readonly organizationId: string;
  /** The ids of the faults that struck, in the order of the list. */
  readonly faults: readonly string[];
  /** How long the call is held up at each moment. */
  readonly delayMs: Readonly<Record<Moment, number>>;
  /** What else happens to it: the effect of one of them. */
  readonly spoiling?: { readonly moment: Moment; readonly effect: OneOf<Spoilings> };
}

const moments: Record<EffectName, readonly [Moment, ...Moment[]]> = {
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
export function momentsOf(effect: Effect): readonly [Moment, ...Moment[]] {
  return moments[nameOf(effect)];
}
