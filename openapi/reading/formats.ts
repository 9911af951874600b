import { isObject, member } from './messages.ts';
import type { Sentence } from './sentence.ts';
import { say } from './sentence.ts';

/** The common value that `read` finds in all texts; otherwise two texts that differ, or one that cannot be read. */
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

const precisions: Record<number, string> = { 0: 'seconds', 3: 'milliseconds', 6: 'microseconds' };

/** The choice of `timestampPrecision` that a timestamp shows. */
export function precisionOf(time: string): string | undefined {
  const fraction = /T\d\d:\d\d:\d\d(?:\.(\d+))?/.exec(time);
  return fraction === null ? undefined : precisions[fraction[1]?.length ?? 0];
}

/** The choice of `timestampZone` that a timestamp shows. */
export function zoneOf(time: string): string | undefined {
  return /Z$|\+00:00$/.exec(time)?.[0];
}

const idFormats: readonly [format: string, pattern: RegExp][] = [
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i],
  ['numeric', /^\d+$/],
  ['prefixed', /^[a-z]+[_-][\da-z]+$/i],
];

/** The choice of `idFormat` that an id shows. */
export function idFormatOf(id: string): string | undefined {
  const format = idFormats.find(([, pattern]) => pattern.test(id))?.[0];
  return format ?? (startsWithTime(id) ? 'sortable' : undefined);
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';
const earliestMs = Date.UTC(2015);
const latestMs = Date.UTC(2115);

// As in a ULID: the first ten of 26 characters are the milliseconds of a plausible time.
function startsWithTime(id: string): boolean {
  if (!/^[\da-hjkmnp-tv-z]{26}$/i.test(id)) return false;
  const timeMs = [...id.slice(0, 10).toLowerCase()].reduce((value, digit) => value * 32 + base32.indexOf(digit), 0);
  return timeMs > earliestMs && timeMs < latestMs;
}

/** The choice of `keyOrder` that the known keys of an object show, given the fields of its schema. */
export function keyOrderOf(keys: readonly string[], fields: readonly string[]): string | undefined {
  const documented = fields.filter((field) => keys.includes(field));
  if (keys.join() === documented.join()) return 'documented';
  return keys.join() === documented.reverse().join() ? 'reversed' : undefined;
}

const mediaTypes = ['application/json', 'application/json; charset=utf-8'];

/** The choice of `answerMediaType` that a Content-Type shows. Case and blanks mean nothing in it. */
export function jsonMediaType(contentType: string): string | undefined {
  const plain = contentType
    .toLowerCase()
    .replaceAll(/["\s]/g, '')
    .replace(/;$/, '')
    .replace(/;(?=.)/, '; ');
  return mediaTypes.find((known) => known === plain);
}

/** The choice of `errorBody` that an error shows; not for one without a body. */
export function errorShapeOf(json: unknown, mediaType: string): string | undefined {
  if (mediaType === 'application/problem+json') return 'problem';
  const errors = member(json, 'errors');
  if (hasOnly(json, 'errors') && Array.isArray(errors) && areTexts(errors[0], ['code', 'message'])) return 'list';
  if (hasOnly(json, 'error') && areTexts(member(json, 'error'), ['code', 'message'])) return 'nested';
  return hasOnly(json, 'message') && areTexts(json, ['message']) ? 'message' : undefined;
}

function hasOnly(value: unknown, name: string): boolean {
  return isObject(value) && Object.keys(value).join() === name;
}

function areTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof member(value, name) === 'string');
}

/** The choices of `listOrder` but `arbitrary`. */
export const listOrders = ['oldestFirst', 'newestFirst', 'byName'] as const;

/** The orders that a list is in. Undefined for a list in which fewer than `fewest` items differ in time and name. */
export function ordersOf(list: readonly unknown[], fewest: number): (typeof listOrders)[number][] | undefined {
  const times = list.map((item) => Date.parse(String(member(item, 'createdAt'))));
  const names = list.map((item) => String(member(item, 'name')));
  if (Math.min(new Set(times).size, new Set(names).size) < fewest || times.some(Number.isNaN)) return undefined;
  const isIn = {
    oldestFirst: isSorted(times, (a, b) => a - b),
    newestFirst: isSorted(times, (a, b) => b - a),
    byName: isSorted(names, (a, b) => (a < b ? -1 : 1)) || isSorted(names, new Intl.Collator('en').compare),
  };
  return listOrders.filter((order) => isIn[order]);
}

function isSorted<T>(values: readonly T[], compare: (a: T, b: T) => number): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before === value || compare(before, value) <= 0;
  });
}
