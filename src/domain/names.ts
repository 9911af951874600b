import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization } from './organizations.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The name as it is stored: open point `nameRules`. */
export function keptName(name: string, rules: Profile['nameRules']): string {
  return rules === 'trimmed' ? name.trim() : name;
}

/** Makes up a name for a resource that was sent without one: open point `requiredBodyFields`. */
export function madeUpName(
  organization: Organization,
  base: string,
  others: ReadonlyMap<string, { name: string }>,
): string {
  if (organization.runtime.profile.duplicateNames === 'allowed') return base;
  const taken = new Set(others.values().map((other) => other.name));
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
  return name;
}

/** Refuses the name of another resource of the same kind: open point `duplicateNames`. */
export function refuseTakenName(
  organization: Organization,
  name: string,
  others: ReadonlyMap<string, { name: string }>,
): Refusal | undefined {
  if (organization.runtime.profile.duplicateNames === 'allowed') return undefined;
  const isTaken = others.values().some((other) => other.name === name);
  if (!isTaken) return undefined;
  return refuse('conflict', `The name ${JSON.stringify(name)} is taken in this organization. Choose another.`);
}
