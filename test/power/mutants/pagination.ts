import type { Drive } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { pages } from './pagination-pages.ts';
import { onCallersOf, refusal, sentInteger, withQuery } from './patch.ts';
import { addDrives, organizationsOf } from './patch-store.ts';

// As the mock has it where no profile says otherwise.
const defaultLimit = 20;

/** Which values of the two parameters are accepted. */
const accepted: readonly Mutant[] = [
  {
    id: 'limit-one-is-refused',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.limit-in-query',
    check: 'listDrives.limit-one-accepted',
    fault: 'limit=1 is refused; the lowest limit is 2.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'limit') === 1 ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  },
  {
    id: 'limit-hundred-is-refused',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.limit-in-query',
    check: 'listDrives.limit-hundred-accepted',
    fault: 'limit=100 is refused; the highest limit is 99.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'limit') === 100 ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  },
  {
    id: 'offset-zero-is-refused',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.offset-in-query',
    check: 'listDrives.offset-zero-accepted',
    fault: 'offset=0 is refused; it counts from 1.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'offset') === 0 ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  },
  {
    id: 'offset-past-the-end-is-refused',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.offset-in-query',
    check: 'listDrives.offset-past-end-accepted',
    fault: 'An offset beyond the last drive is refused like an unknown resource.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound, caller) =>
        (sentInteger(call, 'offset') ?? 0) > caller.drives.size ? refusal(engine, 'notFound') : sound.answer(call),
      ),
  },
  {
    id: 'paging-is-required',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.paging-may-be-left-out',
    check: 'listDrives.no-parameters',
    fault: 'GET /drives without limit and offset is refused.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        call.query === '' ? refusal(engine, 'invalidInput') : sound.answer(call),
      ),
  },
];

/** Values outside the bounds that are followed. */
const beyondBounds: readonly Mutant[] = [
  {
    id: 'limit-zero-means-no-drives',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.limit-below-one-is-not-honoured',
    check: 'listDrives.limit-zero-page',
    fault: 'limit=0 is answered with an empty page.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sentInteger(call, 'limit') === 0
          ? sound.answer(withQuery(call, { limit: 1, offset: 1_000_000 }))
          : sound.answer(call),
      ),
  },
  {
    id: 'a-negative-limit-means-no-drives',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.limit-below-one-is-not-honoured',
    check: 'listDrives.limit-negative-page',
    fault: 'A limit below 0 is answered with an empty page.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        (sentInteger(call, 'limit') ?? 1) < 0
          ? sound.answer(withQuery(call, { limit: 1, offset: 1_000_000 }))
          : sound.answer(call),
      ),
  },
  {
    id: 'a-limit-above-hundred-is-honoured',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.page-is-at-most-hundred',
    check: 'listDrives.limit-above-hundred-page',
    fault: 'Of 135 drives a limit of more than 100 shows as many as it says.',
    break: (engine) => honourLargeLimits(engine, () => true),
  },
  {
    id: 'a-limit-of-hundred-and-one-is-honoured',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.page-is-at-most-hundred',
    check: 'listDrives.limit-above-hundred-page',
    fault: 'Of 135 drives limit=101 shows 101; larger limits are refused.',
    break: (engine) => honourLargeLimits(engine, (limit) => limit === 101),
  },
  {
    id: 'a-negative-offset-counts-from-the-end',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.offset-below-zero-is-not-honoured',
    check: 'listDrives.offset-negative-page',
    fault: 'A negative offset is counted from the last drive.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound, caller) => {
        const offset = sentInteger(call, 'offset') ?? 0;
        return sound.answer(offset < 0 ? withQuery(call, { offset: Math.max(0, caller.drives.size + offset) }) : call);
      }),
  },
  {
    id: 'the-sign-of-an-offset-is-ignored',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.offset-below-zero-is-not-honoured',
    check: 'listDrives.offset-negative-page',
    fault: 'A negative offset skips as many drives as the number without its sign.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const offset = sentInteger(call, 'offset') ?? 0;
        return sound.answer(offset < 0 ? withQuery(call, { offset: -offset }) : call);
      }),
  },
];

