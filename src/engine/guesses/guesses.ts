import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { OpenPointId, Profile } from '../../../openapi/contract/profile.ts';
import type { Call } from '../call.ts';
import { Asked, type Intake } from './asked.ts';
import { bearingOn, type Grounds, readGrounds } from './grounds.ts';
import type { Judgement, Outcome } from './judgements.ts';

/**
 * The open points that shaped an answer, in the order of the register, as the text of a header: those of which another
 * choice would, or could, have changed its status, headers or body. `call` is what is known of the request.
 */
export type Guesses = (outcome: Outcome, call: Partial<Call>) => string;

/** What is worked out once for each operation and outcome; then a call costs two look-ups and a glance at the request. */
export function createGuesses(contract: ContractDocument, profile: Profile): Guesses {
  const known = new Map<OperationId | undefined, Map<Outcome, Entry>>();
  let grounds: Grounds | undefined;
  const add = (operationId: OperationId | undefined, outcome: Outcome): Entry => {
    grounds ??= readGrounds(contract, profile);
    const entry = toEntry(grounds, operationId, outcome);
    known.set(operationId, (known.get(operationId) ?? new Map()).set(outcome, entry));
    return entry;
  };
  return (outcome, call) => {
    const entry = known.get(call.operationId)?.get(outcome) ?? add(call.operationId, outcome);
    return textOf(entry, conditionsMet(entry, profile, call, outcome));
  };
}

/** The open points on which the answers of one operation with one outcome depend. */
interface Entry {
  intake: Intake | undefined;
  /** All of them, in the order of the register. */
  ids: readonly OpenPointId[];
  /** Those on which only answers to some requests depend. */
  conditions: readonly { id: OpenPointId; had: NonNullable<Judgement['had']> }[];
  /** By which conditions are met, one bit each. */
  texts: Map<number, string>;
}

function toEntry(grounds: Grounds, operationId: OperationId | undefined, outcome: Outcome): Entry {
  const bearing = bearingOn(grounds, operationId, outcome);
  return {
    intake: operationId === undefined ? undefined : grounds.intakes.get(operationId),
    ids: bearing.map(({ id }) => id),
    conditions: bearing.flatMap(({ id, had }) => (had === undefined ? [] : [{ id, had }])),
    texts: new Map(),
  };
}

function conditionsMet({ intake, conditions }: Entry, profile: Profile, call: Partial<Call>, outcome: Outcome): number {
  if (intake === undefined || conditions.length === 0) return 0;
  const asked = new Asked(intake, profile, call);
  let met = 0;
  for (let bit = 0; bit < conditions.length; bit++) if (conditions[bit]?.had(asked, outcome)) met |= 1 << bit;
  return met;
}

function textOf({ ids, conditions, texts }: Entry, met: number): string {
  const known = texts.get(met);
  if (known !== undefined) return known;
  const unmet = conditions.filter((_, bit) => (met & (1 << bit)) === 0).map(({ id }) => id);
  const text = ids.filter((id) => !unmet.includes(id)).join(', ');
  texts.set(met, text);
  return text;
}
