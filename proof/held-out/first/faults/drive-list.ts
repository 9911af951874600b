import assert from 'node:assert/strict';
import type { Application } from '../base/application.ts';
import { Failure } from '../base/failure.ts';
import type { Page } from '../base/rules.ts';
import { type Answer, byId, ids, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, mapBody, must, should, without } from '../variant.ts';

async function page(t: Tester, query: string): Promise<Answer['body']> {
  const answer = await t.one.drives(query);
  assert.ok(answer.ok, `list drives ${query}: ${answer.status}`);
  return answer.body;
}

const count = async (t: Tester, query: string): Promise<number> => (await page(t, query)).data.length;

/** What the caller asked for is read in another way. */
function readsPage(app: Application, change: (page: Page, query: URLSearchParams) => Page): void {
  around(app.pageRule, 'read', (read, query) => change(read(query), query));
}

/** Another query finds the rows of a page. */
function findsPage(
  app: Application,
  find: (organizationId: string, limit: number, offset: number) => ReturnType<typeof app.drives.page>,
): void {
  around(app.drives, 'page', (_page, organizationId, limit, offset) => find(organizationId, limit, offset));
}

async function refused(t: Tester, query: string): Promise<void> {
  assert.equal((await t.one.drives(query)).ok, false);
}

export const driveListFaults: readonly Fault[] = [
  // limit

  must(
    'limit-ignored',
    '4.4',
    'All drives are answered whatever the limit.',
    (app) =>
      findsPage(app, (organizationId, _limit, offset) => app.db.drives.select({ where: { organizationId }, offset })),
    async (t) => assert.ok((await count(t, '?limit=1')) > 1),
  ),

  must(
    'limit-one-too-many',
    '4.4',
    'The page holds the one row more that was only read to see whether there is a next page.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) => find(organizationId, limit + 1, offset)),
    async (t) => assert.equal(await count(t, '?limit=2'), 3),
  ),

  must(
    'limit-100-refused',
    '8',
    'The upper bound of limit is exclusive.',
    (app) => {
      app.settings.maximumLimit = 99;
    },
    (t) => refused(t, '?limit=100'),
  ),

  must(
    'limit-1-refused',
    '8',
    'The lower bound of limit is exclusive.',
    (app) =>
      readsPage(app, (asked, query) => {
        if (query.has('limit') && asked.limit <= 1) throw new Failure('invalid', 'limit must be greater than 1');
        return asked;
      }),
    (t) => refused(t, '?limit=1'),
  ),

  must(
    'limit-compared-as-text',
    '8',
    'limit is compared with 100 as text, so that most two-digit numbers are refused.',
    (app) =>
      readsPage(app, (asked, query) => {
        if ((query.get('limit') ?? '1') > '100') throw new Failure('invalid', 'limit is out of range');
        return asked;
      }),
    (t) => refused(t, '?limit=20'),
  ),

  must(
    'limit-above-100-served',
    '8',
    'The bound of 100 is not checked, and more than 100 drives come on one page.',
    (app) => {
      app.settings.maximumLimit = 1_000_000;
    },
    async (t) => {
      for (let n = 0; n < 101; n += 1) await t.one.createDrive(`Drive ${n}`);
      assert.ok((await count(t, '?limit=500')) > 100);
    },
  ),

  must(
    'limit-needs-offset',
    '4.4',
    'limit only works together with offset.',
    (app) => readsPage(app, (asked, query) => (query.has('offset') ? asked : { ...asked, limit: 100 })),
    async (t) => assert.ok((await count(t, '?limit=1')) > 1),
  ),

  must(
    'limit-and-offset-mixed-up',
    '4.4',
    'limit and offset are passed in the wrong order to the query.',
    (app) => around(app.drives, 'page', (find, organizationId, limit, offset) => find(organizationId, offset, limit)),
    async (t) => assert.equal(await count(t, '?limit=2&offset=0'), 0),
  ),

  must(
    'limit-below-offset-refused',
    '4.4',
    'limit is taken for the last index and refused if it is smaller than offset.',
    (app) =>
      readsPage(app, (asked) => {
        if (asked.offset > asked.limit) throw new Failure('invalid', 'offset must not be greater than limit');
        return asked;
      }),
    (t) => refused(t, '?limit=1&offset=2'),
  ),

  must(
    'limit-is-the-last-index',
    '4.4',
    'The page is a slice from offset to limit.',
    (app) =>
      findsPage(app, (organizationId, limit, offset) =>
        app.db.drives.select({ where: { organizationId } }).slice(offset, limit),
      ),
    async (t) => assert.equal(await count(t, '?limit=2&offset=1'), 1),
  ),

  // offset

  must(
    'offset-ignored',
    '4.4',
    'The offset has no effect.',
    (app) => around(app.drives, 'page', (find, organizationId, limit) => find(organizationId, limit, 0)),
    async (t) =>
      assert.deepEqual(ids((await page(t, '?limit=1&offset=1')).data), ids((await page(t, '?limit=1&offset=0')).data)),
  ),

  must(
    'offset-needs-limit',
    '4.4',
    'The offset has no effect without a limit, as in databases that know no OFFSET alone.',
    (app) => readsPage(app, (asked, query) => (query.has('limit') ? asked : { ...asked, offset: 0 })),
    async (t) => assert.deepEqual(ids((await page(t, '?offset=1')).data), ids((await page(t, '')).data)),
  ),

  must(
    'offset-is-a-page-number',
    '4.4',
    'The offset is multiplied by the limit.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) => find(organizationId, limit, offset * limit)),
    async (t) =>
      assert.notDeepEqual(
        ids((await page(t, '?limit=2&offset=1')).data),
        ids((await page(t, '?limit=100')).data).slice(1, 3),
      ),
  ),

  must(
    'offset-one-too-far',
    '4.4',
    'An offset above 0 skips one drive less than asked, because it is counted from 1.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) =>
        find(organizationId, limit, Math.max(0, offset - 1)),
      ),
    async (t) =>
      assert.deepEqual(ids((await page(t, '?limit=1&offset=1')).data), ids((await page(t, '?limit=1')).data)),
  ),

  must(
    'offset-zero-refused',
    '8',
    'An offset of 0 counts as missing and is refused as not positive.',
    (app) =>
      readsPage(app, (asked, query) => {
        if (query.get('offset') === '0') throw new Failure('invalid', 'offset must be positive');
        return asked;
      }),
    (t) => refused(t, '?limit=5&offset=0'),
  ),

  must(
    'offset-rounded-to-pages',
    '4.4',
    'The offset is turned into a page number and rounded down.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) =>
        find(organizationId, limit, Math.floor(offset / limit) * limit),
      ),
    async (t) =>
      assert.deepEqual(ids((await page(t, '?limit=2&offset=1')).data), ids((await page(t, '?limit=2')).data)),
  ),

  must(
    'offset-beyond-end-shows-last-page',
    '4.4',
    'An offset beyond the end shows the last page again, as some paginators do.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) => {
        const total = app.drives.count(organizationId);
        return find(organizationId, limit, offset < total ? offset : Math.max(0, total - limit));
      }),
    async (t) => assert.ok((await count(t, '?limit=2&offset=50')) > 0),
  ),

  must(
    'last-page-filled-up',
    '4.4',
    'The last page is moved back so that it is full, and repeats drives of the page before.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) =>
        find(organizationId, limit, Math.max(0, Math.min(offset, app.drives.count(organizationId) - limit))),
      ),
    async (t) => assert.equal(await count(t, '?limit=3&offset=3'), 3),
  ),

  must(
    'offset-before-organization',
    '4.4',
    'The offset counts drives of all organizations.',
    (app) =>
      findsPage(app, (organizationId, limit, offset) =>
        app.db.drives
          .select({ offset })
          .filter((drive) => drive.organizationId === organizationId)
          .slice(0, limit),
      ),
    async (t) =>
      assert.deepEqual(
        ids((await t.two.drives('?limit=100&offset=1')).body.data),
        ids((await t.two.drives('?limit=100')).body.data),
      ),
  ),

  must(
    'limit-before-organization',
    '4.4',
    'The limit is applied before the drives of other organizations are filtered out, so that the second organization gets empty pages.',
    (app) =>
      findsPage(app, (organizationId, limit, offset) =>
        app.db.drives.select({ limit, offset }).filter((drive) => drive.organizationId === organizationId),
      ),
    async (t) => assert.deepEqual((await t.two.drives('?limit=2')).body.data, []),
  ),

  must(
    'second-page-of-all-organizations',
    '4.4',
    'The query for later pages was written anew and has lost its condition on the organization.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) =>
        offset > 0 ? app.db.drives.select({ limit, offset }) : find(organizationId, limit, offset),
      ),
    async (t) => assert.ok(byId((await page(t, '?limit=100&offset=1')).data, t.driveId(0, 1))),
  ),

  must(
    'page-cache-forgets-offset',
    '4.4',
    'Pages are cached for a moment by organization and limit, without the offset.',
    (app) => {
      const cache = new Map<string, { rows: ReturnType<typeof app.drives.page>; until: number }>();
      around(app.drives, 'page', (find, organizationId, limit, offset) => {
        const key = `${organizationId} ${limit}`;
        const cached = cache.get(key);
        if (cached && cached.until > Date.now()) return cached.rows;
        const rows = find(organizationId, limit, offset);
        cache.set(key, { rows, until: Date.now() + 500 });
        return rows;
      });
    },
    async (t) =>
      assert.deepEqual(ids((await page(t, '?limit=2')).data), ids((await page(t, '?limit=2&offset=2')).data)),
  ),

  // Whose drives

  must(
    'drives-of-all-organizations',
    '4.4',
    "Everybody's drives are listed.",
    (app) => findsPage(app, (_organizationId, limit, offset) => app.db.drives.select({ limit, offset })),
    async (t) => assert.ok(byId((await page(t, '?limit=100')).data, t.driveId(0, 1))),
  ),

  must(
    'drive-cache-shared-by-url',
    '4.4',
    'A proxy caches drive lists by their address for a short while and ignores the key.',
    (app) => {
      const cache = new Map<string, { body: unknown; until: number }>();
      mapBody(app, 'listDrives', (body, context) => {
        const cached = cache.get(context.rawQuery);
        if (cached && cached.until > Date.now()) return cached.body;
        cache.set(context.rawQuery, { body, until: Date.now() + 200 });
        return body;
      });
    },
    async (t) => {
      const own = await page(t, '?limit=50');
      assert.deepEqual((await t.two.drives('?limit=50')).body, own);
    },
  ),

  must(
    'bearer-cache-shared-by-url',
    '4.4',
    'A proxy caches drive lists by X-API-Key only, so that all bearer callers share one entry.',
    (app) => {
      const cache = new Map<string, { body: unknown; until: number }>();
      mapBody(app, 'listDrives', (body, context) => {
        const key = `${context.headers['x-api-key'] ?? ''} ${context.rawQuery}`;
        const cached = cache.get(key);
        if (cached && cached.until > Date.now()) return cached.body;
        if (!context.headers['x-api-key']) cache.set(key, { body, until: Date.now() + 500 });
        return body;
      });
    },
    async (t) => {
      const own = (await t.oneBearer.drives('?limit=50')).body;
      assert.deepEqual((await t.twoBearer.drives('?limit=50')).body, own);
    },
  ),

  must(
    'every-second-list-from-lagging-replica',
    '4.4',
    'Every second list comes from a replica that has not seen drives of the last two seconds.',
    (app) => {
      let turn = 0;
      around(app.drives, 'page', (find, organizationId, limit, offset) => {
        const stale = turn++ % 2 === 1;
        return find(organizationId, limit, offset).filter(
          (drive) => !stale || drive.createdAt.getTime() < Date.now() - 2_000,
        );
      });
    },
    async (t) => {
      const { body } = await t.one.createDrive('Plans');
      const seen = [await page(t, '?limit=100'), await page(t, '?limit=100')].map(({ data }) =>
        Boolean(byId(data, body.id)),
      );
      assert.notEqual(seen[0], seen[1]);
    },
  ),

  // The shape

  must(
    'drives-without-pagination',
    '4.4',
    'The answer has only data.',
    (app) => mapBody(app, 'listDrives', ({ data }) => ({ data })),
    async (t) => assert.ok(!('pagination' in (await page(t, '')))),
  ),

  must(
    'drives-bare-array-without-query',
    '4.4',
    'Without parameters the drives come as a bare array.',
    (app) => mapBody(app, 'listDrives', (body, context) => (context.rawQuery ? body : body.data)),
    async (t) => assert.ok(Array.isArray(await page(t, ''))),
  ),

  must(
    'drives-in-items',
    '4.4',
    'The drives are under items instead of data.',
    (app) => mapBody(app, 'listDrives', ({ data, pagination }) => ({ items: data, pagination })),
    async (t) => assert.ok(Array.isArray((await page(t, '')).items)),
  ),

  must(
    'pagination-as-text',
    '2',
    'limit and offset of pagination are text, as they came from the query.',
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) => ({
        ...pagination(asked, total),
        limit: String(asked.limit),
        offset: String(asked.offset),
      })),
    async (t) => assert.equal((await page(t, '?limit=3&offset=0')).pagination.limit, '3'),
  ),

  must(
    'total-as-text',
    '2',
    'total is text, as the driver returns big counts.',
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) => ({
        ...pagination(asked, total),
        total: String(total),
      })),
    async (t) => assert.equal(typeof (await page(t, '')).pagination.total, 'string'),
  ),

  must(
    'total-missing-on-later-pages',
    '4.4',
    'The count is only made for the first page, and total is null on others.',
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) => ({
        ...pagination(asked, total),
        ...(asked.offset > 0 ? { total: null } : {}),
      })),
    async (t) => assert.equal((await page(t, '?offset=1')).pagination.total, null),
  ),

  must(
    'pagination-zero-offset-left-out',
    '4.4',
    "Fields with the value 0 are left out of pagination, as a code generator's omitempty does.",
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) =>
        Object.fromEntries(Object.entries(pagination(asked, total)).filter(([, value]) => value !== 0)),
      ),
    async (t) => assert.ok(!('offset' in (await page(t, '')).pagination)),
  ),

  must(
    'empty-page-data-null',
    '4.4',
    'An empty page has data null, as a nil slice is written.',
    (app) => mapBody(app, 'listDrives', (body) => (body.data.length ? body : { ...body, data: null })),
    async (t) => assert.equal((await page(t, '?offset=60')).data, null),
  ),

  must(
    'later-page-is-an-object',
    '4.4',
    'On later pages the kept indexes turn the data into an object.',
    (app) =>
      mapBody(app, 'listDrives', (body) => {
        const { offset } = body.pagination;
        return offset === 0
          ? body
          : {
              ...body,
              data: Object.fromEntries(body.data.map((drive: unknown, index: number) => [index + offset, drive])),
            };
      }),
    async (t) => assert.equal(Array.isArray((await page(t, '?offset=1')).data), false),
  ),

  must(
    'single-drive-not-in-an-array',
    '4.4',
    'A page with one drive has the drive itself as data, after a conversion from XML.',
    (app) => mapBody(app, 'listDrives', (body) => (body.data.length === 1 ? { ...body, data: body.data[0] } : body)),
    async (t) => assert.equal(Array.isArray((await page(t, '?limit=1')).data), false),
  ),

  must(
    'listed-drives-without-organization',
    '4.4',
    'Drives in the list lack organizationId, which only the created one has.',
    (app) =>
      mapBody(app, 'listDrives', (body) => ({
        ...body,
        data: body.data.map((drive: Record<string, unknown>) => without(drive, 'organizationId')),
      })),
    async (t) => assert.ok(!('organizationId' in (await page(t, '')).data[0])),
  ),

  must(
    'listed-drives-date-only',
    '2',
    'The list shows createdAt and updatedAt as dates without time.',
    (app) =>
      mapBody(app, 'listDrives', (body) => ({
        ...body,
        data: body.data.map((drive: Answer['body']) => ({
          ...drive,
          createdAt: drive.createdAt.slice(0, 10),
          updatedAt: drive.updatedAt.slice(0, 10),
        })),
      })),
    async (t) => assert.match((await page(t, '')).data[0].createdAt, /^\d{4}-\d\d-\d\d$/),
  ),

  must(
    'list-drives-fails-with-query',
    '4.4',
    'The gateway does not route GET /drives with a query string whose parameters are not in the order limit, offset.',
    (app) =>
      aroundOperation(app, 'listDrives', (next, context) => {
        if (/offset=.*&limit=/.test(context.rawQuery)) throw new Failure('unknown-route', 'No such endpoint');
        return next(context);
      }),
    (t) => refused(t, '?offset=0&limit=5'),
  ),

  // What a reader infers

  should(
    'total-is-the-page-length',
    '4.4',
    'total is the number of drives on the page; a total next to limit and offset counts all.',
    (app) =>
      mapBody(app, 'listDrives', (body) => ({ ...body, pagination: { ...body.pagination, total: body.data.length } })),
    async (t) => assert.equal((await page(t, '?limit=1')).pagination.total, 1),
  ),

  should(
    'total-of-all-organizations',
    '4.4',
    "total counts the drives of all organizations; the list is about the caller's.",
    (app) => around(app.drives, 'count', () => app.db.drives.count()),
    async (t) => assert.ok((await page(t, '?limit=100')).pagination.total > (await t.allDriveIds()).length),
  ),

  should(
    'total-without-skipped',
    '4.4',
    'total counts what is left behind the offset; it should not depend on the page.',
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) =>
        pagination(asked, Math.max(0, total - asked.offset)),
      ),
    async (t) => assert.notEqual((await page(t, '?offset=2')).pagination.total, (await page(t, '')).pagination.total),
  ),

  should(
    'total-counted-once',
    '4.4',
    'total is counted once for each organization and never again; it should follow creations.',
    (app) => {
      const counted = new Map<string, number>();
      around(app.drives, 'count', (countIt, organizationId) => {
        const total = counted.get(organizationId) ?? countIt(organizationId);
        counted.set(organizationId, total);
        return total;
      });
    },
    async (t) => {
      const before = (await page(t, '')).pagination.total;
      await t.one.createDrive('Plans');
      assert.equal((await page(t, '')).pagination.total, before);
    },
  ),

  should(
    'pagination-limit-always-default',
    '4.4',
    'pagination.limit is always the default; it should be the limit in force.',
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) => pagination({ ...asked, limit: 20 }, total)),
    async (t) => assert.equal((await page(t, '?limit=2')).pagination.limit, 20),
  ),

  should(
    'pagination-offset-is-the-next',
    '4.4',
    'pagination.offset is that of the next page; it should be the offset in force.',
    (app) =>
      around(app.serializers, 'pagination', (pagination, asked, total) =>
        pagination({ ...asked, offset: asked.offset + asked.limit }, total),
      ),
    async (t) => assert.equal((await page(t, '?limit=2&offset=0')).pagination.offset, 2),
  ),

  should(
    'pages-in-random-order',
    '4.4',
    'The query has no order and each page is cut from another one, so that walking the pages misses drives; paging is for seeing each once.',
    (app) => {
      let turn = 0;
      findsPage(app, (organizationId, limit, offset) => {
        const rows = app.db.drives.select({ where: { organizationId } });
        const shift = turn++ % rows.length;
        return [...rows.slice(shift), ...rows.slice(0, shift)].slice(offset, offset + limit);
      });
    },
    async (t) => {
      const walked = await t.allDriveIds(t.one, 1);
      assert.ok(new Set(walked).size < walked.length);
    },
  ),

  should(
    'limit-capped-at-fifty',
    '4.4',
    'More than 50 drives never come on a page though limit may be 100 and there are more; the limit of the caller should count.',
    (app) =>
      around(app.drives, 'page', (find, organizationId, limit, offset) =>
        find(organizationId, Math.min(limit, 50), offset),
      ),
    async (t) => {
      for (let n = 0; n < 52; n += 1) await t.one.createDrive(`Drive ${n}`);
      assert.equal(await count(t, '?limit=100'), 50);
    },
  ),

  should(
    'negative-offset-from-the-end',
    '8',
    'A negative offset counts from the end and answers drives; 0 or more is the only range.',
    (app) => {
      around(app.pageRule, 'integer', (integer, name, text, fallback, least, most) =>
        integer(name, text, fallback, name === 'offset' ? -1_000 : least, most),
      );
      around(app.drives, 'page', (find, organizationId, limit, offset) =>
        find(organizationId, limit, offset < 0 ? app.drives.count(organizationId) + offset : offset),
      );
    },
    async (t) =>
      assert.deepEqual(
        ids((await page(t, '?limit=1&offset=-1')).data),
        ids((await page(t, '?limit=100')).data).slice(-1),
      ),
  ),
];