// The engine asks for a hundred; the list gives what the caller asked for.
function honourLargeLimits(engine: Engine, isHonoured: (limit: number) => boolean): void {
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
}

/** What becomes of the two parameters on their way, and what the page says of them. */
const handedOn: readonly Mutant[] = [
  {
    id: 'limit-is-ignored',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.limit-is-at-most',
    check: 'listDrives.limit-two-page',
    fault: 'limit is not looked at; every page is as large as without it.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const limit = sentInteger(call, 'limit') ?? 20;
        return sound.answer(limit < 20 && limit > 0 ? withQuery(call, { limit: undefined }) : call);
      }),
  },
  {
    id: 'offset-is-ignored',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.offset-skips',
    check: 'listDrives.offset-skips',
    fault: 'offset is not looked at; every page begins with the first drive.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) =>
        sound.answer((sentInteger(call, 'offset') ?? 0) < 0 ? call : withQuery(call, { offset: undefined })),
      ),
  },
  {
    id: 'offset-is-rounded-down-to-a-whole-page',
    class: 'pagination',
    place: 'engine',
    requirement: 'listDrives.offset-skips',
    check: 'listDrives.offset-skips',
    fault: 'An offset within a page is taken back to the beginning of that page: limit=100&offset=1 skips nothing.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const [limit, offset] = [sentInteger(call, 'limit') ?? 20, sentInteger(call, 'offset') ?? 0];
        return sound.answer(limit > 0 && offset > 0 ? withQuery(call, { offset: offset - (offset % limit) }) : call);
      }),
  },
  {
    id: 'limits-above-fifty-are-cut-down',
    class: 'pagination',
    place: 'engine',
    requirement: 'pagination.repeats-the-request',
    check: 'listDrives.pagination-repeats-limit',
    fault: 'A limit from 51 to 100 is taken for 50, and the pagination object says so.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound) => {
        const limit = sentInteger(call, 'limit') ?? 0;
        return sound.answer(limit > 50 && limit <= 100 ? withQuery(call, { limit: 50 }) : call);
      }),
  },
  {
    id: 'pagination-shows-the-number-of-drives-as-limit',
    class: 'pagination',
    place: 'engine',
    requirement: 'pagination.repeats-the-request',
    check: 'listDrives.pagination-repeats-limit',
    fault: 'A limit is cut down to the number of drives that are left, at least 1, and the pagination object says so.',
    break: (engine) =>
      onCallersOf(engine, 'listDrives', (call, sound, caller) => {
        const [limit, offset] = [sentInteger(call, 'limit') ?? 0, sentInteger(call, 'offset') ?? 0];
        const left = Math.max(1, caller.drives.size - offset);
        return sound.answer(limit <= 100 && limit > left ? withQuery(call, { limit: left }) : call);
      }),
  },
  {
    id: 'pagination-shows-the-next-offset',
    class: 'pagination',
    place: 'engine',
    requirement: 'pagination.repeats-the-request',
    check: 'listDrives.pagination-repeats-offset',
    fault:
      'The offset is moved on when the page is read, so that the pagination object shows where the next one begins.',
    break: (engine) => moveOffset(engine, (offset, page) => offset + page.length),
  },
  {
    id: 'pagination-shows-the-number-of-the-page',
    class: 'pagination',
    place: 'engine',
    requirement: 'pagination.repeats-the-request',
    check: 'listDrives.pagination-repeats-offset',
    fault: 'The offset is turned into a number of whole pages, and the pagination object shows that number.',
    break: (engine) => moveOffset(engine, (offset, _, limit) => Math.floor(offset / limit)),
  },
];

/** Goes on with another offset than was sent. The list is read from where the caller asked. */
function moveOffset(engine: Engine, toShown: (offset: number, page: readonly Drive[], limit: number) => number): void {
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
}

export const pagination: readonly Mutant[] = [...accepted, ...beyondBounds, ...handedOn, ...pages];
