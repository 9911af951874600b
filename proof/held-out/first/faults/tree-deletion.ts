import assert from 'node:assert/strict';
import type { Application } from '../base/application.ts';
import type { FileRow } from '../base/database.ts';
import { Failure } from '../base/failure.ts';
import { reply } from '../base/http.ts';
import { type Answer, given, sleep, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, insertBefore, mapBody, must, should, without } from '../variant.ts';

async function deleteTree(t: Tester, path: string, drive = 0): Promise<Answer['body']> {
  const answer = await t.one.deleteTree(t.driveId(drive), path);
  assert.ok(answer.ok, `delete ${path}: ${answer.status}`);
  return answer.body;
}

/** Which of the files, moved to these paths, are gone after a deletion. */
async function goneAfter(t: Tester, directory: string, ...paths: string[]): Promise<boolean[]> {
  const files = await t.place(...paths);
  await deleteTree(t, directory);
  return Promise.all(files.map((file) => t.gone(file)));
}

/** Another query finds the files of a tree. */
function finds(app: Application, matches: (file: FileRow, driveId: string, directory: string) => boolean): void {
  around(app.files, 'inTree', (_inTree, driveId, directory) =>
    app.db.files.select({ where: (file) => matches(file, driveId, directory) }),
  );
}

/** The query finds files of the drive whose path fits in some other way. */
function findsByPath(app: Application, matches: (path: string, directory: string) => boolean): void {
  finds(app, (file, driveId, directory) => file.driveId === driveId && matches(file.path, directory));
}

/** The query finds only some of the files of the tree. */
function findsOnly(app: Application, keep: (files: FileRow[], directory: string) => FileRow[]): void {
  around(app.files, 'inTree', (inTree, driveId, directory) => keep(inTree(driveId, directory), directory));
}

/** The path of the tree is changed before it is used. */
function changesDirectory(app: Application, change: (directory: string) => string): void {
  around(app.files, 'inTree', (inTree, driveId, directory) => inTree(driveId, change(directory)));
}

/** A directory whose path is misread keeps its files. */
function survives(name: string, what: string, change: (directory: string) => string, directory: string): Fault {
  return must(
    name,
    '4.7',
    what,
    (app) => changesDirectory(app, change),
    async (t) => assert.deepEqual(await goneAfter(t, directory, `${directory}/a.txt`), [false]),
  );
}

const below = (path: string, directory: string): boolean => path.startsWith(`${directory}/`);

