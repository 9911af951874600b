import type { Sentence } from '../../lib/sentence.ts';
import { say } from '../../lib/sentence.ts';
import type { Profile } from '../contract/profile.ts';
import { isObject, member } from './messages.ts';

// What each choice of an open point looks like. A new choice in the register does not compile until it is added here.

/** The first choice whose test holds. */
function choiceOf<Choice extends string>(tests: Readonly<Record<Choice, boolean>>): Choice | undefined {
  return (Object.keys(tests) as Choice[]).find((choice) => tests[choice]);
}

/** The value that `read` finds in all texts; otherwise two texts that differ, or one that cannot be read. */
export function sameForAll(
  texts: readonly string[],
  read: (text: string) => string | undefined,
): string | { other: Sentence } | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  const value = read(first);
  const different = texts.find((text) => read(text) !== value);
  if (different !== undefined) return { other: say`${first}, and ${different}` };
  return value ?? { other: say`${first}` };
}

const fractionDigits: Record<Profile['timestamps.precision'], number> = {
  seconds: 0,
  milliseconds: 3,
  microseconds: 6,
};

/** The choice of `timestamps.precision` that a timestamp shows. */
export function precisionOf(time: string): string | undefined {
  const fraction = /T\d\d:\d\d:\d\d(?:\.(\d+))?/.exec(time);
  if (fraction === null) return undefined;
  return Object.entries(fractionDigits).find(([, digits]) => digits === (fraction[1]?.length ?? 0))?.[0];
}

/** The choice of `timestamps.zone` that a timestamp shows. */
export function zoneOf(time: string): string | undefined {
  return /Z$|\+00:00$/.exec(time)?.[0];
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

/** The choice of `keyOrder` that the known keys of an object show, given its schema's fields. */
export function keyOrderOf(keys: readonly string[], fields: readonly string[]): string | undefined {
  const documented = fields.filter((field) => keys.includes(field));
  const isLike = (order: readonly string[]) => keys.join() === order.join();
  return choiceOf<Profile['keyOrder']>({ documented: isLike(documented), reversed: isLike(documented.toReversed()) });
}

/** The choice of `answerMediaType` that a Content-Type shows. Case and blanks are ignored. */
export function jsonMediaType(contentType: string): string | undefined {
  const plain = contentType
    .toLowerCase()
    .replaceAll(/["\s]/g, '')
    .replace(/;$/, '')
    .replace(/;(?=.)/, '; ');
  return choiceOf<Profile['answerMediaType']>({
    'application/json': plain === 'application/json',
    'application/json; charset=utf-8': plain === 'application/json; charset=utf-8',
  });
}

/** The choice of `errorBody` that an error with a body shows. */
export function errorShapeOf(json: unknown, mediaType: string): string | undefined {
  const errors = member(json, 'errors');
  return choiceOf<Exclude<Profile['errorBody'], 'empty'>>({
    problem: mediaType === 'application/problem+json',
    list: hasOnly(json, 'errors') && Array.isArray(errors) && areTexts(errors[0], ['code', 'message']),
    nested: hasOnly(json, 'error') && areTexts(member(json, 'error'), ['code', 'message']),
    message: hasOnly(json, 'message') && areTexts(json, ['message']),
  });
}

function hasOnly(value: unknown, name: string): boolean {
  return isObject(value) && Object.keys(value).join() === name;
}

function areTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof member(value, name) === 'string');
}

/** A choice of `listOrder` that is an order. */
export type ListOrder = Exclude<Profile['listOrder'], 'arbitrary'>;

/** The orders that fit a list, and how many of its items differ in time and name. Undefined without times. */
export function ordersOf(list: readonly unknown[]): { orders: ListOrder[]; distinct: number } | undefined {
  const times = list.map((item) => Date.parse(String(member(item, 'createdAt'))));
  const names = list.map((item) => String(member(item, 'name')));
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
