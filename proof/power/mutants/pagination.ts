import type { RefusalKind } from '../../../openapi/contract/refusals.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Drive } from '../../../src/domain/resources.ts';
import type { Break, Mutant } from '../mutant.ts';
import { pages } from './pagination-pages.ts';
import { changeCalls, onCallersOf, refusal, sentInteger, sentParameter, withQuery } from './patch.ts';
import { addDrives, inEach, sequence } from './patch-store.ts';
import { table } from './table.ts';

// As the mock has it where no profile says otherwise.
const defaultLimit = 20;

/** The integers that were sent. */
interface Paging {
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Refuses requests for some pages. */
function refusePages(
  isRefused: (asked: Paging, caller: Organization) => boolean,
  kind: RefusalKind = 'invalidInput',
): Break {
  return onCallersOf('listDrives', (call, sound, caller, engine) => {
    const asked = { limit: sentInteger(call, 'limit'), offset: sentInteger(call, 'offset') };
    return isRefused(asked, caller) ? refusal(engine, kind) : sound.answer(call);
  });
}

/** Asks for other pages than were asked for. A parameter that becomes undefined is not sent. */
function changePaging(change: (asked: Paging, caller: Organization) => Paging | undefined): Break {
  return changeCalls('listDrives', (call, caller) => {
    const asked = { limit: sentInteger(call, 'limit'), offset: sentInteger(call, 'offset') };
    const changes = change(asked, caller);
    return changes === undefined ? call : withQuery(call, { ...changes });
  });
}

const noDrives = { limit: 1, offset: 1_000_000 };

/** Which values of the two parameters are accepted. */
const accepted: readonly Mutant[] = table('pagination', 'engine', {
  'listDrives.limit-one-accepted: limit-one-is-refused': [
    'limit=1 is refused; the lowest limit is 2.',
    refusePages(({ limit }) => limit === 1),
  ],
  'listDrives.limit-hundred-accepted: limit-hundred-is-refused': [
    'limit=100 is refused; the highest limit is 99.',
    refusePages(({ limit }) => limit === 100),
  ],
  'listDrives.offset-zero-accepted: offset-zero-is-refused': [
    'offset=0 is refused; it counts from 1.',
    refusePages(({ offset }) => offset === 0),
  ],
  'listDrives.offset-past-end-accepted: offset-past-the-end-is-refused': [
    'An offset beyond the last drive is refused like an unknown resource.',
    refusePages(({ offset = 0 }, { drives }) => offset > drives.size, 'notFound'),
  ],
  'listDrives.no-parameters: paging-is-required': [
    'GET /drives without limit and offset is refused.',
    onCallersOf('listDrives', (call, sound, _, engine) =>
      call.query === '' ? refusal(engine, 'invalidInput') : sound.answer(call),
    ),
  ],
});

/** Values outside the bounds that are followed. */
const beyondBounds: readonly Mutant[] = table('pagination', 'engine', {
  'listDrives.limit-zero-page: limit-zero-means-no-drives': [
    'limit=0 is answered with an empty page.',
    changePaging(({ limit }) => (limit === 0 ? noDrives : undefined)),
  ],
  'listDrives.limit-negative-page: a-negative-limit-means-no-drives': [
    'A limit below 0 is answered with an empty page.',
    changePaging(({ limit = 1 }) => (limit < 0 ? noDrives : undefined)),
  ],
  'listDrives.limit-negative-page: a-negative-limit-is-no-limit': [
    'A limit below 0 shows as many drives as there are, as in SQLite, and pagination repeats it.',
    takeForNoLimit((limit) => limit < 0),
  ],
  'listDrives.limit-out-of-range-refused: a-limit-is-read-as-far-as-it-is-a-number': [
    'limit=10abc means 10.',
    changeCalls('listDrives', (call) => {
      const [digits] = /^\d+(?=.)/.exec(sentParameter(call, 'limit') ?? '') ?? [];
      return digits === undefined ? call : withQuery(call, { limit: digits });
    }),
  ],
  'listDrives.offset-out-of-range-refused: an-offset-that-is-no-number-is-zero': [
    'An offset that is no number means 0.',
    changeCalls('listDrives', (call) => {
      return Number.isNaN(Number(sentParameter(call, 'offset'))) ? withQuery(call, { offset: 0 }) : call;
    }),
  ],
  'listDrives.limit-zero-page: limit-zero-is-no-limit': [
    'limit=0 shows as many drives as there are, and pagination repeats it.',
    takeForNoLimit((limit) => limit === 0),
  ],
  'listDrives.limit-above-hundred-page: a-limit-above-hundred-is-honoured': [
    'Of 135 drives a limit of more than 100 shows as many as it says.',
    honourLargeLimits(() => true),
  ],
  'listDrives.limit-above-hundred-page: a-limit-of-hundred-and-one-is-honoured': [
    'Of 135 drives limit=101 shows 101; larger limits are refused.',
    honourLargeLimits((limit) => limit === 101),
  ],
  'listDrives.offset-negative-page: a-negative-offset-counts-from-the-end': [
    'A negative offset is counted from the last drive.',
    changePaging(({ offset = 0 }, { drives }) =>
      offset < 0 ? { offset: Math.max(0, drives.size + offset) } : undefined,
    ),
  ],
  'listDrives.offset-negative-page: the-sign-of-an-offset-is-ignored': [
    'A negative offset skips as many drives as the number without its sign.',
    changePaging(({ offset = 0 }) => (offset < 0 ? { offset: -offset } : undefined)),
  ],
});

function takeForNoLimit(isMeant: (limit: number) => boolean): Break {
  return onCallersOf('listDrives', (call, sound) => {
    const limit = sentInteger(call, 'limit') ?? 1;
    if (!isMeant(limit)) return sound.answer(call);
    const answer = sound.answer(withQuery(call, { limit: 100 }));
    const { pagination, ...page } = JSON.parse(answer.body ?? '{}') as Record<string, object>;
    return { ...answer, body: JSON.stringify({ ...page, pagination: { ...pagination, limit } }) };
  });
}

// The engine asks for a hundred; the list gives what the caller asked for.
function honourLargeLimits(isHonoured: (limit: number) => boolean): Break {
  let wanted: number | undefined;
  return sequence(
    addDrives(130),
    inEach(({ drives }) => {
      const page = drives.page.bind(drives);
      drives.page = (offset, limit) => page(offset, wanted ?? limit);
    }),
    onCallersOf('listDrives', (call, sound) => {
      const limit = sentInteger(call, 'limit') ?? 0;
      wanted = limit > 100 && isHonoured(limit) ? limit : undefined;
      const answer = sound.answer(wanted === undefined ? call : withQuery(call, { limit: 100 }));
      wanted = undefined;
      return answer;
    }),
  );
}

/** What becomes of the two parameters on their way, and what the page says of them. */
const handedOn: readonly Mutant[] = table('pagination', 'engine', {
  'listDrives.limit-two-page: limit-is-ignored': [
    'limit is not looked at; every page is as large as without it.',
    changePaging(({ limit = defaultLimit }) => (limit < defaultLimit && limit > 0 ? { limit: undefined } : undefined)),
  ],
  'listDrives.offset-skips: offset-is-ignored': [
    'offset is not looked at; every page begins with the first drive.',
    changePaging(({ offset = 0 }) => (offset < 0 ? undefined : { offset: undefined })),
  ],
  'listDrives.offset-skips: offset-is-rounded-down-to-a-whole-page': [
    'An offset within a page is taken back to the beginning of that page: limit=100&offset=1 skips nothing.',
    changePaging(({ limit = defaultLimit, offset = 0 }) =>
      limit > 0 && offset > 0 ? { offset: offset - (offset % limit) } : undefined,
    ),
  ],
  'listDrives.pagination-repeats-limit: limits-above-fifty-are-cut-down': [
    'A limit from 51 to 100 is taken for 50, and the pagination object says so.',
    changePaging(({ limit = 0 }) => (limit > 50 && limit <= 100 ? { limit: 50 } : undefined)),
  ],
  'listDrives.pagination-repeats-limit: pagination-shows-the-number-of-drives-as-limit': [
    'A limit is cut down to the number of drives that are left, at least 1, and the pagination object says so.',
    changePaging(({ limit = 0, offset = 0 }, { drives }) => {
      const left = Math.max(1, drives.size - offset);
      return limit <= 100 && limit > left ? { limit: left } : undefined;
    }),
  ],
  'listDrives.pagination-repeats-offset: pagination-shows-the-next-offset': [
    'The offset is moved on when the page is read, so that the pagination object shows where the next one begins.',
    moveOffset((offset, page) => offset + page.length),
  ],
  'listDrives.pagination-repeats-offset: pagination-shows-the-number-of-the-page': [
    'The offset is turned into a number of whole pages, and the pagination object shows that number.',
    moveOffset((offset, _, limit) => Math.floor(offset / limit)),
  ],
});

/** Goes on with another offset than was sent. The list is read from where the caller asked. */
function moveOffset(toShown: (offset: number, page: readonly Drive[], limit: number) => number): Break {
  let asked: number | undefined;
  return sequence(
    inEach(({ drives }) => {
      const page = drives.page.bind(drives);
      drives.page = (offset, limit) => page(asked ?? offset, limit);
    }),
    onCallersOf('listDrives', (call, sound, caller) => {
      const [limit, offset] = [sentInteger(call, 'limit') ?? defaultLimit, sentInteger(call, 'offset') ?? 0];
      if (offset < 0 || limit < 1) return sound.answer(call);
      const shown = toShown(offset, caller.drives.page(offset, limit), limit);
      asked = offset;
      const answer = sound.answer(withQuery(call, { offset: shown }));
      asked = undefined;
      return answer;
    }),
  );
}

export const pagination: readonly Mutant[] = [...accepted, ...beyondBounds, ...handedOn, ...pages];
