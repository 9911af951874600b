import type { Profile } from '../contract/profile.ts';

// What choices look like. Each list of tests is complete: a new choice does not compile until it has one.

/** The first choice whose test holds. */
export function choiceOf<Choice extends string>(tests: Readonly<Record<Choice, boolean>>): Choice | undefined {
  return (Object.keys(tests) as Choice[]).find((choice) => tests[choice]);
}

/** The choice of `idFormat` that an id shows. */
export function idFormatOf(id: string): Profile['idFormat'] | undefined {
  return choiceOf<Profile['idFormat']>({
    uuid: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(id),
    numeric: /^\d+$/.test(id),
    prefixed: /^[a-z]+[_-][\da-z]+$/i.test(id),
    sortable: startsWithTime(id),
  });
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';
const earliestMs = Date.UTC(2015);
const latestMs = Date.UTC(2115);

// As in a ULID: the first 10 of 26 characters are a plausible time in milliseconds.
function startsWithTime(id: string): boolean {
  if (!/^[\da-hjkmnp-tv-z]{26}$/i.test(id)) return false;
  const timeMs = [...id.slice(0, 10).toLowerCase()].reduce((value, digit) => value * 32 + base32.indexOf(digit), 0);
  return timeMs > earliestMs && timeMs < latestMs;
}

type ListOrder = Exclude<Profile['listOrder'], 'arbitrary'>;

/** The orders that fit a list, and how many of its items differ in time and name. Undefined without times. */
export function ordersOf(list: readonly unknown[]): { orders: ListOrder[]; distinct: number } | undefined {
  const times = list.map((item) => Date.parse(String(Object(item).createdAt)));
  const names = list.map((item) => String(Object(item).name));
  if (times.some(Number.isNaN)) return undefined;
  const isIn: Record<ListOrder, boolean> = {
    oldestFirst: isSorted(times, (a, b) => (areTied(a, b) ? 0 : a - b)),
    newestFirst: isSorted(times, (a, b) => (areTied(a, b) ? 0 : b - a)),
    byName: isSorted(names, (a, b) => (a < b ? -1 : 1)) || isSorted(names, new Intl.Collator('en').compare),
  };
  const orders = (Object.keys(isIn) as ListOrder[]).filter((order) => isIn[order]);
  return { orders, distinct: Math.min(distinctTimes(times), new Set(names).size) };
}

/** Resources created within this many milliseconds may be listed in a different order from their times. */
export const tiedMs = 20;

function areTied(one: number, other: number): boolean {
  return Math.abs(one - other) <= tiedMs;
}

/** The number of distinct times: a time counts if it is not tied with the last one counted. */
function distinctTimes(times: readonly number[]): number {
  let last = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const time of times.toSorted((a, b) => a - b)) {
    if (areTied(time, last)) continue;
    last = time;
    count++;
  }
  return count;
}

function isSorted<T>(values: readonly T[], compare: (a: T, b: T) => number): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before === value || compare(before, value) <= 0;
  });
}
