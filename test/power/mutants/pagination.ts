import type { Drive } from '../../../src/domain/resources.ts';
import type { Mutant } from '../mutant.ts';
import { pages } from './pagination-pages.ts';
import { onCallersOf, refusal, sentInteger, withQuery } from './patch.ts';
import { addDrives, organizationsOf } from './patch-store.ts';
import type { Break } from './rewrite.ts';
import { table } from './table.ts';

// As the mock has it where no profile says otherwise.
const defaultLimit = 20;

/** Which values of the two parameters are accepted. */
const accepted: readonly Mutant[] = table('pagination', 'engine', {
  'listDrives.limit-one-accepted: limit-one-is-refused': [
    'limit=1 is refused; the lowest limit is 2.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'limit') === 1 ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  ],
  'listDrives.limit-hundred-accepted: limit-hundred-is-refused': [
    'limit=100 is refused; the highest limit is 99.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'limit') === 100 ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  ],
  'listDrives.offset-zero-accepted: offset-zero-is-refused': [
    'offset=0 is refused; it counts from 1.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'offset') === 0 ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  ],
  'listDrives.offset-past-end-accepted: offset-past-the-end-is-refused': [
    'An offset beyond the last drive is refused like an unknown resource.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound, caller) =>
        (sentInteger(call, 'offset') ?? 0) > caller.drives.size ? refusal(engine, 'notFound') : sound.answer(call),
      ),
  ],
  'listDrives.no-parameters: paging-is-required': [
    'GET /drives without limit and offset is refused.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        call.query === '' ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  ],
});

/** Values outside the bounds that are followed. */
const beyondBounds: readonly Mutant[] = table('pagination', 'engine', {
  'listDrives.limit-zero-page: limit-zero-means-no-drives': [
    'limit=0 is answered with an empty page.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'limit') === 0
          ? sound.answer(withQuery(call, { limit: 1, offset: 1_000_000 }))
          : sound.answer(call),
      ),
  ],
  'listDrives.limit-negative-page: a-negative-limit-means-no-drives': [
    'A limit below 0 is answered with an empty page.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        (sentInteger(call, 'limit') ?? 1) < 0
          ? sound.answer(withQuery(call, { limit: 1, offset: 1_000_000 }))
          : sound.answer(call),
      ),
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
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound, caller) => {
        const offset = sentInteger(call, 'offset') ?? 0;
        return sound.answer(offset < 0 ? withQuery(call, { offset: Math.max(0, caller.drives.size + offset) }) : call);
      }),
  ],
  'listDrives.offset-negative-page: the-sign-of-an-offset-is-ignored': [
    'A negative offset skips as many drives as the number without its sign.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const offset = sentInteger(call, 'offset') ?? 0;
        return sound.answer(offset < 0 ? withQuery(call, { offset: -offset }) : call);
      }),
  ],
});

// The engine asks for a hundred; the list gives what the caller asked for.
function honourLargeLimits(isHonoured: (limit: number) => boolean): Break {
  return (engine) => {
    let wanted: number | undefined;
    for (const organization of organizationsOf(engine)) {
      addDrives(organization, 130);
      const page = organization.drives.page.bind(organization.drives);
      organization.drives.page = (offset, limit) => page(offset, wanted ?? limit);
    }
    onCallersOf(engine, 'listDrives', (call, sound) => {
      const limit = sentInteger(call, 'limit') ?? 0;
      wanted = limit > 100 && isHonoured(limit) ? limit : undefined;
      const answer = sound.answer(wanted === undefined ? call : withQuery(call, { limit: 100 }));
      wanted = undefined;
      return answer;
    });
  };
}

/** What becomes of the two parameters on their way, and what the page says of them. */
const handedOn: readonly Mutant[] = table('pagination', 'engine', {
  'listDrives.limit-two-page: limit-is-ignored': [
    'limit is not looked at; every page is as large as without it.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const limit = sentInteger(call, 'limit') ?? 20;
        return sound.answer(limit < 20 && limit > 0 ? withQuery(call, { limit: undefined }) : call);
      }),
  ],
  'listDrives.offset-skips: offset-is-ignored': [
    'offset is not looked at; every page begins with the first drive.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sound.answer((sentInteger(call, 'offset') ?? 0) < 0 ? call : withQuery(call, { offset: undefined })),
      ),
  ],
  'listDrives.offset-skips: offset-is-rounded-down-to-a-whole-page': [
    'An offset within a page is taken back to the beginning of that page: limit=100&offset=1 skips nothing.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const [limit, offset] = [sentInteger(call, 'limit') ?? 20, sentInteger(call, 'offset') ?? 0];
        return sound.answer(limit > 0 && offset > 0 ? withQuery(call, { offset: offset - (offset % limit) }) : call);
      }),
  ],
  'listDrives.pagination-repeats-limit: limits-above-fifty-are-cut-down': [
    'A limit from 51 to 100 is taken for 50, and the pagination object says so.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const limit = sentInteger(call, 'limit') ?? 0;
        return sound.answer(limit > 50 && limit <= 100 ? withQuery(call, { limit: 50 }) : call);
      }),
  ],
  'listDrives.pagination-repeats-limit: pagination-shows-the-number-of-drives-as-limit': [
    'A limit is cut down to the number of drives that are left, at least 1, and the pagination object says so.',
    (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound, caller) => {
        const [limit, offset] = [sentInteger(call, 'limit') ?? 0, sentInteger(call, 'offset') ?? 0];
        const left = Math.max(1, caller.drives.size - offset);
        return sound.answer(limit <= 100 && limit > left ? withQuery(call, { limit: left }) : call);
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
  return (engine) => {
    let asked: number | undefined;
    for (const { drives } of organizationsOf(engine)) {
      const page = drives.page.bind(drives);
      drives.page = (offset, limit) => page(asked ?? offset, limit);
    }
    onCallersOf(engine, 'listDrives', (call, sound, caller) => {
      const [limit, offset] = [sentInteger(call, 'limit') ?? defaultLimit, sentInteger(call, 'offset') ?? 0];
      if (offset < 0 || limit < 1) return sound.answer(call);
      const shown = toShown(offset, caller.drives.page(offset, limit), limit);
      asked = offset;
      const answer = sound.answer(withQuery(call, { offset: shown }));
      asked = undefined;
      return answer;
    });
  };
}

export const pagination: readonly Mutant[] = [...accepted, ...beyondBounds, ...handedOn, ...pages];
