import { type Sentence, say } from '../../lib/sentence.ts';
import { loadRequirements } from '../contract/load.ts';
import type { Requirement } from '../contract/requirements.ts';

/** A rule that a response broke. */
export interface Finding {
  /** The id of the requirement. */
  rule: string;
  level: Requirement['level'];
  /** `maybe`: another client, or something else that the observer does not see, could be the cause. */
  certainty: 'certain' | 'maybe';
  expected: Sentence;
  actual: Sentence;
  /** In how many places of the response; absent where there is only one. */
  places?: number;
  /** The numbers of the exchanges that show it, the last one last. */
  proof: readonly number[];
}

/** What was expected and what came, in words, and the earlier exchanges on which that rests. */
export interface Grounds {
  expected: Sentence;
  actual: Sentence;
  places?: number;
  proof?: readonly (number | undefined)[];
}

/** Says that the exchange under judgement breaks a rule. */
export type Report = (rule: string, certainty: Finding['certainty'], grounds: Grounds) => void;

let levels: ReadonlyMap<string, Requirement['level']> | undefined;

/** Says that an exchange breaks a rule. Throws if no requirement has this id. */
export function findingOf(rule: string, certainty: Finding['certainty'], grounds: Grounds, number: number): Finding {
  levels ??= new Map(loadRequirements().map(({ id, level: ofRule }) => [id, ofRule]));
  const level = levels.get(rule);
  if (level === undefined) throw new Error(`there is no requirement ${rule}`);
  const { expected, actual, places, proof = [] } = grounds;
  const numbers = new Set([...proof.filter((one) => one !== undefined), number]);
  return { rule, level, certainty, expected, actual, ...(places !== undefined && { places }), proof: [...numbers] };
}

/** The finding in one line. */
export function lineOf({ rule, level, certainty, expected, actual, proof }: Finding): Sentence {
  return say`${rule} (${level}, ${certainty}): expected ${expected}; ${actual} (exchanges ${proof.join(', ')})`;
}
