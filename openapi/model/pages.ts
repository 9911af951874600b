// Pages of drives (4.4): bounds, what they say about the number of drives, and what total means.

import { own, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { items, member } from '../reading/messages.ts';
import { largestPage, pagingBounds } from '../reading/pages.ts';
import type { Choices } from './choices.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';

/** A page as it was asked for and shown. */
export interface Page {
  count: number;
  limit: number | undefined;
  /** Where it starts, if that is known. */
  offset: number | undefined;
  total: number | undefined;
  /** Whether each parameter is sent once, and within its bounds. */
  isLegal: boolean;
}

export function pageOf(call: Call): Page {
  const sent = (name: string) => call.query.find((pair) => pair.name === name)?.value;
  const [limit, offset] = [integerIn(sent('limit')), integerIn(sent('offset'))];
  const isNumber = (value: string | undefined) => value === undefined || integerIn(value) !== undefined;
  const isLegal =
    call.hasOnly('limit', 'offset') &&
    isNumber(sent('limit')) &&
    isNumber(sent('offset')) &&
    within(limit, ...pagingBounds.limit) &&
    within(offset, 0);
  const shown = member(call.json, 'pagination');
  // The default of offset is open.
  const start = sent('offset') === undefined ? member(shown, 'offset') : offset;
  return {
    count: items(member(call.json, 'data')).length,
    limit,
    offset: isLegal && Number.isInteger(start) ? Number(start) : undefined,
    total: Number.isInteger(member(shown, 'total')) ? Number(member(shown, 'total')) : undefined,
    isLegal,
  };
}

/** A page by itself. */
export function judgePage(call: Call, page: Page, report: Report): void {
  const { count, limit, isLegal } = page;
  const actual = say`${count}`;
  if (limit !== undefined && within(limit, ...pagingBounds.limit) && isLegal && count > limit)
    report('listDrives.limit-is-at-most', 'certain', { expected: say`at most ${own(plural(limit, 'drive'))}`, actual });
  else if (limit !== undefined && count > largestPage && call.hasOnly('limit', 'offset'))
    report('listDrives.page-is-at-most-hundred', 'certain', { expected: say`at most ${largestPage} drives`, actual });
  const shown = member(call.json, 'pagination');
  for (const name of ['limit', 'offset'] as const) {
    const sent = isLegal ? integerIn(call.query.find((pair) => pair.name === name)?.value) : undefined;
    const repeated = member(shown, name);
    if (sent === undefined || !Number.isInteger(repeated) || repeated === sent) continue;
    const expected = say`${name} ${sent} in pagination`;
    report('pagination.repeats-the-request', 'certain', { expected, actual: say`${Number(repeated)}` });
  }
}

/**
 * The number of drives that a page shows: the list ends on it. Undefined if it may go on. A page may be shorter than its
 * limit, but hardly shorter than others were; `longest` is the longest page so far.
 */
export function sizeShownBy(
  { count, limit, offset, total }: Page,
  longest: number,
  choices: Choices,
): number | undefined {
  if (offset === undefined) return undefined;
  const end = offset + count;
  if (count > 0 && total === end && choices.is('totalMeaning', 'all')) return end;
  if (limit === undefined || count >= Math.min(limit, longest)) return undefined;
  return end;
}

/** What total may mean, after this page (`totalMeaning`). */
export function judgeTotal(call: Call, page: Page, size: number | undefined, choices: Choices, report: Report): void {
  const { count, offset, total, isLegal } = page;
  if (total === undefined || offset === undefined || count === 0 || !isLegal) return;
  const mayBeAll = size === undefined ? total >= offset + count : total === size;
  const meanings = [...(mayBeAll ? ['all'] : []), ...(total === count ? ['page'] : [])];
  const expected = say`a total of this page or of all drives, of which ${offset + count} are known`;
  if (meanings.length === 0) {
    report('listDrives.total-counts-the-list', 'certain', { expected, actual: say`total ${total}` });
    return;
  }
  const clash = choices.narrow('totalMeaning', meanings, call.number);
  if (clash === undefined) return;
  const before = say`a total of the same meaning as before`;
  report('listDrives.total-is-coherent', 'certain', {
    expected: before,
    actual: say`total ${total} on a page of ${count}`,
    proof: [clash],
  });
}

function integerIn(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function within(value: number | undefined, least: number, most: number = Number.POSITIVE_INFINITY): boolean {
  return value === undefined || (value >= least && value <= most);
}
