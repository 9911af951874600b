/** How to try candidate sets. Red means that the tests fail. */
interface Trials<T> {
  /** How many sets are tried at the same time. */
  width: number;
  /** The index of the first red set, or undefined. It may know that a set is green without a run. */
  firstRed(candidates: readonly (readonly T[])[]): Promise<number | undefined>;
  /** Whether a set is red, found by a run. */
  isRed(set: readonly T[]): Promise<boolean>;
  /** Whether a set that was red is red again. */
  isStillRed(set: readonly T[]): Promise<boolean>;
}

/**
 * Reduces a red set to one that is still red and from which no single item can be removed. The empty set must be green.
 * Looks for a single item first, because most causes are single. Undefined if a set that was red is no longer red.
 */
export async function smallestRed<T>(red: readonly T[], trials: Trials<T>): Promise<readonly T[] | undefined> {
  const single = await narrow(red, trials);
  if (await trials.isRed(single)) return single;
  if (red.length < 2 || !(await trials.isStillRed(red))) return undefined;
  return smallestTogether(red, trials);
}

/** The item that makes the set red, if a single one does: the last part is not tried, since it must be in that one. */
async function narrow<T>(red: readonly T[], { width, firstRed }: Trials<T>): Promise<readonly T[]> {
  let current = red;
  while (current.length > 1) {
    const parts = split(current, Math.min(width + 1, current.length));
    const found = (await firstRed(parts.slice(0, -1))) ?? parts.length - 1;
    current = parts[found] ?? [];
  }
  return current;
}

/**
 * The same for items that are red only together: each search finds the one that completes the cause. More than two are
 * rare and suggest flaky tests, so it checks early whether they are still red.
 */
async function smallestTogether<T>(red: readonly T[], trials: Trials<T>): Promise<readonly T[] | undefined> {
  let kept: readonly T[] = [];
  let rest = red;
  do {
    if (kept.length > 1 && !(await trials.isStillRed([...rest, ...kept]))) return undefined;
    const length = await shortestRed(kept, rest, trials);
    kept = [...rest.slice(length - 1, length), ...kept];
    rest = rest.slice(0, length - 1);
  } while (rest.length > 0 && !(await trials.isRed(kept)));
  return withoutSpare(kept, trials);
}

/** How many items from the start of `rest` are red together with `kept`; none is green, all are red. */
async function shortestRed<T>(kept: readonly T[], rest: readonly T[], { width, firstRed }: Trials<T>): Promise<number> {
  let [green, red] = [0, rest.length];
  while (red - green > 1) {
    const lengths = cuts(green, red, width);
    const found = await firstRed(lengths.map((length) => [...rest.slice(0, length), ...kept]));
    const before = lengths[(found ?? lengths.length) - 1];
    green = before ?? green;
    red = (found === undefined ? undefined : lengths[found]) ?? red;
  }
  return red;
}

/** If choices hide each other, a smaller set can be red although a larger one was green. */
async function withoutSpare<T>(red: readonly T[], trials: Trials<T>): Promise<readonly T[]> {
  for (const item of red.length < 2 ? [] : red) {
    const fewer = red.filter((other) => other !== item);
    if (await trials.isRed(fewer)) return withoutSpare(fewer, trials);
  }
  return red;
}

/** Up to `count` lengths between two others, evenly spaced. */
function cuts(from: number, to: number, count: number): number[] {
  const parts = Math.min(count + 1, to - from);
  return Array.from({ length: parts - 1 }, (_, index) => from + Math.floor(((index + 1) * (to - from)) / parts));
}

function split<T>(set: readonly T[], parts: number): T[][] {
  const bounds = [0, ...cuts(0, set.length, parts - 1), set.length];
  return bounds.slice(1).map((end, index) => set.slice(bounds[index], end));
}
