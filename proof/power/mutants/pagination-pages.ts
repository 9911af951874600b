import type { Drive } from '../../../src/domain/resources.ts';
import type { Break, Mutant } from '../mutant.ts';
import { addDrives, inEach, organizationsOf, sequence } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { withBody, write } from './wire-faults.ts';

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
function cutPages(cut: (asked: Cut) => Drive[]): Break {
  return inEach(({ drives }) => {
    const page = drives.page.bind(drives);
    drives.page = (offset, limit) => cut({ offset, limit, size: drives.size, page });
  });
}

/** Gives another total for the page that was cut last. */
function changeTotal(total: (offset: number, limit: number, size: number) => number): Break {
  return inEach(({ drives }) => {
    const page = drives.page.bind(drives);
    const size = () => page(0, 1_000_000).length;
    let asked = { offset: 0, limit: 0 };
    drives.page = (offset, limit) => {
      asked = { offset, limit };
      return page(offset, limit);
    };
    Object.defineProperty(drives, 'size', { get: () => total(asked.offset, asked.limit, size()) });
  });
}

/** Pages that do not fit where the next one begins. */
const tilings: readonly Mutant[] = table('pagination', 'store', {
  'listDrives.pages-fit-together.by-limit: the-first-page-of-two-has-one-drive': [
    'For limit=2 the first page holds one drive, and the page behind it begins at the third one.',
    cutPages(({ offset, limit, page }) => page(offset, limit === 2 && offset === 0 ? 1 : limit)),
  ],
  'listDrives.pages-fit-together.by-limit: a-page-of-three-has-two-drives': [
    'For limit=3 every page holds two drives.',
    cutPages(({ offset, limit, page }) => page(offset, limit === 3 ? 2 : limit)),
  ],
});

/** How many drives a page holds. */
const sizes: readonly Mutant[] = table('pagination', 'store', {
  'listDrives.limit-one-page: limit-one-gives-two-drives': [
    'For limit=1 the page holds two drives; every other limit is right.',
    cutPages(({ offset, limit, page }) => page(offset, limit === 1 ? 2 : limit)),
  ],
  'listDrives.limit-one-page: limit-one-gives-all-drives': [
    'limit=1 is taken for no limit.',
    cutPages(({ offset, limit, size, page }) => page(offset, limit === 1 ? size : limit)),
  ],
  'listDrives.limit-two-page: a-page-has-one-drive-too-many': [
    'From limit=2 on a page holds one drive more than it asks for.',
    cutPages(({ offset, limit, page }) => page(offset, limit > 1 ? limit + 1 : limit)),
  ],
  'listDrives.limit-two-page: an-even-limit-gives-one-drive-too-many': [
    'For an even limit below 100 a page holds one drive more than it asks for.',
    cutPages(({ offset, limit, page }) => page(offset, limit % 2 === 0 && limit < 100 ? limit + 1 : limit)),
  ],
});

/** What a page is cut to, and what a large limit comes to. */
const bounds: readonly Mutant[] = [
  ...table('pagination', 'store', {
    'listDrives.each-page-within-limit: limit-three-gives-four-drives': [
      'For limit=3 the page holds four drives.',
      cutPages(({ offset, limit, page }) => page(offset, limit === 3 ? 4 : limit)),
    ],
    'listDrives.no-empty-page-before-the-end: limit-is-the-last-index': [
      'A page ends at the drive whose place is the limit, wherever it begins.',
      cutPages(({ offset, limit, page }) => page(offset, Math.max(0, limit - offset))),
    ],
  }),
  ...wireTable('pagination', {
    'listDrives.limit-above-hundred-reduced: a-limit-above-hundred-counts': [
      'A limit above 100 is accepted, and pagination shows it as the limit that counts.',
      () => async (request, response, forward) => {
        const path = request.url ?? '';
        const [, asked = '0'] = /[?&]limit=(\d+)/.exec(path) ?? [];
        if (Number(asked) <= 100) return write(response, await forward());
        const answer = await forward({ path: path.replace(/limit=\d+/, 'limit=100') });
        write(response, withBody(answer, answer.body.replace('"limit":100', `"limit":${asked}`)));
      },
    ],
  }),
];

