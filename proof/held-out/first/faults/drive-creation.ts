import assert from 'node:assert/strict';
import { type Answer, byId, ids, sleep, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, mapBody, must, should, without } from '../variant.ts';

async function create(t: Tester, name: string): Promise<Answer['body']> {
  const answer = await t.one.createDrive(name);
  assert.ok(answer.ok, `create drive: ${answer.status}`);
  return answer.body;
}

async function listedDrive(t: Tester, id: string): Promise<Answer['body']> {
  return byId((await t.one.drives('?limit=100')).body.data, id);
}

/** The name column changes what it is given. */
function storesName(
  name: string,
  kind: typeof must,
  what: string,
  change: (name: string) => string,
  example: string,
): Fault {
  return kind(
    name,
    '4.3',
    what,
    (app) => around(app.drives, 'insert', (insert, row) => insert({ ...row, name: change(row.name) })),
    async (t) => {
      const drive = await create(t, example);
      assert.notEqual((await listedDrive(t, drive.id)).name, example);
    },
  );
}

/** The drive serializer changes what it writes. */
function writesDrive(
  name: string,
  what: string,
  change: (drive: Answer['body']) => unknown,
  looksWrong: (drive: Answer['body']) => boolean,
): Fault {
  return must(
    name,
    '2',
    what,
    (app) => around(app.serializers, 'drive', (drive, row) => change(drive(row)) as Record<string, unknown>),
    async (t) => assert.equal(looksWrong(await create(t, 'Plans')), true),
  );
}

