import { shuffledByName } from '../../../test/support/random-seed.ts';
import type { Mutant } from '../mutant.ts';

/** What a mutant is chosen by. */
export type Choosable = Pick<Mutant, 'id' | 'check' | 'class' | 'place'>;

/** What a check judges, whatever the operation: `name-kept.emoji` of `createDrive.name-kept.emoji`. */
export function ruleOf(check: string): string {
  return check.slice(check.indexOf('.') + 1);
}

/**
 * Chooses mutants that are spread as widely as their number allows: over the rules first, then over the families of rules,
 * the checks, the kinds of faults and the operations. The seed decides where that leaves several. New mutants join in by
 * themselves.
 */
export function chooseMutants<T extends Choosable>(mutants: readonly T[], count: number, seed: number): T[] {
  const left = shuffledByName(mutants, seed, ({ id }) => id);
  const seen = new Map<string, number>();
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0) {
    const [place] = smallest(left.map((mutant) => aspectsOf(mutant).map((aspect) => seen.get(aspect) ?? 0)));
    const [next] = left.splice(place, 1) as [T];
    for (const aspect of aspectsOf(next)) seen.set(aspect, (seen.get(aspect) ?? 0) + 1);
    chosen.push(next);
  }
  return chosen;
}

/** What no other chosen mutant should have, the most important first. */
function aspectsOf({ check, class: kind, place }: Choosable): string[] {
  const [operation = '', family = ''] = check.split('.');
  return [
    `rule ${ruleOf(check)}`,
    `family ${family}`,
    `check ${check}`,
    `kind ${kind} ${place}`,
    `operation ${operation}`,
  ];
}

/** The place of the row that comes first when rows are compared from their first number on. */
function smallest(rows: readonly (readonly number[])[]): [place: number, row: readonly number[]] {
  const [first, ...rest] = rows.entries();
  return rest.reduce((best, entry) => (isBefore(entry[1], best[1]) ? entry : best), first ?? [0, []]);
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0);
}
