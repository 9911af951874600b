import type { Drive } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { addDrives, organizationsOf } from './patch-store.ts';

/** How pages are cut from the list of drives. */
interface Cut {
  offset: number;
  limit: number;
  /** How many drives there are. */
  size: number;
  /** A page as it should be. */
  page(offset: number, limit: number): Drive[];
}

/** Cuts pages in another way. */
function cutPages(engine: Engine, cut: (asked: Cut) => Drive[]): void {
  for (const { drives } of organizationsOf(engine)) {
    const page = drives.page.bind(drives);
    drives.page = (offset, limit) => cut({ offset, limit, size: drives.size, page });
  }
}

/** Gives another total for the page that was cut last. */
function changeTotal(engine: Engine, total: (offset: number, limit: number, size: number) => number): void {
  for (const { drives } of organizationsOf(engine)) {
    const page = drives.page.bind(drives);
    const size = () => page(0, 1_000_000).length;
    let asked = { offset: 0, limit: 0 };
    drives.page = (offset, limit) => {
      asked = { offset, limit };
      return page(offset, limit);
    };
    Object.defineProperty(drives, 'size', { get: () => total(asked.offset, asked.limit, size()) });
  }
}

const atMost = { class: 'pagination', place: 'store', requirement: 'listDrives.limit-is-at-most' } as const;

/** How many drives a page holds. */
const sizes: readonly Mutant[] = [
  {
    id: 'limit-one-gives-two-drives',
    ...atMost,
    check: 'listDrives.limit-one-page',
    fault: 'For limit=1 the page holds two drives; every other limit is right.',
    break: (engine) => cutPages(engine, ({ offset, limit, page }) => page(offset, limit === 1 ? 2 : limit)),
  },
  {
    id: 'limit-one-gives-all-drives',
    ...atMost,
    check: 'listDrives.limit-one-page',
    fault: 'limit=1 is taken for no limit.',
    break: (engine) => cutPages(engine, ({ offset, limit, size, page }) => page(offset, limit === 1 ? size : limit)),
  },
  {
    id: 'a-page-has-one-drive-too-many',
    ...atMost,
    check: 'listDrives.limit-two-page',
    fault: 'From limit=2 on a page holds one drive more than it asks for.',
    break: (engine) => cutPages(engine, ({ offset, limit, page }) => page(offset, limit > 1 ? limit + 1 : limit)),
  },
  {
    id: 'an-even-limit-gives-one-drive-too-many',
    ...atMost,
    check: 'listDrives.limit-two-page',
    fault: 'For an even limit below 100 a page holds one drive more than it asks for.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, page }) => page(offset, limit % 2 === 0 && limit < 100 ? limit + 1 : limit)),
  },
];

const skips = { class: 'pagination', place: 'store', requirement: 'listDrives.offset-skips' } as const;
const shifts = { class: 'pagination', place: 'store', requirement: 'listDrives.offset-shifts-the-page' } as const;
const together = { class: 'pagination', place: 'store', requirement: 'listDrives.pages-fit-together' } as const;

/** Where a page begins. */
const beginnings: readonly Mutant[] = [
  {
    id: 'offset-counts-pages',
    ...skips,
    check: 'listDrives.offset-skips',
    fault: 'offset is taken for the number of pages to skip.',
    break: (engine) => cutPages(engine, ({ offset, limit, page }) => page(offset * limit, limit)),
  },
  {
    id: 'offset-skips-one-too-few',
    ...skips,
    check: 'listDrives.offset-skips',
    fault: 'An offset above 0 skips one drive fewer than it says, as if it counted from 1.',
    break: (engine) => cutPages(engine, ({ offset, limit, page }) => page(Math.max(0, offset - 1), limit)),
  },
  {
    id: 'offset-skips-one-too-many',
    ...skips,
    check: 'listDrives.offset-skips',
    fault: 'An offset above 0 skips one drive more than it says.',
    break: (engine) => cutPages(engine, ({ offset, limit, page }) => page(offset > 0 ? offset + 1 : 0, limit)),
  },
  {
    id: 'offset-past-the-end-begins-anew',
    ...skips,
    check: 'listDrives.offset-past-end-page',
    fault: 'Beyond the last drive the list begins anew.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, size, page }) =>
        page(offset >= size && size > 0 ? offset % size : offset, limit),
      ),
  },
  {
    id: 'offset-past-the-end-shows-the-last-drive',
    ...skips,
    check: 'listDrives.offset-past-end-page',
    fault: 'Beyond the last drive the page holds the last drive once more.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, size, page }) => page(Math.min(offset, Math.max(0, size - 1)), limit)),
  },
  {
    id: 'a-large-offset-is-forgotten',
    ...skips,
    check: 'listDrives.offset-past-end-page',
    fault: 'An offset that is not below the number of drives is taken for 0.',
    break: (engine) => cutPages(engine, ({ offset, limit, size, page }) => page(offset >= size ? 0 : offset, limit)),
  },
  {
    id: 'offset-skips-from-the-end',
    ...shifts,
    check: 'listDrives.offset-shifts-the-page',
    fault: 'offset leaves out the last drives of the list instead of the first.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, size, page }) => page(0, Math.max(0, Math.min(limit, size - offset)))),
  },
  {
    id: 'pages-behind-the-first-are-in-another-order',
    ...shifts,
    check: 'listDrives.offset-shifts-the-page',
    fault: 'The list is turned round before a page with an offset is cut from it.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, size, page }) =>
        offset === 0
          ? page(0, limit)
          : page(0, size)
              .reverse()
              .slice(offset, offset + limit),
      ),
  },
];

