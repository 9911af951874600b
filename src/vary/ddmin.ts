/** How to try candidate sets. Red means that the tests fail. */
interface Trials<T> {
  /** The first of several sets that is red, or undefined when none is. */
  firstRed(candidates: readonly (readonly T[])[]): Promise<readonly T[] | undefined>;
  /** Whether a set that was red is red again. */
  isStillRed(set: readonly T[]): Promise<boolean>;
}

/**
 * Delta debugging (Zeller and Hildebrandt, 2002): reduces a red set to one that is still red and from which no single
 * item can be removed. The empty set must be green. Undefined when a set that was red no longer is.
 */
export async function ddmin<T>(red: readonly T[], trials: Trials<T>): Promise<readonly T[] | undefined> {
  let current = red;
  let parts = 2;
  while (current.length >= 2) {
    const step = await reduce(current, parts, trials);
    if (step !== undefined) {
      current = step.set;
      parts = step.parts;
      continue;
    }
    // Neither half is red. Either both are needed, or the whole set is not red either: check that now, not much later.
    if (parts === 2 && !(await trials.isStillRed(current))) return undefined;
    if (parts >= current.length) break;
    parts = Math.min(2 * parts, current.length);
  }
  return current;
}

/** A smaller red set, and the number of parts to try next: a single part, otherwise all but one part. */
async function reduce<T>(
  set: readonly T[],
  parts: number,
  { firstRed }: Trials<T>,
): Promise<{ set: readonly T[]; parts: number } | undefined> {
  const subsets = split(set, parts);
  const subset = await firstRed(subsets);
  if (subset !== undefined) return { set: subset, parts: 2 };
  // With two parts, each is the complement of the other.
  if (parts === 2) return undefined;
  const complement = await firstRed(subsets.map((part) => set.filter((item) => !part.includes(item))));
  return complement === undefined ? undefined : { set: complement, parts: parts - 1 };
}

function split<T>(set: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, index) =>
    set.slice(Math.floor((index * set.length) / parts), Math.floor(((index + 1) * set.length) / parts)),
  );
}
