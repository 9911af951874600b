import type { Organization } from './organizations.ts';
import { type Refusal, refuse } from './refusal.ts';

/**
 * The name of a new resource; `others` are the existing ones of its kind. Open points: `nameRules`, `duplicates.names`
 * and, if no name was sent, `requiredFields`.
 */
export function nameFor(
  { runtime: { profile } }: Organization,
  sent: string | undefined,
  base: string,
  others: ReadonlyMap<string, { name: string }>,
): { name: string } | Refusal {
  const isAllowed = profile['duplicates.names'] === 'allowed';
  const taken = new Set(isAllowed ? [] : others.values().map((other) => other.name));
  const chosen = sent ?? madeUp(base, taken);
  const name = profile.nameRules === 'trimmed' ? chosen.trim() : chosen;
  if (!taken.has(name)) return { name };
  return refuse('conflict', `The name ${JSON.stringify(name)} is taken in this organization. Choose a different one.`);
}

/** A text that is not taken: `base`, or `base` with a number. */
export function madeUp(base: string, taken: ReadonlySet<string>, separator = ' '): string {
  let name = base;
  for (let number = 2; taken.has(name); number++) name = base + separator + number;
  return name;
}
