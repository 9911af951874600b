import { say } from '../../lib/sentence.ts';
import { ordersOf } from './formats.ts';
import type { Seen, Sighting } from './learned.ts';
import { mostItems, type ReadExchange } from './memory.ts';
import { isObject, jsonOf, listIn, member, valuesOf } from './messages.ts';
import { type Observer, type Settle, unclear } from './observer.ts';
import { keepsPathRule } from './path-rule.ts';
import { isSuccess } from './statuses.ts';

/** What pages, lists and deletions show. */
export const listObservers: readonly Observer[] = [
  { openPoint: 'pagingDefaults.limit', see: onPages(seeDefaultLimit), settle: settleDefaultLimit },
  {
    openPoint: 'pagingDefaults.offset',
    see: onPages((exchange) =>
      valuesOf(exchange.request, 'offset').length > 0 ? undefined : pagingNumber(exchange, 'offset'),
    ),
  },
  { openPoint: 'totalMeaning', see: onPages(seeTotal) },
  { openPoint: 'listOrder', see: seeOrder, settle: settleOrder },
  { openPoint: 'treePathParameter', see: seeTreeParameter },
];

/** Looks at successful pages of drives. */
function onPages(see: (exchange: ReadExchange) => Seen | undefined): Observer['see'] {
  return (exchange) => {
    const isPaged = exchange.operation.parameters.some(({ name }) => name === 'offset');
    return isPaged && isSuccess(exchange.answer) ? see(exchange) : undefined;
  };
}

/** A number in the pagination object; undefined if it is absent. */
export function pagingNumber({ answer }: Pick<ReadExchange, 'answer'>, name: string): number | undefined {
  const value = member(member(jsonOf(answer), 'pagination'), name);
  return Number.isInteger(value) ? Number(value) : undefined;
}

function itemsIn({ operation, answer }: ReadExchange): unknown[] {
  return listIn(operation, jsonOf(answer)) ?? [];
}

// If a page ends exactly at its limit, the default may be that number or all remaining drives. The same holds for an
// empty page.
function seeDefaultLimit(exchange: ReadExchange): Seen | undefined {
  const limit = pagingNumber(exchange, 'limit');
  if (valuesOf(exchange.request, 'limit').length > 0 || limit === undefined) return undefined;
  if (limit > 100) return 'all';
  const count = itemsIn(exchange).length;
  const end = (pagingNumber(exchange, 'offset') ?? 0) + count;
  const known = Math.max(pagingNumber(exchange, 'total') ?? 0, exchange.memory.listedIds(exchange.operation).length);
  return count === 0 || (end === limit && known <= end) ? `perhaps ${limit}` : limit;
}

function settleDefaultLimit(sightings: readonly Sighting[]): ReturnType<Settle> {
  const certain = sightings.filter((seen) => typeof seen === 'number');
  const perhaps = sightings.filter((seen) => typeof seen === 'string' && seen !== 'all');
  const [limit] = certain;
  if (limit === undefined) return sightings.includes('all') || perhaps.length > 1 ? 'all' : undefined;
  return certain.length === 1 && perhaps.every((seen) => seen === `perhaps ${limit}`) ? limit : unclear;
}

// The two choices differ if the page is not the whole list. A list may shrink between two reads, so earlier pages only
// tell something about a page that was cut off by its limit.
function seeTotal(exchange: ReadExchange): Seen | undefined {
  const total = pagingNumber(exchange, 'total');
  const count = itemsIn(exchange).length;
  if (total === undefined || count === 0) return undefined;
  const end = (pagingNumber(exchange, 'offset') ?? 0) + count;
  if (total !== count)
    return total >= end ? 'all' : { other: say`${total} with ${count} of at least ${end} drives on the page` };
  const isCut = count === (pagingNumber(exchange, 'limit') ?? Number(valuesOf(exchange.request, 'limit')[0]));
  const known = isCut ? exchange.memory.listedIds(exchange.operation).length : 0;
  return Math.max(end, known) > count ? 'page' : undefined;
}

/** Shorter lists do not show an order. */
const fewest = 3;
/** A list of this many items shows an order if no other list contradicts: the chance of coincidence is 1 in 120. */
const many = 5;
/** The order of a list of this many items is not a coincidence: the chance is 1 in 40,320. */
const certain = 8;

/** A sighting such as `oldestFirst or byName in 4 of Drive`: the orders that fit, how many items differ, their kind. */
function seeOrder(exchange: ReadExchange): Seen | undefined {
  const { operation, answer, memory } = exchange;
  const list = isSuccess(answer) ? itemsIn(exchange).slice(0, mostItems) : [];
  const { orders = [], distinct = 0 } = ordersOf(list) ?? {};
  if (distinct < fewest) return undefined;
  const ids = list.map((item) => member(item, 'id'));
  const before = memory.lastPage(operation);
  const both = (some: readonly unknown[], others: readonly unknown[]) => {
    const known = new Set(others);
    return some.filter((id) => known.has(id));
  };
  if (both(ids, before).join() !== both(before, ids).join()) return { other: say`a different order on each read` };
  if (orders.length === 0) return 'arbitrary';
  return `${orders.join(' or ')} in ${Math.min(distinct, certain)} of ${operation.resource}`;
}

// The order that fits all lists. If there is none: arbitrary, unless the order of a list cannot be chance.
function settleOrder(sightings: readonly Sighting[]): ReturnType<Settle> {
  if (sightings.some((seen) => typeof seen === 'object')) return unclear;
  const seen = sightings.map((sighting) => {
    const [orders = '', found = ''] = String(sighting).split(' in ', 2);
    const [distinct = '0', kind] = found.split(' of ', 2);
    return { orders: orders.split(' or '), distinct: Number(distinct), kind };
  });
  const most = Math.max(...seen.map(({ distinct }) => distinct));
  const common = seen[0]?.orders.filter((order) => seen.every(({ orders }) => orders.includes(order))) ?? [];
  if (common.length === 0 || common[0] === 'arbitrary') return most < certain ? 'arbitrary' : unclear;
  const kinds = new Set(seen.map(({ kind }) => kind));
  return common.length === 1 && (most >= many || kinds.size > 1) ? common[0] : undefined;
}

// Something was deleted, so the server read the path from the request's only parameter.
function seeTreeParameter({ operation, request, answer }: ReadExchange): Seen | undefined {
  const [pair, ...more] = request.query;
  const deletion = jsonOf(answer);
  if (operation.statusOpenPoint !== 'successStatus.deleteDriveTree' || !isSuccess(answer) || !isObject(deletion))
    return undefined;
  if (pair?.value === undefined || more.length > 0 || !keepsPathRule(pair.value)) return undefined;
  return Number(deletion.documentCount) > 0 ? pair.name : undefined;
}
