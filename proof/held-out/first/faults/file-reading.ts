import assert from 'node:assert/strict';
import type { FileRow } from '../base/database.ts';
import { Failure } from '../base/failure.ts';
import { type Answer, given, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, mapBody, must, should, without } from '../variant.ts';

async function everyFile(t: Tester): Promise<Answer['body'][]> {
  return Promise.all(t.files().map((file) => t.read(file)));
}

type FileBody = Record<string, unknown>;

/** The file serializer writes something else; `seen` finds it on at least one file of the first drive. */
function writesFile(
  kind: typeof must,
  name: string,
  section: string,
  what: string,
  change: (file: FileBody, row: FileRow) => FileBody,
  seen: (file: Answer['body']) => boolean,
): Fault {
  return kind(
    name,
    section,
    what,
    (app) => around(app.serializers, 'file', (file, row) => change(file(row), row)),
    async (t) => assert.ok((await everyFile(t)).some(seen)),
  );
}

export const fileReadingFaults: readonly Fault[] = [
  // The file of section 2

  writesFile(
    must,
    'file-kind-document',
    '2',
    'kind is document.',
    (file) => ({ ...file, kind: 'document' }),
    (file) => file.kind !== 'file',
  ),
  writesFile(
    must,
    'file-without-kind',
    '2',
    'kind is missing, because the discriminator is only written for mixed lists.',
    (file) => without(file, 'kind'),
    (file) => !('kind' in file),
  ),
  writesFile(
    must,
    'file-status-upper-case',
    '2',
    'The status is the name of the enum member: READY.',
    (file, row) => ({ ...file, status: row.status.toUpperCase() }),
    (file) => file.status === 'READY',
  ),
  writesFile(
    must,
    'file-status-failed',
    '3',
    'Files in error have the status failed.',
    (file, row) => (row.status === 'error' ? { ...file, status: 'failed' } : file),
    (file) => file.status === 'failed',
  ),
  writesFile(
    must,
    'file-status-as-number',
    '2',
    'The status is the number of the enum member.',
    (file, row) => ({ ...file, status: ['processing', 'ready', 'error'].indexOf(row.status) }),
    (file) => typeof file.status === 'number',
  ),
  writesFile(
    must,
    'file-status-pending',
    '3',
    'Files that wait for processing show pending, a state of the queue.',
    (file, row) => (row.status === 'processing' ? { ...file, status: 'pending' } : file),
    (file) => file.status === 'pending',
  ),
  writesFile(
    must,
    'file-size-as-text',
    '2',
    'The size is text, as big integers are encoded.',
    (file, row) => ({ ...file, size: String(row.size) }),
    (file) => typeof file.size === 'string',
  ),
  writesFile(
    must,
    'file-size-in-kilobytes',
    '2',
    'The size is a fraction of kilobytes.',
    (file, row) => ({ ...file, size: row.size / 1024 }),
    (file) => !Number.isInteger(file.size),
  ),
  writesFile(
    must,
    'big-file-size-as-text',
    '2',
    'Only sizes beyond 32 bits come as text.',
    (file, row) => (row.size > 2 ** 31 ? { ...file, size: String(row.size) } : file),
    (file) => typeof file.size === 'string',
  ),
  writesFile(
    should,
    'big-file-size-negative',
    '2',
    'Sizes beyond 31 bits overflow and are negative; a size never is.',
    (file, row) => ({ ...file, size: row.size | 0 }),
    (file) => file.size < 0,
  ),
  writesFile(
    must,
    'file-metadata-as-text',
    '2',
    'metadata is the JSON text of the column.',
    (file, row) => ({ ...file, metadata: JSON.stringify(row.metadata) }),
    (file) => typeof file.metadata === 'string',
  ),
  writesFile(
    must,
    'empty-metadata-as-array',
    '2',
    'Empty metadata is an empty array.',
    (file, row) => (Object.keys(row.metadata).length ? file : { ...file, metadata: [] }),
    (file) => Array.isArray(file.metadata),
  ),
  writesFile(
    must,
    'metadata-as-pairs',
    '2',
    'metadata is a list of keys and values.',
    (file, row) => ({ ...file, metadata: Object.entries(row.metadata).map(([key, value]) => ({ key, value })) }),
    (file) => Array.isArray(file.metadata),
  ),
  writesFile(
    must,
    'summary-null-while-processing',
    '2',
    'summary is null until the file is ready.',
    (file, row) => (row.status === 'ready' ? file : { ...file, summary: null }),
    (file) => file.summary === null,
  ),
  writesFile(
    must,
    'file-path-without-slash',
    '2',
    'The path has lost its first slash, as object keys have none.',
    (file, row) => ({ ...file, path: row.path.slice(1) }),
    (file) => !file.path.startsWith('/'),
  ),
  writesFile(
    must,
    'file-path-with-drive',
    '2',
    'The path shows the bucket in front: s3://bucket/path.',
    (file, row) => ({ ...file, path: `s3://files/${row.driveId}${row.path}` }),
    (file) => !file.path.startsWith('/'),
  ),
  writesFile(
    must,
    'file-path-is-the-directory',
    '2',
    'The path shows only the directory of the file.',
    (file, row) => ({ ...file, path: row.path.slice(0, row.path.lastIndexOf('/')) || '/' }),
    (file) => !file.path.endsWith(file.name),
  ),
  must(
    'file-path-percent-encoded',
    '4.6',
    'A path is answered percent-encoded.',
    (app) => around(app.serializers, 'file', (file, row) => ({ ...file(row), path: encodeURI(row.path) })),
    async (t) => {
      const [file] = await t.place('/a file.txt');
      assert.equal((await t.read(given(file))).path, '/a%20file.txt');
    },
  ),

  writesFile(
    must,
    'file-modified-at-http-date',
    '2',
    'modifiedAt is an HTTP date, passed on from the object store.',
    (file, row) => ({ ...file, modifiedAt: row.modifiedAt.toUTCString() }),
    (file) => file.modifiedAt.endsWith('GMT'),
  ),
  writesFile(
    must,
    'file-modified-at-null-for-errors',
    '2',
    'modifiedAt is null for files in error.',
    (file, row) => (row.status === 'error' ? { ...file, modifiedAt: null } : file),
    (file) => file.modifiedAt === null,
  ),
  writesFile(
    must,
    'file-content-type-in-parts',
    '2',
    'contentType is an object with type and subtype.',
    (file, row) => ({
      ...file,
      contentType: { type: row.contentType.split('/')[0], subtype: row.contentType.split('/')[1] },
    }),
    (file) => typeof file.contentType === 'object',
  ),
  writesFile(
    must,
    'file-mime-type-field',
    '2',
    'contentType is called mimeType.',
    ({ contentType, ...rest }) => ({ ...rest, mimeType: contentType }),
    (file) => 'mimeType' in file,
  ),
  writesFile(
    should,
    'file-name-is-the-path',
    '2',
    'name is the whole path; beside path, the name of a file is its last part.',
    (file, row) => ({ ...file, name: row.path }),
    (file) => file.name.includes('/'),
  ),
  writesFile(
    should,
    'file-name-without-extension',
    '2',
    'name lacks the extension that the path has; both name the same file.',
    (file, row) => ({ ...file, name: row.name.replace(/\.\w+$/, '') }),
    (file) => !file.path.endsWith(`/${file.name}`),
  ),
  writesFile(
    should,
    'file-modified-in-the-future',
    '2',
    'modifiedAt is weeks ahead because day and month are mixed up.',
    (file, row) => ({ ...file, modifiedAt: new Date(row.modifiedAt.getTime() + 40 * 86_400_000).toISOString() }),
    (file) => Date.parse(file.modifiedAt) > Date.now() + 60_000,
  ),

  // 4.5

  must(
    'file-wrapped',
    '4.5',
    'The file comes inside an object with the key file.',
    (app) => mapBody(app, 'getFile', (body) => ({ file: body })),
    async (t) => assert.ok((await t.read(t.file())).file),
  ),

  must(
    'file-content-instead-of-metadata',
    '4.5',
    'The route answers the content of the file instead of its metadata.',
    (app) =>
      around(app, 'encode', (encode, answer, context) =>
        context.operation === 'getFile' && answer.status === 200
          ? { headers: { 'content-type': 'application/octet-stream' }, bytes: Buffer.from('# Welcome\n') }
          : encode(answer, context),
      ),
    async (t) => assert.equal(await t.read(t.file()), undefined),
  ),

  must(
    'file-processing-not-found',
    '4.5',
    'Files in processing are answered 404, because the query asks for ready ones.',
    (app) =>
      aroundOperation(app, 'getFile', async (next, context) => {
        const answer = await next(context);
        if ((answer.body as FileBody)['status'] === 'processing') throw new Failure('not-found', 'File not found');
        return answer;
      }),
    async (t) => assert.ok((await Promise.all(t.files().map((file) => t.gone(file)))).includes(true)),
  ),

  must(
    'file-in-error-fails',
    '4.5',
    'Reading a file in error fails with 500 over its missing summary.',
    (app) =>
      around(app.serializers, 'file', (file, row) => {
        if (row.status === 'error') throw new Failure('internal', 'summary');
        return file(row);
      }),
    async (t) => assert.ok((await Promise.all(t.files().map((file) => t.gone(file)))).includes(true)),
  ),

  must(
    'file-deep-not-found',
    '4.5',
    'Files more than three directories deep are not found.',
    (app) =>
      around(app.files, 'find', (find, driveId, id) => {
        const file = find(driveId, id);
        return file && file.path.split('/').length > 5 ? undefined : file;
      }),
    async (t) => {
      const [file] = await t.place('/a/b/c.txt');
      assert.ok(file);
      await t.one.move(file.driveId, file.id, '/a/b/c/d/e.txt');
      assert.ok(await t.gone(file));
    },
  ),

  must(
    'file-cache-by-name',
    '4.5',
    'Files are cached by drive and file name, so that namesakes in other directories are mixed up.',
    (app) => {
      const cache = new Map<string, FileRow>();
      around(app.fileService, 'get', (get, organizationId, driveId, fileId) => {
        const file = get(organizationId, driveId, fileId);
        const key = `${driveId} ${file.name}`;
        const cached = cache.get(key);
        if (cached && app.db.files.first({ id: cached.id })?.path === cached.path) return cached;
        cache.set(key, file);
        return file;
      });
    },
    async (t) => {
      await t.read(t.fileAt('/policies/travel.pdf'));
      const file = t.fileAt('/archive/policies/travel.pdf');
      assert.notEqual((await t.read(file)).id, file.id);
    },
  ),

  must(
    'file-answers-first-of-drive',
    '4.5',
    'The query forgets the file id and answers the first file of the drive.',
    (app) => around(app.serializers, 'file', (file, row) => file(app.db.files.first({ driveId: row.driveId }) ?? row)),
    async (t) => assert.notEqual((await t.read(t.file(2))).id, t.file(2).id),
  ),

  must(
    'third-drive-files-not-found',
    '4.5',
    'Only the first two drives of an organization are looked at for files, a page size left from a test.',
    (app) =>
      around(app.drives, 'find', (find, organizationId, id) =>
        app.drives.page(organizationId, 2, 0).some((drive) => drive.id === id) ? find(organizationId, id) : undefined,
      ),
    async (t) => assert.ok(await t.gone(t.file(0, 2))),
  ),

  must(
    'file-id-is-the-drive-id',
    '4.5',
    'A join lets the id of the drive overwrite the id of the file.',
    (app) => around(app.serializers, 'file', (file, row) => ({ ...file(row), id: row.driveId })),
    async (t) => assert.equal((await t.read(t.file())).id, t.driveId()),
  ),

  must(
    'file-second-read-empty',
    '4.5',
    'The second read of a file is answered 304 without the caller asking for it.',
    (app) => {
      const seen = new Set<string>();
      aroundOperation(app, 'getFile', async (next, context) => {
        const answer = await next(context);
        if (!seen.has(context.path)) {
          seen.add(context.path);
          return answer;
        }
        return { status: 304, headers: {}, body: undefined };
      });
    },
    async (t) => {
      await t.read(t.file());
      assert.equal((await t.one.file(t.file().driveId, t.file().id)).status, 304);
    },
  ),

  should(
    'unknown-file-answered-null',
    '4.5',
    'A file that does not exist is answered 200 with null; a reader expects an error.',
    (app) =>
      aroundOperation(app, 'getFile', async (next, context) => {
        if (!app.db.files.first({ id: context.params['fileId'] ?? '' }))
          return { status: 200, headers: {}, body: null };
        return next(context);
      }),
    async (t) => assert.ok((await t.one.file(t.driveId(), 'no-such-file')).ok),
  ),

  should(
    'file-of-foreign-organization',
    '4.5',
    "Drives are found without their organization, so that files of others can be read; every call is on behalf of the caller's organization.",
    (app) =>
      aroundOperation(app, 'getFile', (next, context) =>
        next({
          ...context,
          organizationId: app.db.drives.first({ id: context.params['driveId'] ?? '' })?.organizationId ?? '',
        }),
      ),
    async (t) => assert.ok((await t.two.file(t.file().driveId, t.file().id)).ok),
  ),

  should(
    'foreign-file-through-own-drive',
    '4.5',
    'The drive is checked but the file is looked up by its id alone, so that files of other organizations can be read.',
    (app) =>
      aroundOperation(app, 'getFile', (next, context) => {
        app.driveService.get(context.organizationId, context.params['driveId'] ?? '');
        const file = app.db.files.first({ id: context.params['fileId'] ?? '' });
        const owner = app.db.drives.first({ id: file?.driveId ?? '' })?.organizationId;
        if (!file || owner === context.organizationId) return next(context);
        return { status: 200, headers: {}, body: app.serializers.file(file) };
      }),
    async (t) => assert.ok((await t.two.file(t.driveId(0, 1), t.file().id)).ok),
  ),

  should(
    'file-through-any-own-drive',
    '4.5',
    'A file is found under each drive of its organization; the path names the drive that holds it.',
    (app) =>
      around(app.files, 'find', (find, driveId, id) => {
        const organization = (drive: string | undefined): string | undefined =>
          app.db.drives.first({ id: drive ?? '' })?.organizationId;
        const file = app.db.files.first({ id });
        return file && organization(file.driveId) === organization(driveId) ? file : find(driveId, id);
      }),
    async (t) => assert.ok((await t.one.file(t.driveId(1), t.file().id)).ok),
  ),
];
