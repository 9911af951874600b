import { isDeepStrictEqual } from 'node:util';
import { type ListOperation, readList } from '../scene/lists.ts';
import { idsOf } from '../scene/paging.ts';
import type { Session } from '../session.ts';
import { member } from '../target/expectations.ts';
import { ifSeen, type Observer, type Seen } from './observer.ts';

/** The order of the lists, by all three of them. */
export const listOrderObserver: Observer = { openPoint: 'listOrder', phase: 'list', see: seeOrder };

const operations: readonly ListOperation[] = ['listAgents', 'listDrives', 'listMcpServers'];

/** Fewer different items show no order, and so many are in order by chance too rarely to count with it. */
const fewest = 3;
const many = 5;

type Order = 'oldestFirst' | 'newestFirst' | 'byName';

interface Ordered {
  operation: ListOperation;
  orders: Order[];
  isLong: boolean;
  isStable: boolean;
}

async function seeOrder(session: Session): Promise<Seen> {
  const known: Ordered[] = [];
  for (const operation of operations) known.push(...((await ifSeen(lookAt(session, operation))) ?? []));
  if (known.length === 0) return undefined;
  const moving = known.find(({ isStable }) => !isStable);
  if (moving !== undefined) return { other: `${moving.operation}: another order at each reading` };
  const common = all.filter((order) => known.every(({ orders }) => orders.includes(order)));
  if (common.length > 0) return common.length === 1 ? common[0] : undefined;
  return known.some(({ isLong, orders }) => isLong && orders.length > 0) ? { other: inWords(known) } : 'arbitrary';
}

const all: readonly Order[] = ['oldestFirst', 'newestFirst', 'byName'];

function inWords(lists: readonly Ordered[]): string {
  return lists.map(({ operation, orders }) => `${operation}: ${orders[0] ?? 'arbitrary'}`).join(', ');
}

async function lookAt(session: Session, operation: ListOperation): Promise<Ordered[]> {
  const { items } = await readList(session, operation);
  const again = await readList(session, operation);
  const times = items.map((item) => Date.parse(String(member(item, 'createdAt'))));
  const names = items.map((item) => String(member(item, 'name')));
  const distinct = Math.min(new Set(times).size, new Set(names).size);
  if (distinct < fewest || times.some(Number.isNaN)) return [];
  const isOf: Record<Order, boolean> = {
    oldestFirst: isSorted(times, (a, b) => a - b),
    newestFirst: isSorted(times, (a, b) => b - a),
    byName: isSorted(names, (a, b) => (a < b ? -1 : 1)) || isSorted(names, new Intl.Collator('en').compare),
  };
  const isStable = isInOneOrder(idsOf(items), idsOf(again.items));
  return [{ operation, orders: all.filter((order) => isOf[order]), isLong: distinct >= many, isStable }];
}

// What came or went in between is no other order.
function isInOneOrder(ids: readonly string[], again: readonly string[]): boolean {
  return isDeepStrictEqual(
    ids.filter((id) => again.includes(id)),
    again.filter((id) => ids.includes(id)),
  );
}

function isSorted<T>(values: readonly T[], compare: (a: T, b: T) => number): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before === value || compare(before, value) <= 0;
  });
}