/** Pages that do not fit together, each of them plausible. */
const joints: readonly Mutant[] = [
  {
    id: 'full-pages-overlap',
    ...together,
    check: 'listDrives.pages-fit-together',
    fault: 'A full page behind the first begins with the last drive of the page before it.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, size, page }) =>
        page(offset > 0 && offset + limit <= size ? offset - 1 : offset, limit),
      ),
  },
  {
    id: 'the-last-drive-is-on-no-small-page',
    ...together,
    check: 'listDrives.pages-fit-together',
    fault: 'While the list does not fit on one page, the very last drive is on none of its pages.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, size, page }) =>
        limit < size ? page(offset, Math.max(0, Math.min(limit, size - 1 - offset))) : page(offset, limit),
      ),
  },
  {
    id: 'the-second-page-shows-its-first-drive-twice',
    ...together,
    check: 'listDrives.pages-fit-together',
    fault: 'On the second page of a long list the first drive stands in the place of the second as well.',
    break: (engine) =>
      cutPages(engine, ({ offset, limit, page }) => {
        const [first, second, ...rest] = page(offset, limit);
        if (offset !== limit || first === undefined || second === undefined) return page(offset, limit);
        return [first, first, ...rest];
      }),
  },
  {
    id: 'every-second-small-page-begins-one-too-late',
    ...together,
    check: 'listDrives.pages-fit-together',
    fault: 'Of full pages behind the first every second one begins one drive too late.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) addDrives(organization, 20);
      let count = 0;
      cutPages(engine, ({ offset, limit, size, page }) => {
        const isLate = offset > 0 && offset + limit < size && ++count % 2 === 0;
        return page(isLate ? offset + 1 : offset, limit);
      });
    },
  },
];

const total = {
  class: 'pagination',
  place: 'store',
  requirement: 'listDrives.total-is-coherent',
  check: 'listDrives.total-coherent',
} as const;

/** What total counts. */
const totals: readonly Mutant[] = [
  {
    id: 'total-is-the-limit',
    ...total,
    fault: 'total is the limit, however many drives there are.',
    break: (engine) => changeTotal(engine, (_, limit) => limit),
  },
  {
    id: 'total-counts-what-is-left',
    ...total,
    fault: 'total counts the drives from the offset on.',
    break: (engine) => changeTotal(engine, (offset, _, size) => Math.max(0, size - offset)),
  },
  {
    id: 'total-counts-what-was-shown',
    ...total,
    fault: 'total counts the drives up to the end of the page.',
    break: (engine) => changeTotal(engine, (offset, limit, size) => Math.min(size, offset + limit)),
  },
  {
    id: 'total-is-one-too-many-behind-the-first-page',
    ...total,
    fault: 'On pages with an offset total is one drive too many.',
    break: (engine) => changeTotal(engine, (offset, _, size) => (offset > 0 ? size + 1 : size)),
  },
];

/** Lists that are longer than a page can be. */
const longLists: readonly Mutant[] = [
  {
    id: 'the-list-of-drives-ends-at-hundred',
    class: 'pagination',
    place: 'store',
    requirement: 'listDrives.shows-created-drive',
    check: 'listDrives.created-drive',
    fault: 'Of 105 drives only the first 100 are on any page, so that a new one is on none.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) addDrives(organization, 100);
      cutPages(engine, ({ offset, limit, page }) => page(offset, Math.max(0, Math.min(limit, 100 - offset))));
    },
  },
  {
    id: 'pages-behind-the-second-begin-too-late',
    class: 'pagination',
    place: 'store',
    requirement: 'listDrives.pages-fit-together',
    check: 'listDrives.pages-fit-together',
    fault: 'Pages behind the second begin one drive too late.',
    break: (engine) => cutPages(engine, ({ offset, limit, page }) => page(offset > limit ? offset + 1 : offset, limit)),
  },
];

export const pages: readonly Mutant[] = [...sizes, ...beginnings, ...joints, ...totals, ...longLists];