export const driveCreationFaults: readonly Fault[] = [
  // What the answer looks like

  must(
    'create-drive-wrapped',
    '4.3',
    'The new drive comes inside an object with the key drive.',
    (app) => mapBody(app, 'createDrive', (body) => ({ drive: body })),
    async (t) => assert.ok((await create(t, 'Plans')).drive),
  ),

  must(
    'create-drive-answers-only-the-id',
    '4.3',
    'Only the id of the new drive is answered.',
    (app) => mapBody(app, 'createDrive', (body) => ({ id: body.id })),
    async (t) => assert.deepEqual(Object.keys(await create(t, 'Plans')), ['id']),
  ),

  must(
    'create-drive-empty-answer',
    '4.3',
    'A drive is created with 201, a Location header and no body.',
    (app) =>
      aroundOperation(app, 'createDrive', async (next, context) => {
        const answer = await next(context);
        return { status: 201, body: undefined, headers: { location: `/drives/${(answer.body as { id: string }).id}` } };
      }),
    async (t) => assert.equal((await t.one.createDrive('Plans')).text, ''),
  ),

  must(
    'create-drive-times-null',
    '4.3',
    'The times of a new drive are null in the answer, because the database sets them and the row is not read again.',
    (app) => mapBody(app, 'createDrive', (body) => ({ ...body, createdAt: null, updatedAt: null })),
    async (t) => assert.equal((await create(t, 'Plans')).createdAt, null),
  ),

  must(
    'create-drive-without-updated-at',
    '4.3',
    'The answer lacks updatedAt until the drive is updated.',
    (app) => mapBody(app, 'createDrive', (body) => without(body, 'updatedAt')),
    async (t) => assert.ok(!('updatedAt' in (await create(t, 'Plans')))),
  ),

  must(
    'create-drive-answers-another-id',
    '4.3',
    'The answer shows an id made in the service, while the database made its own.',
    (app) => mapBody(app, 'createDrive', (body) => ({ ...body, id: app.settings.newId('drv') })),
    async (t) => assert.equal(await listedDrive(t, (await create(t, 'Plans')).id), undefined),
  ),

  must(
    'create-drive-organization-is-the-name',
    '4.3',
    'organizationId of a new drive is the name of the organization.',
    (app) =>
      mapBody(app, 'createDrive', (body) => ({
        ...body,
        organizationId: app.db.organizations.first({ id: body.organizationId })?.name,
      })),
    async (t) => assert.notEqual((await create(t, 'Plans')).organizationId, t.facts.organizations[0].id),
  ),

  must(
    'create-drive-organization-as-object',
    '2',
    'The relation is eagerly loaded, and organizationId is the organization object.',
    (app) => mapBody(app, 'createDrive', (body) => ({ ...body, organizationId: { id: body.organizationId } })),
    async (t) => assert.equal(typeof (await create(t, 'Plans')).organizationId, 'object'),
  ),

  writesDrive(
    'drive-id-is-a-number',
    'Ids of drives are numbers in answers.',
    (drive) => ({ ...drive, id: parseInt(drive.id.slice(4, 12), 16) }),
    (drive) => typeof drive.id === 'number',
  ),
  writesDrive(
    'drive-fields-in-snake-case',
    'The naming strategy of the serializer is off: created_at, updated_at, organization_id.',
    ({ organizationId, createdAt, updatedAt, ...rest }) => ({
      ...rest,
      organization_id: organizationId,
      created_at: createdAt,
      updated_at: updatedAt,
    }),
    (drive) => 'created_at' in drive,
  ),
  writesDrive(
    'drive-times-without-zone',
    'Times of drives have no zone.',
    (drive) => ({ ...drive, createdAt: drive.createdAt.slice(0, -1), updatedAt: drive.updatedAt.slice(0, -1) }),
    (drive) => !/Z|[+-]\d\d:\d\d$/.test(drive.createdAt),
  ),
  writesDrive(
    'drive-times-as-sql-text',
    'Times of drives have a blank between date and time, as the database prints them.',
    (drive) => ({
      ...drive,
      createdAt: drive.createdAt.replace('T', ' '),
      updatedAt: drive.updatedAt.replace('T', ' '),
    }),
    (drive) => drive.createdAt.includes(' '),
  ),
  writesDrive(
    'drive-times-in-local-zone',
    "Times of drives are written with the offset of the server's zone instead of UTC.",
    (drive) => ({
      ...drive,
      createdAt: `${new Date(Date.parse(drive.createdAt) + 7_200_000).toISOString().slice(0, -1)}+02:00`,
    }),
    (drive) => drive.createdAt.endsWith('+02:00'),
  ),
  writesDrive(
    'drive-updated-at-in-milliseconds',
    'updatedAt of drives is a number of milliseconds.',
    (drive) => ({ ...drive, updatedAt: Date.parse(drive.updatedAt) }),
    (drive) => typeof drive.updatedAt === 'number',
  ),

  must(
    'drive-created-at-day-month-year',
    '2',
    'createdAt of a drive is written with the pattern day/month/year.',
    (app) =>
      around(app.serializers, 'drive', (drive, row) => ({
        ...drive(row),
        createdAt: row.createdAt.toLocaleString('en-GB', { timeZone: 'UTC' }),
      })),
    async (t) => assert.match((await create(t, 'Plans')).createdAt, /^\d\d\/\d\d/),
  ),

  // The name

  storesName(
    'drive-name-lower-case',
    must,
    'Names of drives are stored in lower case.',
    (name) => name.toLowerCase(),
    'Sales EMEA',
  ),
  storesName(
    'drive-name-as-slug',
    must,
    'Names of drives are turned into slugs.',
    (name) => name.toLowerCase().replace(/\W+/g, '-'),
    'Sales 2024',
  ),
  storesName(
    'drive-name-html-escaped',
    must,
    'Names of drives are escaped for HTML when they are stored.',
    (name) => name.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;'),
    'R&D',
  ),
  storesName(
    'drive-name-in-latin-1',
    must,
    'Characters outside Latin-1 turn into question marks in the name column.',
    (name) => name.replace(/[^\u0000-\u00ff]/g, '?'),
    'Отчёты',
  ),
  storesName(
    'drive-name-read-as-latin-1',
    must,
    'The bytes of a name are read as Latin-1.',
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
    'Verträge',
  ),
  storesName(
    'drive-name-cut-at-emoji',
    must,
    'The name column knows three bytes per character and cuts a name at an emoji.',
    (name) => name.split(/[\u{10000}-\u{10ffff}]/u)[0] ?? '',
    'Launch 🚀 plans',
  ),
  storesName(
    'drive-name-tags-stripped',
    should,
    'Whatever looks like a tag is stripped from a name; a name is expected back as it was sent.',
    (name) => name.replace(/<[^>]*>/g, ''),
    'a <b> c',
  ),
  storesName(
    'drive-name-apostrophe-doubled',
    must,
    'An apostrophe in a name is escaped by hand and by the driver.',
    (name) => name.replace(/'/g, "''"),
    "Anna's drive",
  ),
  storesName(
    'drive-name-backslashes-lost',
    should,
    'Backslashes are lost from names; a name is expected back as it was sent.',
    (name) => name.replace(/\\/g, ''),
    'C:\\temp',
  ),
  storesName(
    'drive-name-digits-retyped',
    should,
    'A name of digits is stored as a number and loses its zeros; a name is a string as sent.',
    (name) => (/^\d+$/.test(name) ? String(Number(name)) : name),
    '007',
  ),
  storesName(
    'drive-name-cut-at-thirty',
    should,
    'Names longer than 30 characters are cut without a word; one expects a refusal or the whole name.',
    (name) => name.slice(0, 30),
    'A drive with a name that is a little long',
  ),
  storesName(
    'drive-name-gets-the-year',
    should,
    'The year is appended to names that do not have one; a name is expected back as it was sent.',
    (name) => (/\d{4}/.test(name) ? name : `${name} ${new Date().getFullYear()}`),
    'Plans',
  ),

  must(
    'create-drive-answers-request-name-only',
    '4.3',
    'The answer repeats the name, but the stored name is always the default name.',
    (app) =>
      aroundOperation(app, 'createDrive', async (next, context) => {
        const answer = await next(context);
        app.db.drives.update({ id: (answer.body as { id: string }).id }, { name: 'New drive' });
        return answer;
      }),
    async (t) => {
      const drive = await create(t, 'Plans');
      assert.equal(drive.name, 'Plans');
      assert.equal((await listedDrive(t, drive.id)).name, 'New drive');
    },
  ),

  // Where it goes

  must(
    'create-drive-for-first-organization',
    '4.3',
    "Drives are created for the default organization instead of the caller's.",
    (app) =>
      around(app.drives, 'insert', (insert, row) =>
        insert({ ...row, organizationId: app.db.organizations.select()[0]?.id ?? '' }),
      ),
    async (t) => assert.equal((await t.two.createDrive('Plans')).body.organizationId, t.facts.organizations[0].id),
  ),

  must(
    'new-drive-visible-to-all',
    '4.4',
    'New drives have no owner in the database, and drives without owner are shown to everybody.',
    (app) => {
      const shared = new Set<string>();
      around(app.drives, 'insert', (insert, row) => {
        shared.add(row.id);
        return insert(row);
      });
      around(app.drives, 'page', (_page, organizationId, limit, offset) =>
        app.db.drives.select({
          where: (drive) => drive.organizationId === organizationId || shared.has(drive.id),
          limit,
          offset,
        }),
      );
    },
    async (t) => {
      const drive = await create(t, 'Plans');
      assert.ok(byId((await t.two.drives('?limit=100')).body.data, drive.id));
    },
  ),

  must(
    'organization-from-the-body',
    '4.3',
    'An organizationId in the body wins over the key, as with mass assignment.',
    (app) =>
      aroundOperation(app, 'createDrive', (next, context) =>
        next(
          typeof context.input['organizationId'] === 'string'
            ? { ...context, organizationId: context.input['organizationId'] }
            : context,
        ),
      ),
    async (t) => {
      const answer = await t.one.send('POST', '/drives', {
        name: 'Plans',
        organizationId: t.facts.organizations[1].id,
      });
      assert.equal(answer.body.organizationId, t.facts.organizations[1].id);
    },
  ),

  must(
    'drive-list-stale-after-creation',
    '4.4',
    'Drive lists are cached per organization for some seconds, and creating a drive does not clear the cache.',
    (app) => {
      const cache = new Map<string, { body: unknown; until: number }>();
      mapBody(app, 'listDrives', (body, context) => {
        const key = `${context.organizationId} ${context.rawQuery}`;
        const cached = cache.get(key);
        if (cached && cached.until > Date.now()) return cached.body;
        cache.set(key, { body, until: Date.now() + 3_000 });
        return body;
      });
    },
    async (t) => {
      await t.one.drives('?limit=100');
      const drive = await create(t, 'Plans');
      assert.equal(await listedDrive(t, drive.id), undefined);
    },
  ),

  must(
    'new-drive-rolled-back',
    '4.3',
    'The transaction of a creation is rolled back some moments after the answer.',
    (app) =>
      around(app.drives, 'insert', (insert, row) => {
        app.timers.after(80, () => app.db.drives.delete({ id: row.id }));
        return insert(row);
      }),
    async (t) => {
      const drive = await create(t, 'Plans');
      await sleep(160);
      assert.equal(await listedDrive(t, drive.id), undefined);
    },
  ),

  must(
    'create-drive-mixes-parallel-requests',
    '4.3',
    "The controller is a singleton that keeps the name in a field, so that parallel creations get each other's names.",
    (app) => {
      let name: unknown;
      aroundOperation(app, 'createDrive', async (next, context) => {
        name = context.input['name'];
        await app.timers.sleep(15);
        return next({ ...context, input: { name } });
      });
    },
    async (t) => {
      const [a, b] = await Promise.all([create(t, 'Alpha'), create(t, 'Beta')]);
      assert.equal(a.name, b.name);
    },
  ),

  must(
    'drive-name-only-from-form',
    '4.3',
    'The name is read from a form body, and a JSON body is refused as an unknown media type.',
    (app) =>
      aroundOperation(app, 'createDrive', (next, context) =>
        next(
          (context.headers['content-type'] ?? '').startsWith('application/json') ? { ...context, input: {} } : context,
        ),
      ),
    async (t) => assert.equal((await t.one.createDrive('Plans')).ok, false),
  ),

  must(
    'every-fifth-creation-fails',
    '4.3',
    'One of five instances behind the balancer runs an old release that cannot create drives.',
    (app) => {
      let count = 0;
      aroundOperation(app, 'createDrive', (next, context) =>
        ++count % 5 === 0 ? { status: 502, headers: {}, body: 'Bad gateway' } : next(context),
      );
    },
    async (t) => {
      let failed = false;
      for (let n = 0; n < 5; n++) failed ||= !(await t.one.createDrive(`Drive ${n}`)).ok;
      assert.ok(failed);
    },
  ),

  must(
    'content-length-in-characters',
    '4.3',
    'Content-Length counts characters instead of bytes, so that an answer with other than ASCII letters is cut.',
    (app) =>
      around(app, 'encode', (encode, answer, context) => {
        const { headers, bytes } = encode(answer, context);
        return { headers, bytes: bytes.subarray(0, bytes.toString('utf8').length) };
      }),
    async (t) => assert.equal((await t.one.createDrive('Übersicht')).body, undefined),
  ),

  should(
    'create-drive-twice',
    '4.3',
    'A retry in the data layer inserts each drive two times; one request makes one drive.',
    (app) =>
      around(app.drives, 'insert', (insert, row) => {
        insert({ ...row, id: app.settings.newId('drv') });
        return insert(row);
      }),
    async (t) => {
      const before = (await t.allDriveIds()).length;
      await create(t, 'Plans');
      assert.equal((await t.allDriveIds()).length, before + 2);
    },
  ),

  should(
    'create-drive-replaces-namesake',
    '4.3',
    'Creating a drive whose name is taken replaces the older one (upsert by name); a reader expects a second drive or a refusal.',
    (app) =>
      around(app.drives, 'insert', (insert, row) => {
        app.db.drives.delete({ organizationId: row.organizationId, name: row.name });
        return insert(row);
      }),
    async (t) => {
      const first = await create(t, 'Twin');
      await create(t, 'Twin');
      assert.equal(await listedDrive(t, first.id), undefined);
    },
  ),

  should(
    'drive-ids-collide-within-a-second',
    '2',
    'Drive ids are made from the time in seconds, so that two drives share one; an id belongs to one drive.',
    (app) =>
      around(app.driveService, 'create', (createIt, organizationId, name) => {
        const drive = createIt(organizationId, name);
        const id = `drv_${Math.floor(drive.createdAt.getTime() / 1000)}`;
        app.db.drives.update({ id: drive.id }, { id });
        return { ...drive, id };
      }),
    async (t) => {
      const created = [await create(t, 'a'), await create(t, 'b'), await create(t, 'c')];
      assert.ok(new Set(ids(created)).size < 3);
    },
  ),

  should(
    'drive-created-at-is-now',
    '2',
    'createdAt is computed whenever a drive is read; the creation time of a thing stays.',
    (app) => around(app.serializers, 'drive', (drive, row) => ({ ...drive(row), createdAt: new Date().toISOString() })),
    async (t) => {
      const drive = await create(t, 'Plans');
      await sleep(5);
      assert.notEqual((await listedDrive(t, drive.id)).createdAt, drive.createdAt);
    },
  ),

  should(
    'drive-local-time-marked-utc',
    '2',
    'The server takes local time and writes it with a Z, so that new drives are made some hours ahead; createdAt is when it was created.',
    (app) =>
      around(app.drives, 'insert', (insert, row) =>
        insert({
          ...row,
          createdAt: new Date(row.createdAt.getTime() + 2 * 3_600_000),
          updatedAt: new Date(row.updatedAt.getTime() + 2 * 3_600_000),
        }),
      ),
    async (t) => assert.ok(Date.parse((await create(t, 'Plans')).createdAt) > Date.now() + 3_600_000),
  ),

  should(
    'new-drive-updated-before-created',
    '2',
    'updatedAt of a new drive is 1 January 1970; it cannot be before its creation.',
    (app) => around(app.drives, 'insert', (insert, row) => insert({ ...row, updatedAt: new Date(0) })),
    async (t) => {
      const drive = await create(t, 'Plans');
      assert.ok(Date.parse(drive.updatedAt) < Date.parse(drive.createdAt));
    },
  ),

  should(
    'json-with-charset-refused',
    '4',
    'A content type with charset=utf-8 is answered 415; it is still application/json.',
    (app) =>
      aroundOperation(app, 'createDrive', (next, context) =>
        context.headers['content-type'] === 'application/json'
          ? next(context)
          : { status: 415, headers: {}, body: { error: 'Unsupported media type' } },
      ),
    async (t) =>
      assert.equal(
        (await t.one.send('POST', '/drives', { name: 'Plans' }, { 'content-type': 'application/json; charset=utf-8' }))
          .status,
        415,
      ),
  ),
];
