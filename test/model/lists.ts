import assert from 'node:assert/strict';
import type { Profile } from '../../src/index.ts';
import { hasTakenEffect } from './lag.ts';
import type { Moment, OrganizationState } from './picture.ts';

interface Item {
  id: string;
  name: string;
  since?: Moment | undefined;
}

/** The lists that may be shown, oldest item first: later items of a lagging list may be missing. */
export function possibleLists<T extends Item>(items: readonly T[], organization: OrganizationState): T[][] {
  const presence = (item: T) => (item.since === undefined ? 'yes' : hasTakenEffect(item.since, organization));
  const sure = items.filter((item) => presence(item) === 'yes');
  const unsure = items.filter((item) => presence(item) === 'maybe');
  return [0, ...unsure.keys().map((index) => index + 1)].map((count) => [...sure, ...unsure.slice(0, count)]);
}

/** What was seen once stays: an item that a list showed no longer lags. */
export function markSeen(items: readonly Item[], ids: readonly string[]): void {
  for (const item of items) if (ids.includes(item.id)) item.since = undefined;
}

interface Page {
  /** The whole list, oldest first. */
  whole: readonly Item[];
  offset: number;
  limit: number;
}

/** Says why `ids` are not that page of the list, if they are not. */
export function pageFault(
  ids: readonly string[],
  { whole, offset, limit }: Page,
  profile: Profile,
): string | undefined {
  const ordered = inOrder(whole, profile.listOrder)?.slice(offset, offset + limit);
  if (ordered !== undefined) return sameIds(ids, ordered) ? undefined : `expected ${ordered.map(({ id }) => id)}`;
  const length = Math.max(0, Math.min(limit, whole.length - offset));
  if (ids.length !== length) return `expected ${length} items`;
  const isKnown = ids.every((id) => whole.some((item) => item.id === id)) && new Set(ids).size === ids.length;
  return isKnown ? undefined : `expected some of ${whole.map(({ id }) => id)}`;
}

function sameIds(ids: readonly string[], items: readonly Item[]): boolean {
  return ids.length === items.length && items.every((item, index) => item.id === ids[index]);
}

/** Asserts that the page keeps to the order of the profile, and to the order that was shown before. */
export function assertOrder(items: readonly Item[], page: Page, memory: OrderMemory, profile: Profile): void {
  const names = items.map(({ name }) => name);
  if (profile.listOrder === 'byName') assert.ok(areSorted(names), `not sorted by name: ${names}`);
  const whole = page.whole.map(({ id }) => id).join();
  const ids = items.map(({ id }) => id);
  assert.equal(memory.judge(ids, page.offset, whole), undefined);
}

/** Asserts that a body is a list of the organization's items, all of them, and returns it. */
export function assertWholeList<T extends Item>(
  body: unknown,
  items: readonly T[],
  organization: OrganizationState,
  memory: OrderMemory,
  profile: Profile,
): T[] {
  const shown = body as T[];
  const pages = possibleLists(items, organization).map((whole) => ({
    whole,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }));
  const ids = shown.map(({ id }) => id);
  const page = pages.find((candidate) => pageFault(ids, candidate, profile) === undefined);
  assert.ok(page, `shown: ${ids}; ${pages.map((candidate) => pageFault(ids, candidate, profile)).join('; or ')}`);
  assertOrder(shown, page, memory, profile);
  markSeen(items, ids);
  return shown.map((item) => items.find(({ id }) => id === item.id) as T);
}

/** Remembers in which order a list showed its items: whatever the order is, it must not change. */
export class OrderMemory {
  readonly #pairs = new Set<string>();
  readonly #places = new Map<string, string>();

  /** Says what is wrong with a page, if anything. `whole` names the list that the page was cut from. */
  judge(ids: readonly string[], offset: number, whole: string): string | undefined {
    const contradiction = pairsOf(ids).find(([first, second]) => this.#pairs.has(`${second} ${first}`));
    if (contradiction !== undefined) return `${contradiction.join(' now comes before ')}, and came behind it`;
    for (const pair of pairsOf(ids)) this.#pairs.add(pair.join(' '));
    return this.#misplaced(ids, offset, whole);
  }

  #misplaced(ids: readonly string[], offset: number, whole: string): string | undefined {
    for (const [index, id] of ids.entries()) {
      const place = `${whole} ${offset + index}`;
      const known = this.#places.get(place) ?? id;
      if (known !== id) return `${id} is where ${known} was in the same list, at ${offset + index}`;
      this.#places.set(place, id);
    }
    return undefined;
  }
}

function pairsOf(ids: readonly string[]): [string, string][] {
  return ids.flatMap((first, index) => ids.slice(index + 1).map((second): [string, string] => [first, second]));
}

/** The items in the order of a profile, oldest first given; undefined where the register does not fix it. */
function inOrder<T>(items: readonly T[], listOrder: Profile['listOrder']): T[] | undefined {
  if (listOrder === 'oldestFirst') return [...items];
  return listOrder === 'newestFirst' ? items.toReversed() : undefined;
}

/** Whether names are sorted by one of the usual comparisons, which the register does not tell apart. */
function areSorted(names: readonly string[]): boolean {
  const comparisons = [
    (first: string, second: string) => (first < second ? -1 : Number(first > second)),
    (first: string, second: string) => first.localeCompare(second),
    (first: string, second: string) => first.localeCompare(second, 'en', { sensitivity: 'base' }),
  ];
  return comparisons.some((compare) =>
    names.every((name, index) => index === 0 || compare(names[index - 1] ?? '', name) <= 0),
  );
}
