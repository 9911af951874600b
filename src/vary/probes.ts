import type { Choices, Ledger } from './ledger.ts';

/** A set of choices that seems to make the tests fail. */
export interface Suspect {
  choices: Choices;
}

/** The choices of a profile without the suspects: those whose open points it varies are reset to the base profile. */
export function withoutSuspects<S extends Suspect>(
  choices: Choices,
  suspects: readonly S[],
): { remaining: Choices; reset: S[] } {
  const reset = suspects.filter((one) => Object.keys(one.choices).every((id) => Object.hasOwn(choices, id)));
  const ids = new Set(reset.flatMap((one) => Object.keys(one.choices)));
  return { remaining: Object.fromEntries(Object.entries(choices).filter(([id]) => !ids.has(id))), reset };
}

/**
 * What to try next in a profile: all that remains. After one cause there are usually more, so smaller sets come first,
 * of choices that no passing run had. Their size is the mean distance between the causes so far: about half of such
 * sets pass.
 */
export function toProbes(remaining: Choices, found: number, ledger: Ledger): Choices[] {
  const entries = Object.entries(remaining);
  const unknown = entries.filter(([id, choice]) => !ledger.clears({ [id]: choice }));
  if (found === 0) return [remaining];
  const size = Math.ceil((entries.length - unknown.length + found) / found);
  if (unknown.length <= size || ledger.of(remaining).runs > 0) return [remaining];
  const starts = Array.from({ length: ledger.parallel }, (_, index) => index * size);
  return starts.filter((start) => start < unknown.length).map((at) => Object.fromEntries(unknown.slice(at, at + size)));
}

/** Choices as a text: `<open point>=<choice>, …` */
export function namesOf(choices: object): string {
  return Object.entries(choices)
    .map(([id, choice]) => `${id}=${choice}`)
    .join(', ');
}
