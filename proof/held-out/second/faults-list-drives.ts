import { breaks, drivesSound } from './checks.ts';
import type { Ctx, Drive, Machine } from './model.ts';
import { Refusal } from './model.ts';
import type { Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { around, must, should, wrap } from './variant.ts';

const S = '4.4';
const unsound = breaks((t) => drivesSound(t));
const slices = (change: (all: Drive[], limit: number, offset: number, ctx: Ctx) => Drive[]) => (m: Machine) =>
  wrap(m, 'slice', () => change);
const lists = (change: (all: Drive[], ctx: Ctx, m: Machine) => Drive[]) => (m: Machine) =>
  wrap(m, 'drives', (old) => (ctx) => change(old(ctx), ctx, m));
const size = async (t: Tester, values: Record<string, number>) => (await t.page(values)).body?.data?.length;

/** Pages of `step` do not give the drives that one large page gives. */
function walks(step: number): Demo {
  return async (t) => {
    for (const n of [1, 2, 3]) await t.newDrive(`More ${n}`);
    const whole = (await t.page({ limit: 100, offset: 0 })).body.data.map((drive: any) => drive.id);
    const pieces: string[] = [];
    for (let offset = 0; offset < whole.length; offset += step) {
      pieces.push(...(await t.page({ limit: step, offset })).body.data.map((drive: any) => drive.id));
    }
    return pieces.length !== whole.length || new Set(pieces).size !== whole.length;
  };
}

const pages: Variant[] = [
  must(
    'limit-plus-one',
    S,
    'A page holds one drive more than the limit (kept to know if there is more).',
    slices((all, l, o) => all.slice(o, o + l + 1)),
    async (t) => (await size(t, { limit: 2, offset: 0 })) === 3,
  ),
  must(
    'limit-plus-one-on-later-pages',
    S,
    'Only pages with an offset hold one drive more than the limit.',
    slices((all, l, o) => all.slice(o, o + l + (o ? 1 : 0))),
    async (t) => (await size(t, { limit: 2, offset: 1 })) === 3,
  ),
  must(
    'limit-not-applied',
    S,
    'The limit is read and checked but never used.',
    slices((all, _l, o) => all.slice(o)),
    async (t) => (await size(t, { limit: 1, offset: 0 })) > 1,
  ),
  must(
    'limit-of-one-is-all',
    S,
    'A limit of 1 means the whole list.',
    slices((all, l, o) => (l === 1 ? all.slice(o) : all.slice(o, o + l))),
    async (t) => (await size(t, { limit: 1, offset: 0 })) > 1,
  ),
  must(
    'limit-rounded-to-fives',
    S,
    'The limit is rounded up to a multiple of five.',
    slices((all, l, o) => all.slice(o, o + Math.ceil(l / 5) * 5)),
    async (t) => {
      await t.newDrive('Fifth');
      return (await size(t, { limit: 2, offset: 0 })) === 5;
    },
  ),
  must(
    'limit-lost-with-offset-first',
    S,
    'The limit is only seen when it is the first parameter.',
    (m) => wrap(m, 'slice', (old) => (all, l, o, ctx) => old(all, ctx.rawQuery.startsWith('offset') ? 100 : l, o, ctx)),
    async (t) => (await size(t, { offset: 0, limit: 1 })) > 1,
  ),
  must(
    'limit-applied-to-end',
    S,
    'The limit is taken for the end of the page, so the second page is empty.',
    slices((all, l, o) => all.slice(o, l)),
    walks(2),
  ),
  must(
    'offset-not-applied',
    S,
    'The offset is shown in the pagination but not applied.',
    slices((all, l) => all.slice(0, l)),
    walks(2),
  ),
  must(
    'offset-counts-pages',
    S,
    'The offset counts pages: offset 1 skips a whole page.',
    slices((all, l, o) => all.slice(o * l, o * l + l)),
    async (t) => {
      const all = await t.drives();
      return (await t.page({ limit: 2, offset: 1 })).body.data[0]?.id === all[2].id;
    },
  ),
  must(
    'offset-counts-from-one',
    S,
    'The offset is the number of the first drive: 1 skips nothing.',
    slices((all, l, o) => all.slice(Math.max(o - 1, 0), Math.max(o - 1, 0) + l)),
    walks(1),
  ),
  must(
    'offset-skips-one-too-many',
    S,
    'An offset above 0 skips one drive too many.',
    slices((all, l, o) => all.slice(o && o + 1, (o && o + 1) + l)),
    walks(3),
  ),
  must(
    'offset-rounded-to-the-page',
    S,
    'The offset is rounded down to a multiple of the limit.',
    slices((all, l, o) => all.slice(o - (o % l), o - (o % l) + l)),
    async (t) => {
      const all = await t.drives();
      return (await t.page({ limit: 3, offset: 1 })).body.data[0]?.id === all[0].id;
    },
  ),
  must(
    'offset-past-the-end-shows-the-last',
    S,
    'An offset past the end shows the last page.',
    slices((all, l, o) => (o < all.length ? all.slice(o, o + l) : all.slice(-l))),
    async (t) => (await size(t, { limit: 2, offset: 50 })) > 0,
  ),
  must(
    'offset-past-the-end-starts-again',
    S,
    'An offset past the end starts from the beginning again.',
    slices((all, l, o) => all.slice(o % all.length, (o % all.length) + l)),
    async (t) => (await size(t, { limit: 2, offset: (await t.drives()).length })) > 0,
  ),
  must(
    'offset-of-ten-and-more-cut',
    S,
    'Only the first digit of the offset counts.',
    (m) => wrap(m, 'slice', (old) => (all, l, o, ctx) => old(all, l, Number(String(o)[0]), ctx)),
    async (t) => {
      const count = (await t.drives()).length;
      return (await size(t, { limit: 5, offset: count > 9 ? count : 10 })) > 0;
    },
  ),
  should(
    'pages-in-changing-order',
    S,
    'Every request has an order of its own, so pages overlap and leave drives out.',
    (m) => {
      let turn = 0;
      lists((all) => {
        turn += 1;
        return turn % 2 ? all : [...all].reverse();
      })(m);
    },
    walks(2),
  ),
  should(
    'pages-sorted-each-by-itself',
    S,
    'Each page is cut first from one order and, with an offset, from another one.',
    (m) =>
      wrap(
        m,
        'slice',
        (old) => (all, l, o, ctx) => old(o ? [...all].sort((a, b) => a.name.localeCompare(b.name)) : all, l, o, ctx),
      ),
    walks(2),
  ),
  must(
    'pages-with-a-cached-first',
    S,
    'The first page is cached without its limit: it stays as it was asked for first.',
    (m) => {
      const cache = new Map<string, Drive[]>();
      wrap(m, 'slice', (old) => (all, l, o, ctx) => {
        if (o) return old(all, l, o, ctx);
        const kept = cache.get(ctx.org.id) ?? old(all, l, o, ctx);
        cache.set(ctx.org.id, kept);
        return kept;
      });
    },
    async (t) => {
      await t.page({ limit: 3, offset: 0 });
      return (await size(t, { limit: 1, offset: 0 })) === 3;
    },
  ),
  must(
    'pages-cut-before-the-organization',
    S,
    'The page is cut from the drives of all organizations, then those of others are dropped.',
    (m) =>
      wrap(
        m,
        'slice',
        () => (_all, l, o, ctx) =>
          m.orgs
            .flatMap((org) => [...org.view.drives.values()])
            .slice(o, o + l)
            .filter((d) => d.organizationId === ctx.org.id),
      ),
    async (t) => (await t.page({ limit: 4, offset: 0 }, 1)).body.data.length === 0,
  ),
  must(
    'page-without-limit-is-endless',
    S,
    'Without a limit all drives are answered, far more than 100.',
    (m) => {
      m.extraDrives = 125;
      wrap(m, 'slice', (old) => (all, l, o, ctx) => (ctx.query.has('limit') ? old(all, l, o, ctx) : all.slice(o)));
    },
    async (t) => (await t.call('GET', '/drives')).body.data.length > 100,
  ),
  must(
    'page-of-a-thousand',
    '8',
    'Limits up to 1000 are honoured.',
    (m) => {
      m.extraDrives = 125;
      wrap(m, 'page', (old) => (ctx) => {
        const limit = Number(ctx.query.get('limit'));
        return limit > 100 && limit <= 1000 ? { limit, offset: Number(ctx.query.get('offset')) } : old(ctx);
      });
    },
    async (t) => (await size(t, { limit: 150, offset: 0 })) > 100,
  ),
  must(
    'page-of-101',
    '8',
    'The upper bound is off by one: a limit of 101 gives 101 drives.',
    (m) => {
      m.extraDrives = 110;
      wrap(m, 'page', (old) => (ctx) => (ctx.query.get('limit') === '101' ? { limit: 101, offset: 0 } : old(ctx)));
    },
    async (t) => (await size(t, { limit: 101, offset: 0 })) === 101,
  ),
  must(
    'limit-zero-is-endless',
    '8',
    'A limit of 0 switches the limit off: more than 100 drives come.',
    (m) => {
      m.extraDrives = 115;
      wrap(m, 'page', (old) => (ctx) => (ctx.query.get('limit') === '0' ? { limit: 100_000, offset: 0 } : old(ctx)));
    },
    async (t) => (await size(t, { limit: 0, offset: 0 })) > 100,
  ),
];

function refusesPage(when: (limit: number, offset: number) => boolean): (m: Machine) => void {
  return (m) =>
    wrap(m, 'page', (old) => (ctx) => {
      const { limit, offset } = old(ctx);
      if (when(limit, offset)) throw new Refusal(400, 'bad_page', 'Out of range');
      return { limit, offset };
    });
}
const notOk =
  (values: Record<string, number>): Demo =>
  async (t) =>
    !ok(await t.page(values));

const bounds: Variant[] = [
  must(
    'limit-of-100-refused',
    '8',
    'The upper bound is exclusive: a limit of 100 is refused.',
    refusesPage((l) => l === 100),
    notOk({ limit: 100 }),
  ),
  must(
    'limit-of-1-refused',
    '8',
    'The lower bound is exclusive: a limit of 1 is refused.',
    refusesPage((l) => l === 1),
    notOk({ limit: 1 }),
  ),
  must(
    'limit-above-50-refused',
    '8',
    'Limits above 50 are refused.',
    refusesPage((l) => l > 50),
    notOk({ limit: 75 }),
  ),
  must(
    'offset-of-0-refused',
    '8',
    'An offset of 0 counts as missing and is refused.',
    (m) =>
      around(m, 'listDrives', (old, ctx) => {
        if (ctx.query.get('offset') === '0') throw new Refusal(400, 'bad_page', 'offset is required');
        return old(ctx);
      }),
    notOk({ limit: 5, offset: 0 }),
  ),
  must(
    'offset-above-the-total-refused',
    '8',
    'An offset larger than the number of drives is a server error.',
    (m) =>
      around(m, 'listDrives', (old, ctx) => {
        if (Number(ctx.query.get('offset')) > m.drives(ctx).length) throw new Error('index out of range');
        return old(ctx);
      }),
    notOk({ limit: 5, offset: 400 }),
  ),
  must(
    'offset-without-limit-refused',
    '8',
    'An offset without a limit is a syntax error in the SQL: 500.',
    (m) =>
      around(m, 'listDrives', (old, ctx) => {
        if (ctx.query.has('offset') && !ctx.query.has('limit')) throw new Error('near "OFFSET": syntax error');
        return old(ctx);
      }),
    notOk({ offset: 1 }),
  ),
];

const members: Variant[] = [
  must(
    'drives-of-everyone',
    S,
    'The drives of all organizations are listed.',
    lists((_all, _ctx, m) => m.orgs.flatMap((org) => [...org.view.drives.values()])),
    unsound,
  ),
  must(
    'drives-of-others-on-later-pages',
    S,
    'The second page and later ones forget the organization.',
    lists((all, ctx, m) =>
      Number(ctx.query.get('offset')) > 0 ? m.orgs.flatMap((org) => [...org.view.drives.values()]) : all,
    ),
    async (t) => {
      const others = t.org(1).drives.map((drive) => drive.id);
      return (await t.page({ limit: 100, offset: 1 })).body.data.some((drive: any) => others.includes(drive.id));
    },
  ),
  must(
    'drives-of-others-without-a-limit',
    S,
    'Without query parameters the drives of both organizations are listed.',
    lists((all, ctx, m) => (ctx.rawQuery === '' ? m.orgs.flatMap((org) => [...org.view.drives.values()]) : all)),
    async (t) => {
      const others = t.org(1).drives.map((drive) => drive.id);
      return (await t.call('GET', '/drives')).body.data.some((drive: any) => others.includes(drive.id));
    },
  ),
  must(
    'new-drives-of-others',
    '5',
    'Drives that another organization created while the server runs are listed too.',
    lists((all, ctx, m) => {
      const others = m.orgs.filter((org) => org !== ctx.org).flatMap((org) => [...org.view.drives.values()]);
      return [...all, ...others.filter((drive) => drive.createdAt > '2025')];
    }),
    async (t) => {
      const made = (await t.newDrive('Theirs', 1)).body;
      return (await t.drives()).some((drive) => drive.id === made.id);
    },
  ),
  must(
    'drives-repeated-for-each-file',
    S,
    'A join with the files repeats a drive for each of its files.',
    lists((all, ctx) => {
      const files = [...ctx.org.view.files.values()];
      return all.flatMap((d) => [
        d,
        ...files
          .filter((f) => f.driveId === d.id)
          .slice(1)
          .map(() => d),
      ]);
    }),
    unsound,
  ),
  must(
    'drives-without-files-hidden',
    S,
    'An inner join hides drives without files.',
    lists((all, ctx) => {
      const files = [...ctx.org.view.files.values()];
      return all.filter((d) => files.some((f) => f.driveId === d.id));
    }),
    async (t) => {
      const made = (await t.newDrive('Empty so far')).body;
      return !(await t.drives()).some((drive) => drive.id === made.id);
    },
  ),
  must(
    'drives-emptied-are-hidden',
    S,
    'A drive vanishes when the deletion of a tree took its last file.',
    lists((all, ctx) =>
      all.filter((d) => {
        const gone = ctx.org.log.some((e) => e.type === 'FilesDeleted' && e.fileIds.length > 0);
        return !gone || d.createdAt > '2025' || [...ctx.org.view.files.values()].some((f) => f.driveId === d.id);
      }),
    ),
    async (t) => {
      const paths = (await t.files(1)).map((_file, n) => `/all of it/${n}.txt`);
      await t.plant(paths, 1);
      await t.del('/all of it', 1);
      return !(await t.drives()).some((drive) => drive.id === t.driveId(1));
    },
  ),
  must(
    'drives-cached-after-the-first-list',
    S,
    'The list is cached and not renewed by a creation.',
    (m) => {
      const cache = new Map<string, Drive[]>();
      lists((all, ctx) => {
        const kept = cache.get(ctx.org.id) ?? all;
        cache.set(ctx.org.id, kept);
        return kept;
      })(m);
    },
    async (t) => {
      await t.drives();
      const made = (await t.newDrive('Too late')).body;
      return !(await t.drives()).some((drive) => drive.id === made.id);
    },
  ),
  must(
    'drives-behind-by-one',
    S,
    'The read model of drives is one event behind, for good.',
    (m) => {
      wrap(m, 'drives', (old) => (ctx) => {
        const { log } = ctx.org;
        const last = log.findLast((e) => e.type === 'DriveCreated');
        const fresh = last?.type === 'DriveCreated' && last.drive.createdAt > '2025' ? last.drive.id : '';
        return old(ctx).filter((drive) => drive.id !== fresh);
      });
    },
    async (t) => {
      const made = (await t.newDrive('The last one')).body;
      return !(await t.drives()).some((drive) => drive.id === made.id);
    },
  ),
  must(
    'drives-with-one-name-merged',
    S,
    'Drives with the same name (without regard to case) are shown once: SELECT DISTINCT by name.',
    lists((all) => all.filter((d, n) => all.findIndex((x) => x.name.toLowerCase() === d.name.toLowerCase()) === n)),
    async (t) => {
      await t.newDrive('Archive');
      const second = (await t.newDrive('archive')).body;
      return !(await t.drives()).some((drive) => drive.id === second.id);
    },
  ),
  must(
    'drives-with-non-ascii-names-hidden',
    S,
    'Drives whose names have letters outside ASCII fail to be serialised and are left out.',
    lists((all) => all.filter((d) => /^[ -~]*$/.test(d.name))),
    unsound,
  ),
  must(
    'drives-by-bearer-of-the-other',
    S,
    'With a bearer token the list shows the drives of the other organization.',
    lists((all, ctx, m) => {
      const other = m.orgs.find((org) => org !== ctx.org);
      return ctx.via === 'bearer' ? [...(other?.view.drives.values() ?? [])] : all;
    }),
    async (t) => {
      const reply = await t.call('GET', '/drives?limit=100', { via: 'bearer' });
      return reply.body.data.some((drive: any) => drive.id === t.driveId(0, 1));
    },
  ),
];

export const listDriveFaults: readonly Variant[] = [...pages, ...bounds, ...members];
