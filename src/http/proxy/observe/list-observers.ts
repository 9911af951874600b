import { breaksPathRule } from '../judge/rules.ts';
import { isObject, member, valuesOf } from '../judge/views.ts';
import type { Sighting } from './learned.ts';
import { inSuccesses, type Observer, type SeenExchange, type Settle, shownIn } from './observer.ts';

/** What pages, lists and deletions show. */
export const listObservers: readonly Observer[] = [
  { openPoint: 'defaultLimit', see: inSuccesses(['listDrives'], seeDefaultLimit), settle: settleDefaultLimit },
  { openPoint: 'defaultOffset', see: inSuccesses(['listDrives'], seeDefaultOffset) },
  { openPoint: 'totalMeaning', see: inSuccesses(['listDrives'], seeTotal) },
  {
    openPoint: 'listOrder',
    see: inSuccesses(['listAgents', 'listDrives', 'listMcpServers'], seeOrder),
    settle: settleOrder,
  },
  { openPoint: 'treePathParameter', see: inSuccesses(['deleteDriveTree'], seeTreeParameter) },
];

function pagingNumber(seen: SeenExchange, name: string): number | undefined {
  const value = member(member(shownIn(seen), 'pagination'), name);
  return Number.isInteger(value) ? Number(value) : undefined;
}

function itemsIn(seen: SeenExchange): unknown[] {
  const shown = shownIn(seen);
  const items = seen.operation === 'listDrives' ? member(shown, 'data') : shown;
  return Array.isArray(items) ? items : [];
}

// A limit up to which the page reaches exactly may be a number, or mean every drive that is left.
function seeDefaultLimit(seen: SeenExchange): Sighting | undefined {
  const limit = pagingNumber(seen, 'limit');
  if (valuesOf(seen.request, 'limit').length > 0 || limit === undefined) return undefined;
  if (limit > 100) return 'all';
  const end = (pagingNumber(seen, 'offset') ?? 0) + itemsIn(seen).length;
  const isCut = (pagingNumber(seen, 'total') ?? 0) > end;
  return end === limit && !isCut ? `perhaps ${limit}` : limit;
}

function settleDefaultLimit(sightings: readonly Sighting[]): number | 'all' | undefined {
  const certain = sightings.filter((seen) => typeof seen === 'number');
  const perhaps = sightings.filter((seen) => typeof seen === 'string' && seen !== 'all');
  if (certain.length === 1) return perhaps.every((seen) => seen === `perhaps ${certain[0]}`) ? certain[0] : undefined;
  return certain.length === 0 && (sightings.includes('all') || perhaps.length > 1) ? 'all' : undefined;
}

function seeDefaultOffset(seen: SeenExchange): Sighting | undefined {
  return valuesOf(seen.request, 'offset').length > 0 ? undefined : pagingNumber(seen, 'offset');
}

// Where the page is not the whole, the two differ.
function seeTotal(seen: SeenExchange): Sighting | undefined {
  const total = pagingNumber(seen, 'total');
  const count = itemsIn(seen).length;
  if (total === undefined || count === 0) return undefined;
  if (total > count) return 'all';
  if (total < count) return { other: `${total} with ${count} drives on the page` };
  return (pagingNumber(seen, 'offset') ?? 0) > 0 ? 'page' : undefined;
}

/** Fewer different items are in order by chance. */
const fewest = 5;
const orders = ['oldestFirst', 'newestFirst', 'byName'] as const;

function seeOrder(seen: SeenExchange): Sighting | undefined {
  const items = itemsIn(seen);
  const times = items.map((item) => Date.parse(String(member(item, 'createdAt'))));
  const names = items.map((item) => String(member(item, 'name')));
  if (Math.min(new Set(times).size, new Set(names).size) < fewest || times.some(Number.isNaN)) return undefined;
  const isOf: Record<(typeof orders)[number], boolean> = {
    oldestFirst: isSorted(times, (a, b) => a - b),
    newestFirst: isSorted(times, (a, b) => b - a),
    byName: isSorted(names, (a, b) => (a < b ? -1 : 1)) || isSorted(names, new Intl.Collator('en').compare),
  };
  const kept = orders.filter((order) => isOf[order]);
  return kept.length === 0 ? 'arbitrary' : kept.join(' or ');
}

function isSorted<T>(values: readonly T[], compare: (a: T, b: T) => number): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before === value || compare(before, value) <= 0;
  });
}

// The one order in which all lists came. Arbitrary is what none of them explains.
function settleOrder(sightings: readonly Sighting[]): ReturnType<Settle> {
  const seen = sightings.map(String);
  if (seen.every((text) => text === 'arbitrary')) return 'arbitrary';
  const common = orders.filter((order) => seen.every((text) => text.split(' or ').includes(order)));
  return common.length === 1 ? common[0] : undefined;
}

// Something was deleted, so the server read the path from the only parameter that there is.
function seeTreeParameter(seen: SeenExchange): Sighting | undefined {
  const [pair, ...more] = seen.request.query;
  const shown = shownIn(seen);
  if (pair?.value === undefined || more.length > 0 || !isObject(shown) || breaksPathRule(pair.value)) return undefined;
  return Number(shown.documentCount) > 0 ? pair.name : undefined;
}