export const treeDeletionFaults: readonly Fault[] = [
  // Too much

  must(
    'tree-takes-siblings-with-same-prefix',
    '4.7',
    'All paths that start with the given text are deleted, so that /a also takes /ab.',
    (app) => findsByPath(app, (path, directory) => path.startsWith(directory)),
    async (t) => assert.deepEqual(await goneAfter(t, '/plan', '/plan/a.txt', '/plan-b/a.txt'), [true, true]),
  ),

  must(
    'tree-underscore-is-a-wildcard',
    '4.7',
    'The path goes into LIKE unescaped, where an underscore stands for any character.',
    (app) =>
      findsByPath(app, (path, directory) =>
        new RegExp(`^${directory.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.')}/`, 's').test(path),
      ),
    async (t) => assert.deepEqual(await goneAfter(t, '/a_b', '/a_b/x.txt', '/axb/x.txt'), [true, true]),
  ),

  must(
    'tree-percent-is-a-wildcard',
    '4.7',
    'The path goes into LIKE unescaped, where a percent sign stands for anything.',
    (app) =>
      findsByPath(app, (path, directory) =>
        new RegExp(`^${directory.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*')}/`, 's').test(path),
      ),
    async (t) => assert.deepEqual(await goneAfter(t, '/50%', '/50%/x.txt', '/500/off/x.txt'), [true, true]),
  ),

  must(
    'tree-path-is-a-pattern',
    '4.7',
    'The path goes into a regular expression unescaped, where a dot stands for any character.',
    (app) =>
      findsByPath(app, (path, directory) => {
        try {
          return new RegExp(`^${directory}/`).test(path);
        } catch {
          return below(path, directory);
        }
      }),
    async (t) => assert.deepEqual(await goneAfter(t, '/v1.2', '/v1.2/x.txt', '/v1-2/x.txt'), [true, true]),
  ),

  must(
    'tree-star-is-a-wildcard',
    '4.7',
    'The path is given to a glob, where a star stands for any name.',
    (app) =>
      findsByPath(app, (path, directory) =>
        new RegExp(
          `^${directory
            .split('*')
            .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
            .join('[^/]*')}/`,
        ).test(path),
      ),
    async (t) => assert.deepEqual(await goneAfter(t, '/a*', '/a*/x.txt', '/abc/x.txt'), [true, true]),
  ),

  must(
    'tree-anywhere-in-the-path',
    '4.7',
    'A directory is found wherever it stands in a path.',
    (app) => findsByPath(app, (path, directory) => path.includes(`${directory.replace(/\/$/, '')}/`)),
    async (t) => assert.deepEqual(await goneAfter(t, '/tax', '/tax/a.txt', '/old/tax/a.txt'), [true, true]),
  ),

  must(
    'tree-path-ignored',
    '4.7',
    'All files of the drive are deleted whatever the path.',
    (app) => findsByPath(app, () => true),
    async (t) => assert.deepEqual(await goneAfter(t, '/a', '/a/x.txt', '/b/x.txt'), [true, true]),
  ),

  must(
    'tree-takes-the-parent',
    '4.7',
    'A path without a slash at its end is taken for a file, and the directory above is deleted.',
    (app) => findsByPath(app, (path, directory) => path.startsWith(directory.slice(0, directory.lastIndexOf('/') + 1))),
    async (t) => assert.deepEqual(await goneAfter(t, '/a/b', '/a/b/x.txt', '/a/c/x.txt'), [true, true]),
  ),

  must(
    'tree-in-every-drive',
    '4.7',
    'The tree is deleted in all drives of the organization.',
    (app) =>
      finds(
        app,
        (file, driveId, directory) =>
          below(file.path, directory) &&
          app.db.drives.first({ id: file.driveId })?.organizationId ===
            app.db.drives.first({ id: driveId })?.organizationId,
      ),
    async (t) => {
      const other = t.file(0, 1);
      await t.one.move(other.driveId, other.id, '/a/x.txt');
      await deleteTree(t, '/a');
      assert.ok(await t.gone(other));
    },
  ),

  must(
    'tree-in-every-organization',
    '4.7',
    'The delete statement only knows the path, and takes the same tree in drives of other organizations.',
    (app) => finds(app, (file, _driveId, directory) => below(file.path, directory)),
    async (t) => {
      const other = t.file(0, 0, 1);
      await t.two.move(other.driveId, other.id, '/a/x.txt');
      await deleteTree(t, '/a');
      assert.equal((await t.two.file(other.driveId, other.id)).ok, false);
    },
  ),

  must(
    'tree-takes-files-moved-out',
    '4.7',
    'Files are deleted by the path they had at first, so that one moved out of the tree is lost.',
    (app) => {
      const first = new Map(app.db.files.select().map((file) => [file.id, file.path]));
      around(app.files, 'inTree', (inTree, driveId, directory) => [
        ...inTree(driveId, directory),
        ...app.db.files.select({
          where: (file) => file.driveId === driveId && below(first.get(file.id) ?? '', directory),
        }),
      ]);
    },
    async (t) => {
      const file = t.fileAt('/policies/security.pdf');
      await t.one.move(file.driveId, file.id, '/safe/security.pdf');
      await deleteTree(t, '/policies');
      assert.ok(await t.gone(file));
    },
  ),

  must(
    'tree-takes-the-drive',
    '4.7',
    'The drive row goes with the tree by a wrong cascade.',
    (app) =>
      around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => {
        const job = deleteIt(organizationId, driveId, directory);
        app.db.drives.delete({ id: driveId });
        return job;
      }),
    async (t) => {
      await deleteTree(t, '/guides');
      assert.ok(await t.gone(t.file()));
    },
  ),

  should(
    'tree-ignores-case',
    '4.7',
    'Paths are compared without case, so that /Plans goes with /plans; both can exist side by side.',
    (app) => findsByPath(app, (path, directory) => below(path.toLowerCase(), directory.toLowerCase())),
    async (t) => assert.deepEqual(await goneAfter(t, '/plans', '/plans/a.txt', '/Plans/a.txt'), [true, true]),
  ),

  should(
    'tree-takes-later-arrivals',
    '4.7',
    'A deleted directory stays deleted: files that move into it later vanish; a deletion is about what is there.',
    (app) => {
      const deleted: string[] = [];
      around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => {
        deleted.push(`${driveId}${directory}`);
        return deleteIt(organizationId, driveId, directory);
      });
      around(app.files, 'find', (find, driveId, id) => {
        const file = find(driveId, id);
        return file && deleted.some((directory) => below(`${driveId}${file.path}`, directory)) ? undefined : file;
      });
    },
    async (t) => {
      await deleteTree(t, '/guides');
      const file = t.file();
      await t.one.move(file.driveId, file.id, '/guides/new.md');
      assert.ok(await t.gone(file));
    },
  ),

  // Too little

  must(
    'tree-deletes-nothing',
    '4.7',
    'The job is queued and no worker runs.',
    (app) => around(app.files, 'delete', () => undefined),
    async (t) => assert.deepEqual(await goneAfter(t, '/a', '/a/x.txt'), [false]),
  ),

  must(
    'tree-only-direct-files',
    '4.7',
    'Only files directly in the directory are deleted.',
    (app) =>
      findsByPath(app, (path, directory) => below(path, directory) && !path.slice(directory.length + 1).includes('/')),
    async (t) => assert.deepEqual(await goneAfter(t, '/a', '/a/x.txt', '/a/b/x.txt'), [true, false]),
  ),

  must(
    'tree-only-two-levels',
    '4.7',
    'Files three or more levels below the directory stay.',
    (app) =>
      findsOnly(app, (files, directory) =>
        files.filter((file) => file.path.slice(directory.length + 1).split('/').length <= 2),
      ),
    async (t) => assert.deepEqual(await goneAfter(t, '/a', '/a/b/x.txt', '/a/b/c/x.txt'), [true, false]),
  ),

  must(
    'tree-only-subdirectories',
    '4.7',
    'The subdirectories are deleted, and files directly in the directory stay.',
    (app) =>
      findsOnly(app, (files, directory) => files.filter((file) => file.path.slice(directory.length + 1).includes('/'))),
    async (t) => assert.deepEqual(await goneAfter(t, '/a', '/a/x.txt', '/a/b/x.txt'), [false, true]),
  ),

  must(
    'tree-only-first-ten',
    '4.7',
    'The deletion stops after one batch of ten files.',
    (app) => findsOnly(app, (files) => files.slice(0, 10)),
    async (t) => {
      await deleteTree(t, '/guides');
      const guides = t.files().filter((file) => file.path.startsWith('/guides/'));
      assert.ok((await Promise.all(guides.map((file) => t.gone(file)))).includes(false));
    },
  ),

  must(
    'tree-last-file-stays',
    '4.7',
    'An off-by-one in the batch loop leaves the last file of a tree with several files.',
    (app) => findsOnly(app, (files) => (files.length > 1 ? files.slice(0, -1) : files)),
    async (t) => assert.ok((await goneAfter(t, '/a', '/a/x.txt', '/a/y.txt')).includes(false)),
  ),

  must(
    'tree-skips-processing-files',
    '4.7',
    'Files in processing are locked by their worker and stay without a word.',
    (app) => findsOnly(app, (files) => files.filter((file) => file.status !== 'processing')),
    async (t) => {
      await deleteTree(t, '/guides');
      const guides = t.files().filter((file) => file.path.startsWith('/guides/'));
      assert.ok((await Promise.all(guides.map((file) => t.gone(file)))).includes(false));
    },
  ),

  must(
    'tree-skips-files-in-error',
    '4.7',
    'Only files with a stored object are deleted, and those in error stay.',
    (app) => findsOnly(app, (files) => files.filter((file) => file.status !== 'error')),
    async (t) => {
      await deleteTree(t, '/guides');
      const guides = t.files().filter((file) => file.path.startsWith('/guides/'));
      assert.ok((await Promise.all(guides.map((file) => t.gone(file)))).includes(false));
    },
  ),

  must(
    'tree-misses-files-moved-in',
    '4.7',
    'The directory index is not kept at moves, so that a file moved into the tree survives.',
    (app) => {
      const first = new Map(app.db.files.select().map((file) => [file.id, file.path]));
      findsOnly(app, (files, directory) =>
        files.filter((file) => below(first.get(file.id) ?? '', directory.replace(/\/$/, ''))),
      );
    },
    async (t) => assert.deepEqual(await goneAfter(t, '/policies', '/policies/new.txt'), [false]),
  ),

  must(
    'tree-second-deletion-not-run',
    '4.7',
    'The worker hangs after its first job on a drive.',
    (app) => {
      const busy = new Set<string>();
      around(app.files, 'inTree', (inTree, driveId, directory) => {
        if (busy.has(driveId)) return [];
        busy.add(driveId);
        return inTree(driveId, directory);
      });
    },
    async (t) => {
      await deleteTree(t, '/people');
      assert.deepEqual(await goneAfter(t, '/a', '/a/x.txt'), [false]);
    },
  ),

  must(
    'tree-parallel-deletion-lost',
    '4.7',
    'Of parallel deletions on one drive only the last is done, as they share one job slot.',
    (app) => {
      const slot = new Map<string, object>();
      aroundOperation(app, 'deleteTree', async (next, context) => {
        const driveId = context.params['driveId'] ?? '';
        slot.set(driveId, context);
        await app.timers.sleep(15);
        if (slot.get(driveId) === context) return next(context);
        return reply(200, app.serializers.deletion({ jobId: app.settings.newId('job'), documentCount: 0 }));
      });
    },
    async (t) => {
      const [a, b] = await t.place('/a/x.txt', '/b/x.txt');
      await Promise.all([deleteTree(t, '/a'), deleteTree(t, '/b')]);
      assert.ok(!(await t.gone(given(a))) || !(await t.gone(given(b))));
    },
  ),

  must(
    'tree-comes-back',
    '4.7',
    'A rebuild of the index brings deleted files back after a moment.',
    (app) =>
      around(app.files, 'delete', (deleteThem, ids) => {
        const rows = app.db.files.select({ where: (file) => ids.includes(file.id) });
        deleteThem(ids);
        app.timers.after(90, () => rows.forEach((row) => app.db.files.insert(row)));
      }),
    async (t) => {
      const [file] = await t.place('/a/x.txt');
      await deleteTree(t, '/a');
      assert.ok(await t.gone(given(file)));
      await sleep(180);
      assert.equal(await t.gone(given(file)), false);
    },
  ),

  must(
    'deleted-file-read-from-cache',
    '4.7',
    'A file that was read before its deletion can still be read from a cache.',
    (app) => {
      const cache = new Map<string, unknown>();
      aroundOperation(app, 'getFile', async (next, context) => {
        try {
          const answer = await next(context);
          cache.set(`${context.organizationId} ${context.path}`, answer.body);
          return answer;
        } catch (error) {
          const body = cache.get(`${context.organizationId} ${context.path}`);
          if (body === undefined) throw error;
          return reply(200, body);
        }
      });
    },
    async (t) => {
      const [file] = await t.place('/a/x.txt');
      await t.read(given(file));
      await deleteTree(t, '/a');
      assert.equal(await t.gone(given(file)), false);
    },
  ),

  survives(
    'tree-plus-not-decoded',
    'The query is decoded without form rules, so that a directory with blanks is not found.',
    (directory) => directory.replaceAll(' ', '+'),
    '/my files',
  ),
  survives(
    'tree-other-alphabets-not-found',
    'The query is read as Latin-1, so that a directory with other letters is not found.',
    (directory) => Buffer.from(directory, 'utf8').toString('latin1'),
    '/Verträge',
  ),
  survives(
    'tree-decoded-twice',
    'The path is percent-decoded a second time.',
    (directory) =>
      directory.replaceAll(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    '/100%25 sure',
  ),
  survives(
    'tree-path-cut-at-ampersand',
    'A proxy passes the query on decoded, so that the path ends at an ampersand.',
    (directory) => directory.split('&')[0] || '/none',
    '/q&a',
  ),
  survives(
    'tree-path-lower-case',
    'The path is put in lower case, and directories with capitals are not found.',
    (directory) => directory.toLowerCase(),
    '/Reports',
  ),
  survives(
    'tree-path-html-escaped',
    'A filter against scripts escapes quotes in the query, so that such directories are not found.',
    (directory) => directory.replaceAll("'", '&#39;'),
    "/anna's",
  ),

  // The path rule

  must(
    'tree-accepts-dots',
    '4.7',
    'The .. rule is only wired into the update of files.',
    (app) => around(app.treePathRule, 'accepts', (_accepts, path) => path.startsWith('/')),
    async (t) => assert.ok((await t.one.deleteTree(t.driveId(), '/a/../b')).ok),
  ),

  must(
    'tree-accepts-encoded-dots',
    '4.7',
    'The path is checked before it is decoded, so that %2E%2E passes.',
    (app) =>
      aroundOperation(app, 'deleteTree', (next, context) => {
        const raw = new URLSearchParams(context.rawQuery.replaceAll('%2E', '%252E').replaceAll('%2e', '%252e')).get(
          app.settings.treePathParameter,
        );
        if (raw === null || !/%2e/i.test(raw)) return next(context);
        const job = app.fileService.deleteTree(
          context.organizationId,
          context.params['driveId'] ?? '',
          raw.replaceAll(/%2e/gi, '.'),
        );
        return reply(200, app.serializers.deletion(job));
      }),
    async (t) =>
      assert.ok(
        (await t.one.send('DELETE', `/drives/${t.driveId()}/items/tree?${t.facts.treePathParameter}=/a/%2E%2E/b`)).ok,
      ),
  ),

  must(
    'tree-accepts-relative-path',
    '4.7',
    'A path without a slash at its start is accepted.',
    (app) => around(app.treePathRule, 'accepts', (accepts, path) => accepts(path) || accepts(`/${path}`)),
    async (t) => assert.ok((await t.one.deleteTree(t.driveId(), 'guides')).ok),
  ),

  must(
    'tree-resolves-dots',
    '4.7',
    'A path with .. is resolved and the result is deleted.',
    (app) =>
      around(app.treePathRule, 'check', (check, path) =>
        check(
          typeof path === 'string' && path.startsWith('/')
            ? decodeURIComponent(new URL(encodeURI(path), 'http://x').pathname)
            : path,
        ),
      ),
    async (t) => {
      const [file] = await t.place('/b/x.txt');
      await deleteTree(t, '/a/../b');
      assert.ok(await t.gone(given(file)));
    },
  ),

  must(
    'tree-empty-path-is-the-root',
    '4.7',
    'An empty path stands for the root, and the whole drive is emptied.',
    (app) => around(app.treePathRule, 'check', (check, path) => check(path === '' ? '/' : path)),
    async (t) => assert.ok((await t.one.deleteTree(t.driveId(), '')).ok),
  ),

  must(
    'tree-refused-after-deletion',
    '4.7',
    'The path is refused, but the files are already gone, because the check runs last.',
    (app) =>
      aroundOperation(app, 'deleteTree', (next, context) => {
        const path = context.query.get(app.settings.treePathParameter);
        if (path && !path.startsWith('/'))
          app.fileService.deleteTree(context.organizationId, context.params['driveId'] ?? '', `/${path}`);
        return next(context);
      }),
    async (t) => {
      await t.one.deleteTree(t.driveId(), 'policies');
      assert.ok(await t.gone(t.fileAt('/policies/security.pdf')));
    },
  ),

  // The answer

  must(
    'deletion-count-as-text',
    '4.7',
    'documentCount is text.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        documentCount: String(job.documentCount),
      })),
    async (t) => assert.equal(typeof (await deleteTree(t, '/guides')).documentCount, 'string'),
  ),

  must(
    'deletion-without-count',
    '4.7',
    'documentCount is left out.',
    (app) => around(app.serializers, 'deletion', (deletion, job) => without(deletion(job), 'documentCount')),
    async (t) => assert.ok(!('documentCount' in (await deleteTree(t, '/guides')))),
  ),

  must(
    'deletion-count-is-a-list',
    '4.7',
    'documentCount holds the ids of the documents instead of their number.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        documentCount: Array.from({ length: job.documentCount }, (_, n) => n),
      })),
    async (t) => assert.ok(Array.isArray((await deleteTree(t, '/guides')).documentCount)),
  ),

  must(
    'deletion-job-id-as-number',
    '4.7',
    'jobId is a number of the queue.',
    (app) => {
      let number = 100;
      around(app.serializers, 'deletion', (deletion, job) => ({ ...deletion(job), jobId: ++number }));
    },
    async (t) => assert.equal(typeof (await deleteTree(t, '/guides')).jobId, 'number'),
  ),

  must(
    'small-deletion-without-job',
    '4.7',
    'Trees of up to five files are deleted at once, and jobId is null.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        jobId: job.documentCount > 5 ? job.jobId : null,
      })),
    async (t) => assert.equal((await deleteTree(t, '/people')).jobId, null),
  ),

  must(
    'deletion-message-as-object',
    '4.7',
    'message is an object with a key for translation.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({ ...deletion(job), message: { key: 'tree.deleted' } })),
    async (t) => assert.equal(typeof (await deleteTree(t, '/guides')).message, 'object'),
  ),

  must(
    'deletion-answers-nothing',
    '4.7',
    'A deletion is answered 204 without a body.',
    (app) =>
      aroundOperation(app, 'deleteTree', async (next, context) => ({
        ...(await next(context)),
        status: 204,
        body: undefined,
      })),
    async (t) => assert.equal((await t.one.deleteTree(t.driveId(), '/guides')).text, ''),
  ),

  must(
    'deletion-in-snake-case',
    '4.7',
    'The answer has job_id and document_count.',
    (app) =>
      mapBody(app, 'deleteTree', ({ message, jobId, documentCount }) => ({
        message,
        job_id: jobId,
        document_count: documentCount,
      })),
    async (t) => assert.ok((await deleteTree(t, '/guides')).job_id),
  ),

  must(
    'deletion-wrapped-in-job',
    '4.7',
    'The answer is inside an object with the key job.',
    (app) => mapBody(app, 'deleteTree', (body) => ({ job: body })),
    async (t) => assert.ok((await deleteTree(t, '/guides')).job),
  ),

  must(
    'tree-deletion-not-routed',
    '4.7',
    'A gateway that knows no DELETE with a query answers 405.',
    (app) =>
      insertBefore(app, 'routing', (context, next) =>
        context.method === 'DELETE' && context.rawQuery ? reply(405, { error: 'Method not allowed' }) : next(),
      ),
    async (t) => assert.equal((await t.one.deleteTree(t.driveId(), '/guides')).status, 405),
  ),

  should(
    'deletion-count-zero',
    '4.7',
    'documentCount is always 0; it should count what is deleted.',
    (app) => around(app.serializers, 'deletion', (deletion, job) => ({ ...deletion(job), documentCount: 0 })),
    async (t) => assert.equal((await deleteTree(t, '/policies')).documentCount, 0),
  ),

  should(
    'deletion-count-of-the-drive',
    '4.7',
    'documentCount is the number of files left in the drive; it should count what is deleted.',
    (app) =>
      around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => ({
        ...deleteIt(organizationId, driveId, directory),
        documentCount: app.db.files.count({ driveId }),
      })),
    async (t) => assert.notEqual((await deleteTree(t, '/policies')).documentCount, 2),
  ),

  should(
    'deletion-count-with-directories',
    '4.7',
    'documentCount counts directories too; a directory is no document.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        documentCount: job.documentCount + 1,
      })),
    async (t) => assert.equal((await deleteTree(t, '/policies')).documentCount, 3),
  ),

  should(
    'deletion-count-adds-up',
    '4.7',
    'documentCount is never reset and adds up over deletions; it should count this one.',
    (app) => {
      let sum = 0;
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        documentCount: (sum += job.documentCount),
      }));
    },
    async (t) => {
      await deleteTree(t, '/policies');
      assert.notEqual((await deleteTree(t, '/people')).documentCount, 3);
    },
  ),

  should(
    'deletion-count-negative-when-empty',
    '4.7',
    'documentCount is -1 when nothing was there; a count is never negative.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        documentCount: job.documentCount || -1,
      })),
    async (t) => assert.equal((await deleteTree(t, '/no-such-directory')).documentCount, -1),
  ),

  should(
    'deletion-job-id-always-the-same',
    '4.7',
    'All deletions get the same jobId; an id is for telling jobs apart.',
    (app) => around(app.serializers, 'deletion', (deletion, job) => ({ ...deletion(job), jobId: 'delete-tree' })),
    async (t) => assert.equal((await deleteTree(t, '/policies')).jobId, (await deleteTree(t, '/people')).jobId),
  ),

  should(
    'deletion-job-id-empty',
    '4.7',
    'jobId is an empty string; an id that names nothing is of no use.',
    (app) => around(app.serializers, 'deletion', (deletion, job) => ({ ...deletion(job), jobId: '' })),
    async (t) => assert.equal((await deleteTree(t, '/policies')).jobId, ''),
  ),

  should(
    'deleted-file-can-be-moved',
    '4.7',
    'The update forgets that rows are only marked as deleted, so that moving a deleted file brings it back.',
    (app) => {
      const deleted = new Map<string, FileRow>();
      around(app.files, 'delete', (deleteThem, ids) => {
        for (const row of app.db.files.select({ where: (file) => ids.includes(file.id) })) deleted.set(row.id, row);
        deleteThem(ids);
      });
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        const row = deleted.get(fileId);
        if (row?.driveId === driveId && deleted.delete(fileId)) app.db.files.insert(row);
        return moveIt(organizationId, driveId, fileId, path);
      });
    },
    async (t) => {
      const [file] = await t.place('/a/x.txt');
      await deleteTree(t, '/a');
      assert.ok((await t.one.move(given(file).driveId, given(file).id, '/back.txt')).ok);
    },
  ),

  should(
    'tree-of-foreign-drive',
    '4.7',
    "The drive is not checked against the organization; every call is on behalf of the caller's organization.",
    (app) =>
      aroundOperation(app, 'deleteTree', (next, context) =>
        next({
          ...context,
          organizationId:
            app.db.drives.first({ id: context.params['driveId'] ?? '' })?.organizationId ?? context.organizationId,
        }),
      ),
    async (t) => {
      await t.two.deleteTree(t.driveId(), '/guides');
      assert.ok(await t.gone(t.fileAt('/guides/guide-1.md')));
    },
  ),

  should(
    'tree-of-unknown-drive-falls-back',
    '4.7',
    'An unknown drive id falls back to the first drive of the organization; a reader expects an error.',
    (app) =>
      around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => {
        const drive = app.drives.find(organizationId, driveId) ?? app.drives.page(organizationId, 1, 0)[0];
        if (!drive) throw new Failure('not-found', 'Drive not found');
        return deleteIt(organizationId, drive.id, directory);
      }),
    async (t) => {
      await t.one.deleteTree('no-such-drive', '/guides');
      assert.ok(await t.gone(t.fileAt('/guides/guide-1.md')));
    },
  ),

  should(
    'refused-deletion-still-runs',
    '4.7',
    'A foreign drive is answered 404, but the job is queued before that check; a refused call changes nothing.',
    (app) =>
      around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => {
        app.files.delete(
          app.files
            .inTree(driveId, directory)
            .filter(() => !app.drives.find(organizationId, driveId))
            .map((file) => file.id),
        );
        return deleteIt(organizationId, driveId, directory);
      }),
    async (t) => {
      assert.equal((await t.two.deleteTree(t.driveId(), '/guides')).status, 404);
      assert.ok(await t.gone(t.fileAt('/guides/guide-1.md')));
    },
  ),
];
