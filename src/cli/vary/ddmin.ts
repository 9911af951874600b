/** How candidate sets are tried. */
export interface Trials<T> {
  /** The first of several sets that is red, or undefined when none is. */
  firstRed(candidates: readonly (readonly T[])[]): Promise<readonly T[] | undefined>;
  /** Whether a set that was red is so once more. */
  isStillRed(set: readonly T[]): Promise<boolean>;
}

/**
 * Delta debugging (Zeller and Hildebrandt, 2002): from a red set, one that is still red and of which no single item can
 * be left out. The empty set has to be green. Undefined when it was led astray: a set that was red is so no more.
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
    // Neither half is red: either it takes both, or the whole is not red either, which would be long in showing.
    if (parts === 2 && !(await trials.isStillRed(current))) return undefined;
    if (parts >= current.length) break;
    parts = Math.min(2 * parts, current.length);
  }
  return current;
}

/** A smaller red set, and in how many parts to try it next: one part alone, else all but one part. */
async function reduce<T>(
  set: readonly T[],
  parts: number,
  { firstRed }: Trials<T>,
): Promise<{ set: readonly T[]; parts: number } | undefined> {
  const subsets = split(set, parts);
  const subset = await firstRed(subsets);
  if (subset !== undefined) return { set: subset, parts: 2 };
  // Of two parts, each is all but the other.
  if (parts === 2) return undefined;
  const complement = await firstRed(subsets.map((part) => set.filter((item) => !part.includes(item))));
  return complement === undefined ? undefined : { set: complement, parts: parts - 1 };
}

function split<T>(set: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, index) =>
    set.slice(Math.floor((index * set.length) / parts), Math.floor(((index + 1) * set.length) / parts)),
  );
}
