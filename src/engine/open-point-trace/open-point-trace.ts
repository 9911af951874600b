import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { carriersOf } from '../../../openapi/contract/security.ts';
import type { Call } from '../call.ts';
import type { CompiledOperation } from '../input.ts';
import { createRelevantTo, type RelevantPoint, type RelevantTo } from './relevance.ts';
import type { Outcome } from './relevance-rules.ts';
import { type Intake, RequestFacts, readIntake } from './request-facts.ts';

/**
 * The open points that shaped an answer, in the order of the register, as the text of a header: those at which another
 * choice would, or could, have changed its status, headers or body. `call` is what is known of the request.
 */
export type OpenPointTrace = (outcome: Outcome, call: Partial<Call>) => string;

/** Computes once what each operation and outcome depends on. After that a call costs two look-ups. */
export function createOpenPointTrace(
  contract: ContractDocument,
  profile: Profile,
  compiled: ReadonlyMap<OperationId, CompiledOperation>,
): OpenPointTrace {
  const known = new Map<string, Entry>();
  let relevantTo: RelevantTo | undefined;
  const add = (key: string, { operationId }: Partial<Call>, outcome: Outcome): Entry => {
    relevantTo ??= createRelevantTo(contract, profile);
    const operation = operationId === undefined ? undefined : compiled.get(operationId);
    const intake = operation && readIntake(operation, carriersOf(contract));
    const points = relevantTo(intake, outcome);
    const entry = { intake, points, conditional: points.filter(({ appliesTo }) => appliesTo), texts: new Map() };
    known.set(key, entry);
    return entry;
  };
  return (outcome, call) => {
    const key = `${call.operationId} ${outcome}`;
    const entry = known.get(key) ?? add(key, call, outcome);
    const unmet = unmetRules(entry, profile, call, outcome);
    const text = entry.texts.get(unmet) ?? textWithout(entry, unmet);
    entry.texts.set(unmet, text);
    return text;
  };
}

/** What the answers of one operation with one outcome depend on. */
interface Entry {
  intake: Intake | undefined;
  points: readonly RelevantPoint[];
  /** Those of them that depend on the request. */
  conditional: readonly RelevantPoint[];
  /** The texts by the conditional points that do not apply, one bit each. */
  texts: Map<number, string>;
}

function unmetRules({ intake, conditional }: Entry, profile: Profile, call: Partial<Call>, outcome: Outcome): number {
  if (intake === undefined || conditional.length === 0) return 0;
  const request = new RequestFacts(intake, profile, call);
  let unmet = 0;
  for (let bit = 0; bit < conditional.length; bit++) {
    if (!conditional[bit]?.appliesTo?.(request, outcome)) unmet |= 1 << bit;
  }
  return unmet;
}

function textWithout({ points, conditional }: Entry, unmet: number): string {
  const left = new Set(conditional.filter((_, bit) => (unmet & (1 << bit)) !== 0));
  return points.flatMap((point) => (left.has(point) ? [] : [point.id])).join(', ');
}
