import assert from 'node:assert/strict';
import type { Profile } from '../../src/index.ts';
import { hasTakenEffect } from './lag.ts';
import { areSorted, inOrder, type OrderMemory } from './order-memory.ts';
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