/** Where a page begins. */
const beginnings: readonly Mutant[] = table('pagination', 'store', {
  'listDrives.offset-skips: offset-counts-pages': [
    'offset is taken for the number of pages to skip.',
    cutPages(({ offset, limit, page }) => page(offset * limit, limit)),
  ],
  'listDrives.offset-skips: offset-skips-one-too-few': [
    'An offset above 0 skips one drive fewer than it says, as if it counted from 1.',
    cutPages(({ offset, limit, page }) => page(Math.max(0, offset - 1), limit)),
  ],
  'listDrives.offset-skips: offset-skips-one-too-many': [
    'An offset above 0 skips one drive more than it says.',
    cutPages(({ offset, limit, page }) => page(offset > 0 ? offset + 1 : 0, limit)),
  ],
  'listDrives.offset-past-end-page: offset-past-the-end-begins-anew': [
    'Beyond the last drive the list begins anew.',
    cutPages(({ offset, limit, size, page }) => page(offset >= size && size > 0 ? offset % size : offset, limit)),
  ],
  'listDrives.offset-past-end-page: offset-past-the-end-shows-the-last-drive': [
    'Beyond the last drive the page holds the last drive once more.',
    cutPages(({ offset, limit, size, page }) => page(Math.min(offset, Math.max(0, size - 1)), limit)),
  ],
  'listDrives.offset-past-end-page: a-large-offset-is-forgotten': [
    'An offset that is not below the number of drives is taken for 0.',
    cutPages(({ offset, limit, size, page }) => page(offset >= size ? 0 : offset, limit)),
  ],
  'listDrives.offset-shifts-the-page: offset-skips-from-the-end': [
    'offset leaves out the last drives of the list instead of the first.',
    cutPages(({ offset, limit, size, page }) => page(0, Math.max(0, Math.min(limit, size - offset)))),
  ],
  'listDrives.offset-shifts-the-page: pages-behind-the-first-are-in-another-order': [
    'The list is turned round before a page with an offset is cut from it.',
    cutPages(({ offset, limit, size, page }) =>
      offset === 0
        ? page(0, limit)
        : page(0, size)
            .reverse()
            .slice(offset, offset + limit),
    ),
  ],
});

/** Pages that do not fit together, each of them plausible. */
const joints: readonly Mutant[] = table('pagination', 'store', {
  'listDrives.pages-fit-together: full-pages-overlap': [
    'A full page behind the first begins with the last drive of the page before it.',
    cutPages(({ offset, limit, size, page }) =>
      page(offset > 0 && offset + limit <= size ? offset - 1 : offset, limit),
    ),
  ],
  'listDrives.pages-fit-together: the-last-drive-is-on-no-small-page': [
    'While the list does not fit on one page, the very last drive is on none of its pages.',
    cutPages(({ offset, limit, size, page }) =>
      limit < size ? page(offset, Math.max(0, Math.min(limit, size - 1 - offset))) : page(offset, limit),
    ),
  ],
  'listDrives.pages-fit-together: the-second-page-shows-its-first-drive-twice': [
    'On the second page of a long list the first drive stands in the place of the second as well.',
    cutPages(({ offset, limit, page }) => {
      const [first, second, ...rest] = page(offset, limit);
      if (offset !== limit || first === undefined || second === undefined) return page(offset, limit);
      return [first, first, ...rest];
    }),
  ],
  'listDrives.pages-fit-together: every-second-small-page-begins-one-too-late': [
    'Of full pages behind the first every second one begins one drive too late.',
    (engine) => {
      let count = 0;
      const begin = cutPages(({ offset, limit, size, page }) => {
        const isLate = offset > 0 && offset + limit < size && ++count % 2 === 0;
        return page(isLate ? offset + 1 : offset, limit);
      });
      sequence(addDrives(20), begin)(engine);
    },
  ],
});

/** What total counts. */
const totals: readonly Mutant[] = table('pagination', 'store', {
  'listDrives.total-counts-the-list: total-is-counted-once': [
    'total is counted with the first page, and never again.',
    inEach(({ drives }) => {
      const count = drives.size;
      Object.defineProperty(drives, 'size', { get: () => count });
    }),
  ],
  'listDrives.total-counts-the-list: total-counts-all-organizations': [
    'total counts the drives of all organizations.',
    (engine) => {
      const all = organizationsOf(engine).map(({ drives }) => drives);
      for (const drives of all) {
        const others = all.filter((other) => other !== drives);
        const own = () => drives.page(0, 1_000_000).length;
        const count = () => others.reduce((sum, other) => sum + other.page(0, 1_000_000).length, own());
        Object.defineProperty(drives, 'size', { get: count });
      }
    },
  ],
  'listDrives.total-coherent: total-is-the-limit': [
    'total is the limit, however many drives there are.',
    changeTotal((_, limit) => limit),
  ],
  'listDrives.total-coherent: total-counts-what-is-left': [
    'total counts the drives from the offset on.',
    changeTotal((offset, _, size) => Math.max(0, size - offset)),
  ],
  'listDrives.total-coherent: total-counts-what-was-shown': [
    'total counts the drives up to the end of the page.',
    changeTotal((offset, limit, size) => Math.min(size, offset + limit)),
  ],
  'listDrives.total-coherent: total-is-one-too-many-behind-the-first-page': [
    'On pages with an offset total is one drive too many.',
    changeTotal((offset, _, size) => (offset > 0 ? size + 1 : size)),
  ],
});

/** Lists that are longer than a page can be. */
const longLists: readonly Mutant[] = table('pagination', 'store', {
  'listDrives.created-drive: the-list-of-drives-ends-at-hundred': [
    'Of 105 drives only the first 100 are on any page, so that a new one is on none.',
    sequence(
      addDrives(100),
      cutPages(({ offset, limit, page }) => page(offset, Math.max(0, Math.min(limit, 100 - offset)))),
    ),
  ],
  'listDrives.pages-fit-together: pages-behind-the-second-begin-too-late': [
    'Pages behind the second begin one drive too late.',
    cutPages(({ offset, limit, page }) => page(offset > limit ? offset + 1 : offset, limit)),
  ],
});

export const pages: readonly Mutant[] = [
  ...sizes,
  ...tilings,
  ...bounds,
  ...beginnings,
  ...joints,
  ...totals,
  ...longLists,
];
