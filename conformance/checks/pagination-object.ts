import { own, say } from '../../lib/sentence.ts';
import { isObject } from '../../openapi/reading/messages.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { countOf, drivesOf } from '../probing/lists.ts';
import { operationUses } from '../probing/operations.ts';
import {
  acceptingPages,
  allDrives,
  pagingNumber,
  pastEnd,
  readPage,
  requireSameDrives,
  withOwnCreations,
} from '../probing/paging.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { judgesShape, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('listDrives', 'list');

// If the run may write, there are at least two drives before pages are compared.
const comparing: Partial<Check> = { effects: operationUses.createDrive.effects };

/** The pagination object of a page of drives (4.4). */
export const paginationObjectChecks: readonly Check[] = [
  check(
    'pagination-repeats-limit',
    'Sends several limits, and looks for them in the pagination object.',
    repeats('limit', [1, 2, 100]),
  ),
  check(
    'pagination-repeats-offset',
    'Sends several offsets, and looks for them in the pagination object.',
    async (session) => repeats('offset', [0, 1, 2, await pastEnd(session)])(session),
    comparing,
  ),
  check('total-coherent', 'Compares total on pages of several sizes and offsets.', hasCoherentTotal, comparing),
].map(withOwnCreations);

function repeats(name: 'limit' | 'offset', values: readonly number[]): Check['run'] {
  return async (session) => {
    const read = async (value: number) => ({
      value,
      reply: await readPage(session, { limit: 2, offset: 0, [name]: value }),
    });
    for (const { value, reply } of await inParallel(values, read)) {
      requireSuccess(reply, ...acceptingPages);
      const shown = pagingNumber(reply, name);
      if (shown === undefined) throw noPaging(name, [reply]);
      if (shown === value) continue;
      const isCapped = name === 'limit' && shown < value;
      const why = isCapped ? say`: pages are limited to ${shown}, but up to 100 may be requested` : say``;
      throw new Violated(say`pagination.${own(name)}: ${value}, as requested`, say`${shown}${why}`, [reply]);
    }
  };
}

function noPaging(name: string, replies: readonly Reply[]): Inconclusive {
  const paginations = replies.map(({ json }) => member(json, 'pagination'));
  // Open point `paginationFields`. Null in place of a field is open as well.
  const isLeftOut = paginations.every(
    (pagination) => isObject(pagination) && (member(pagination, name) ?? null) === null,
  );
  if (isLeftOut) return new Inconclusive('PAGINATION', say`pagination has no ${own(name)}.`);
  const judges = ['pagination-fields-present', 'pagination-field-types'].map((rule) => `listDrives.${rule}`);
  return new Inconclusive(
    'PREREQUISITE',
    say`pagination shows no ${own(name)}.`,
    ...judges,
    ...judgesShape('listDrives'),
  );
}

// What total counts is open (open point `totalMeaning`), but it must always count the same thing.
async function hasCoherentTotal(session: Session): Promise<void> {
  const listing = await allDrives(session);
  // On a page that is not full, limit and number of drives differ.
  const last = { limit: 3, offset: countOf(listing) - 1 };
  const queries = [...[1, 3, 100].flatMap((limit) => [0, 1, 2].map((offset) => ({ limit, offset }))), last];
  const pages = await inParallel(queries, (query) => readPage(session, query));
  for (const page of pages) requireSuccess(page, ...acceptingPages);
  const totals = pages.map((page) => pagingNumber(page, 'total'));
  if (totals.includes(undefined)) throw noPaging('total', pages);
  const isSame = new Set(totals).size === 1;
  const isPageSize = pages.every((page, index) => totals[index] === drivesOf(page).length);
  if (isSame || isPageSize) return;
  await requireSameDrives(session, listing);
  const expected = say`the same total on every page, or the number of drives on the page`;
  const other = pages.filter((_, index) => totals[index] !== totals[0]).slice(0, 1);
  throw new Violated(expected, own(totals.join(', ')), [...pages.slice(0, 1), ...other]);
}
