import type { Pair } from '../../lib/query.ts';
import { jsonOf, member, type ReadExchange } from './messages.ts';

/** The most drives that a page may have (4.4). A test compares it with the contract. */
export const largestPage = 100;

/** The stated bounds of the paging parameters. */
export const pagingBounds = { limit: [1, largestPage], offset: [0, Number.POSITIVE_INFINITY] } as const;
export const pagingNames = Object.keys(pagingBounds) as (keyof typeof pagingBounds)[];

/** A number in the pagination object; undefined if it is absent. */
export function pagingNumber({ answer }: Pick<ReadExchange, 'answer'>, name: string): number | undefined {
  const value = member(member(jsonOf(answer), 'pagination'), name);
  return Number.isInteger(value) ? Number(value) : undefined;
}

/** Whether a number out of range is the only fault of a query. */
export function isOutOfRange({ operation, request: { query } }: ReadExchange): boolean {
  const isPaged = operation.parameters.some(({ name }) => name === 'offset');
  const isKnown = query.every(({ name, value = '' }) => Object.hasOwn(pagingBounds, name) && /^-?\d+$/.test(value));
  const isOnce = new Set(query.map(({ name }) => name)).size === query.length;
  if (!isPaged || !isKnown || !isOnce) return false;
  return !query.every(isLegalPaging);
}

/** The paging parameter that has a word in place of its number, if that is the only fault of a query. */
export function wordForNumberIn({
  operation,
  request: { query },
}: ReadExchange): keyof typeof pagingBounds | undefined {
  const isPaged = operation.parameters.some(({ name }) => name === 'offset');
  const isOnce = new Set(query.map(({ name }) => name)).size === query.length;
  const [pair, ...more] = query.filter((one) => !isLegalPaging(one));
  if (!isPaged || !isOnce || more.length > 0 || !/^[a-z]+$/i.test(pair?.value ?? '')) return undefined;
  return pagingNames.find((name) => name === pair?.name);
}

/** Whether a pair of a query is a limit or an offset within its bounds. */
export function isLegalPaging({ name, value = '' }: Pair): boolean {
  if (!Object.hasOwn(pagingBounds, name) || !/^-?\d+$/.test(value)) return false;
  const [least, most] = pagingBounds[name as keyof typeof pagingBounds];
  return Number(value) >= least && Number(value) <= most;
}

/** Whether a list is asked for with parameters that it does not have. */
export function hasMoreParameters({ operation, request: { query } }: ReadExchange): boolean {
  const isPlainList = operation.list !== undefined && operation.segments.every((segment) => 'literal' in segment);
  const isUnknown = ({ name, value }: Pair) =>
    value !== undefined && !operation.parameters.some((each) => each.name === name);
  return isPlainList && query.some(isUnknown) && query.every((pair) => isUnknown(pair) || isLegalPaging(pair));
}
