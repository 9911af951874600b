import assert from 'node:assert/strict';
import type { Application } from '../base/application.ts';
import { Failure } from '../base/failure.ts';
import { lastSegment } from '../base/services.ts';
import { type Answer, sleep, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, mapBody, must, should } from '../variant.ts';

const move = (t: Tester, path: unknown, index = 0): Promise<Answer> =>
  t.one.move(t.file(index).driveId, t.file(index).id, path);

async function moved(t: Tester, path: string, index = 0): Promise<Answer['body']> {
  const answer = await move(t, path, index);
  assert.ok(answer.ok, `move to ${path}: ${answer.status}`);
  return answer.body;
}

/** The path that a file has after a move, as a later read shows it. */
async function pathAfter(t: Tester, path: string): Promise<string> {
  await moved(t, path);
  return (await t.read(t.file())).path;
}

/** The service changes the path before it stores it. */
function storesPath(
  kind: typeof must,
  name: string,
  what: string,
  change: (path: string, before: string) => string,
  example: string,
): Fault {
  return kind(
    name,
    '4.6',
    what,
    (app) =>
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) =>
        moveIt(
          organizationId,
          driveId,
          fileId,
          change(path, app.fileService.get(organizationId, driveId, fileId).path),
        ),
      ),
    async (t) => assert.notEqual(await pathAfter(t, example), example),
  );
}

/** The rule lets paths through that it should refuse. */
function letsThrough(
  name: string,
  what: string,
  wrong: (path: string) => boolean,
  example: string,
  section = '4.6',
): Fault {
  return must(
    name,
    section,
    what,
    (app) => around(app.pathRule, 'accepts', (accepts, path) => accepts(path) || wrong(path)),
    async (t) => assert.ok((await move(t, example)).ok),
  );
}

/** The rule refuses paths that it should let through. */
function refuses(name: string, what: string, wrong: (path: string) => boolean, example: string): Fault {
  return should(
    name,
    '8',
    what,
    (app) => around(app.pathRule, 'accepts', (accepts, path) => accepts(path) && !wrong(path)),
    async (t) => assert.equal((await move(t, example)).ok, false),
  );
}

/** Work beside the move itself, given the row before it. */
function beside(
  app: Application,
  work: (fileId: string, path: string, before: { driveId: string; path: string; name: string }) => void,
): void {
  around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
    const before = app.fileService.get(organizationId, driveId, fileId);
    const after = moveIt(organizationId, driveId, fileId, path);
    work(fileId, path, before);
    return app.db.files.first({ id: fileId }) ?? after;
  });
}

export const fileMovingFaults: readonly Fault[] = [
  // The path rule

  letsThrough(
    'move-accepts-relative-path',
    'A path without a slash at its start is accepted.',
    (path) => !path.startsWith('/') && !path.includes('..'),
    'notes.txt',
  ),
  letsThrough(
    'move-accepts-empty-path',
    'An empty path passes, because only given paths are checked.',
    (path) => path === '',
    '',
  ),
  letsThrough(
    'move-accepts-dots-in-the-middle',
    'Only a leading .. segment is looked for.',
    (path) => path.startsWith('/') && !path.startsWith('/..') && !path.endsWith('/..'),
    '/a/../b.txt',
  ),
  letsThrough(
    'move-accepts-dots-at-the-end',
    'The check looks for "../" and misses a .. at the end.',
    (path) => path.startsWith('/') && path.endsWith('/..') && !path.includes('../'),
    '/a/..',
  ),
  letsThrough(
    'move-accepts-dots-at-the-start',
    'Only the literal pattern is used, which lets a first .. segment through although the text forbids it.',
    (path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path),
    '/../a.txt',
  ),
  letsThrough(
    'move-accepts-second-dots',
    'Only the first ".." of a path is looked at, which may be part of a name.',
    (path) => path.startsWith('/') && /[^/]\.\./.test(path.slice(0, path.indexOf('..') + 2)),
    '/a../../b.txt',
  ),
  letsThrough(
    'move-accepts-line-break',
    'The dot of the pattern matches line breaks here.',
    (path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/s.test(path) && !path.startsWith('/..'),
    '/a\nb.txt',
  ),
  letsThrough(
    'move-pattern-by-line',
    'The anchors of the pattern match at each line, so that one good line is enough.',
    (path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/m.test(path) && path.includes('\n'),
    'x\n/a.txt',
    '8',
  ),

  must(
    'move-resolves-dots',
    '4.6',
    'A path with .. is resolved before it is checked.',
    (app) =>
      around(app.pathRule, 'check', (check, path) =>
        check(typeof path === 'string' && path.startsWith('/') ? new URL(path, 'http://x').pathname : path),
      ),
    async (t) => assert.equal((await moved(t, '/a/../b.txt')).path, '/b.txt'),
  ),

  must(
    'move-adds-the-slash',
    '4.6',
    'A missing slash at the start is added instead of refused.',
    (app) =>
      around(app.pathRule, 'check', (check, path) =>
        check(typeof path === 'string' && path && !path.startsWith('/') ? `/${path}` : path),
      ),
    async (t) => assert.ok((await move(t, 'notes.txt')).ok),
  ),

  must(
    'move-trims-before-checking',
    '4.6',
    'Blanks around a path are trimmed before the check, so that " /a" is accepted.',
    (app) => around(app.pathRule, 'check', (check, path) => check(typeof path === 'string' ? path.trim() : path)),
    async (t) => assert.ok((await move(t, ' /a.txt')).ok),
  ),

  must(
    'move-stores-though-refused',
    '4.6',
    'A bad path is stored before the check, and only the answer is a refusal.',
    (app) =>
      aroundOperation(app, 'updateFile', (next, context) => {
        const { path } = context.input;
        const fileId = context.params['fileId'] ?? '';
        if (typeof path === 'string' && path)
          app.files.update(app.fileService.get(context.organizationId, context.params['driveId'] ?? '', fileId).id, {
            path,
          });
        return next(context);
      }),
    async (t) => {
      await move(t, '/a/../b.txt');
      assert.equal((await t.read(t.file())).path, '/a/../b.txt');
    },
  ),

  must(
    'move-unchecked-with-bearer',
    '4.6',
    'Validation is only wired into the route for X-API-Key callers.',
    (app) =>
      aroundOperation(app, 'updateFile', (next, context) => {
        const { path } = context.input;
        if (context.headers['x-api-key'] || typeof path !== 'string') return next(context);
        const file = app.fileService.move(
          context.organizationId,
          context.params['driveId'] ?? '',
          context.params['fileId'] ?? '',
          path,
        );
        return { status: 200, headers: {}, body: app.serializers.file(file) };
      }),
    async (t) => assert.ok((await t.oneBearer.move(t.file().driveId, t.file().id, '/a/../b.txt')).ok),
  ),

  should(
    'move-accepts-path-in-array',
    '4.6',
    'A path inside an array is accepted, since text is made of it; path is a string.',
    (app) => around(app.pathRule, 'check', (check, path) => check(Array.isArray(path) ? String(path) : path)),
    async (t) => assert.ok((await move(t, ['/a.txt'])).ok),
  ),

  refuses(
    'move-refuses-double-dots-in-names',
    'Any ".." is refused, also inside a name, where it is no segment.',
    (path) => path.includes('..'),
    '/notes..final.txt',
  ),
  refuses(
    'move-refuses-names-starting-with-dots',
    'Names that start with ".." are refused, though they are no ".." segment.',
    (path) => /\/\.\./.test(path),
    '/..notes.txt',
  ),
  refuses(
    'move-refuses-three-dots',
    'A segment of three dots is refused by a pattern that is too wide.',
    (path) => /\/\.{2,}(\/|$)/.test(path),
    '/a/.../b.txt',
  ),
  refuses(
    'move-refuses-names-ending-with-dots',
    'Names that end with ".." are refused, though they are no ".." segment.',
    (path) => /\.\.(\/|$)/.test(path),
    '/wait../b.txt',
  ),

  // What is stored

  storesPath(
    must,
    'move-lower-case',
    'Paths are stored in lower case.',
    (path) => path.toLowerCase(),
    '/Reports/Final.TXT',
  ),
  storesPath(
    must,
    'move-only-renames',
    'Only the last segment of the new path counts, and the file stays in its directory.',
    (path, before) => before.slice(0, before.lastIndexOf('/') + 1) + lastSegment(path),
    '/other/place.txt',
  ),
  storesPath(
    must,
    'move-plus-is-blank',
    'A plus in a path turns into a blank.',
    (path) => path.replaceAll('+', ' '),
    '/a+b.txt',
  ),
  storesPath(
    must,
    'move-decodes-percent',
    'A path is percent-decoded although it comes in JSON.',
    (path) => path.replaceAll('%20', ' ').replaceAll('%2F', '/'),
    '/a%20b.txt',
  ),
  storesPath(
    must,
    'move-encodes-blanks',
    'A path is stored percent-encoded, as the key of the object store.',
    (path) => encodeURI(path),
    '/a b.txt',
  ),
  storesPath(
    must,
    'move-cuts-at-hash',
    'A path is read as an address, and what follows # is lost.',
    (path) => path.split('#')[0] || '/',
    '/issue #12.txt',
  ),
  storesPath(
    must,
    'move-cuts-at-question-mark',
    'What follows a question mark in a path is lost.',
    (path) => path.split('?')[0] || '/',
    '/what? now.txt',
  ),
  storesPath(
    must,
    'move-loses-other-alphabets',
    'Characters other than ASCII are replaced by underscores.',
    (path) => path.replace(/[^\x20-\x7e]/g, '_'),
    '/отчёт.txt',
  ),
  storesPath(
    must,
    'move-escapes-html',
    'A path is escaped for HTML.',
    (path) => path.replaceAll('&', '&amp;'),
    '/q&a.txt',
  ),
  storesPath(
    must,
    'move-apostrophe-doubled',
    'An apostrophe in a path is escaped by hand and by the driver.',
    (path) => path.replaceAll("'", "''"),
    "/anna's.txt",
  ),
  storesPath(
    must,
    'move-drops-extension',
    'The part behind the last dot is cut off.',
    (path) => path.replace(/\.[^./]*$/, ''),
    '/plan.txt',
  ),
  storesPath(
    should,
    'move-blanks-to-dashes',
    'Blanks in a path become dashes; the new path should be the one given.',
    (path) => path.replaceAll(' ', '-'),
    '/my plan.txt',
  ),
  storesPath(
    should,
    'move-cuts-long-path',
    'A path beyond 60 characters is cut without a word; one expects a refusal or the whole path.',
    (path) => path.slice(0, 60),
    `/${'long-directory-name/'.repeat(4)}file.txt`,
  ),
  storesPath(
    should,
    'move-keeps-old-extension',
    'The old extension is kept; the new path should be the one given.',
    (path, before) => path.replace(/\.[^./]*$/, '') + (/\.[^./]*$/.exec(before)?.[0] ?? ''),
    '/welcome.html',
  ),

  must(
    'move-not-stored',
    '4.6',
    'The answer shows the new path, but nothing is stored.',
    (app) =>
      around(app.fileService, 'move', (_move, organizationId, driveId, fileId, path) => ({
        ...app.fileService.get(organizationId, driveId, fileId),
        path,
        name: lastSegment(path),
      })),
    async (t) => assert.notEqual(await pathAfter(t, '/b.txt'), '/b.txt'),
  ),

  must(
    'move-answers-the-old-file',
    '4.6',
    'The answer is the file as it was before.',
    (app) =>
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        const before = app.fileService.get(organizationId, driveId, fileId);
        moveIt(organizationId, driveId, fileId, path);
        return before;
      }),
    async (t) => assert.notEqual((await moved(t, '/b.txt')).path, '/b.txt'),
  ),

  must(
    'moved-file-read-from-cache',
    '4.5',
    'Reads come from a cache that a move does not clear.',
    (app) => {
      const cache = new Map<string, unknown>();
      mapBody(app, 'getFile', (body, context) => {
        if (!cache.has(context.path)) cache.set(context.path, body);
        return cache.get(context.path);
      });
    },
    async (t) => {
      await t.read(t.file());
      assert.notEqual(await pathAfter(t, '/b.txt'), '/b.txt');
    },
  ),

  must(
    'second-move-lost',
    '4.6',
    'The second move of a file meets a stale version number and is dropped without a word.',
    (app) => {
      const versions = new Map<string, number>();
      around(app.files, 'update', (update, id, changes) => {
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        if (version !== 2) update(id, changes);
      });
    },
    async (t) => {
      await moved(t, '/b.txt');
      assert.equal(await pathAfter(t, '/c.txt'), '/b.txt');
    },
  ),

  must(
    'parallel-moves-lost',
    '4.6',
    'The file index of a drive is one document that is read, changed and written as a whole, so that parallel moves are lost.',
    (app) =>
      aroundOperation(app, 'updateFile', async (next, context) => {
        const driveId = context.params['driveId'] ?? '';
        const index = app.db.files.select({ where: { driveId } });
        await app.timers.sleep(15);
        for (const { id, path, name } of index) app.files.update(id, { path, name });
        return next(context);
      }),
    async (t) => {
      await Promise.all([0, 1, 2, 3].map((index) => moved(t, `/parallel-${index}.txt`, index)));
      const paths = await Promise.all([0, 1, 2, 3].map(async (index) => (await t.read(t.file(index))).path));
      assert.notDeepEqual(
        paths,
        [0, 1, 2, 3].map((index) => `/parallel-${index}.txt`),
      );
    },
  ),

  must(
    'move-undone-later',
    '4.6',
    'A synchronization job writes the old path back a moment later.',
    (app) =>
      beside(app, (fileId, _path, before) =>
        app.timers.after(80, () => app.files.update(fileId, { path: before.path, name: before.name })),
      ),
    async (t) => {
      await moved(t, '/b.txt');
      await sleep(180);
      assert.notEqual((await t.read(t.file())).path, '/b.txt');
    },
  ),

  must(
    'move-into-new-directory-fails',
    '4.6',
    'The directory of the new path is created with a statement that fails for more than one missing level.',
    (app) =>
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        const known = app.db.files
          .select({ where: { driveId } })
          .some((file) => file.path.startsWith(`/${path.split('/')[1]}/`));
        if (!known && path.split('/').length > 3) throw new Failure('internal', 'no such directory');
        return moveIt(organizationId, driveId, fileId, path);
      }),
    async (t) => assert.equal((await move(t, '/new/deep/er.txt')).status, 500),
  ),

  // The answer

  must(
    'move-answers-nothing',
    '4.6',
    'A move is answered 204 without the file.',
    (app) =>
      aroundOperation(app, 'updateFile', async (next, context) => ({
        ...(await next(context)),
        status: 204,
        body: undefined,
      })),
    async (t) => assert.equal((await move(t, '/b.txt')).text, ''),
  ),

  must(
    'move-answers-changed-fields-only',
    '4.6',
    'The answer has only id, path and name.',
    (app) => mapBody(app, 'updateFile', ({ id, path, name }) => ({ id, path, name })),
    async (t) => assert.equal((await moved(t, '/b.txt')).kind, undefined),
  ),

  must(
    'move-answers-row-count',
    '4.6',
    'The answer is the result of the update statement.',
    (app) => mapBody(app, 'updateFile', () => ({ affected: 1 })),
    async (t) => assert.equal((await moved(t, '/b.txt')).affected, 1),
  ),

  must(
    'move-status-moving',
    '3',
    'A moved file is shown as moving.',
    (app) => mapBody(app, 'updateFile', (body) => ({ ...body, status: 'moving' })),
    async (t) => assert.equal((await moved(t, '/b.txt')).status, 'moving'),
  ),

  must(
    'move-modified-at-local',
    '2',
    'modifiedAt of the answer to a move has neither zone nor T.',
    (app) =>
      mapBody(app, 'updateFile', (body) => ({
        ...body,
        modifiedAt: body.modifiedAt.replace('T', ' ').replace('Z', ''),
      })),
    async (t) => assert.ok((await moved(t, '/b.txt')).modifiedAt.includes(' ')),
  ),

  must(
    'move-wants-merge-patch',
    '4.6',
    'Only application/merge-patch+json is accepted, the default of the framework for PATCH.',
    (app) =>
      aroundOperation(app, 'updateFile', (next, context) =>
        context.headers['content-type'] === 'application/merge-patch+json'
          ? next(context)
          : { status: 415, headers: {}, body: { error: 'Unsupported media type' } },
      ),
    async (t) => assert.equal((await move(t, '/b.txt')).status, 415),
  ),

  must(
    'move-only-with-put',
    '4.6',
    'A firewall lets no PATCH through.',
    (app) => {
      for (const route of app.router.routes) if (route.operation === 'updateFile') route.method = 'PUT';
    },
    async (t) => assert.equal((await move(t, '/b.txt')).ok, false),
  ),

  // What else happens

  should(
    'move-leaves-the-name',
    '4.6',
    'The name stays the old one after a rename; renaming is what the operation is for.',
    (app) => beside(app, (fileId, _path, before) => app.files.update(fileId, { name: before.name })),
    async (t) => assert.notEqual((await moved(t, '/renamed.txt')).name, 'renamed.txt'),
  ),

  should(
    'move-changes-the-id',
    '4.6',
    'A move copies the file and deletes the old one, so that its id is gone; an updated file keeps its id.',
    (app) =>
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        const id = app.settings.newId('fil');
        const file = moveIt(organizationId, driveId, fileId, path);
        app.db.files.update({ id: fileId }, { id });
        return { ...file, id };
      }),
    async (t) => {
      await moved(t, '/b.txt');
      assert.ok(await t.gone(t.file()));
    },
  ),

  should(
    'move-wipes-other-fields',
    '4.6',
    'The whole row is written from the body, so that description, summary and metadata are lost; a move changes the path.',
    (app) => beside(app, (fileId) => app.files.update(fileId, { description: '', summary: '', metadata: {}, size: 0 })),
    async (t) => {
      const before = await t.read(t.file());
      assert.notDeepEqual((await moved(t, '/b.txt')).size, before.size);
    },
  ),

  should(
    'move-takes-namesakes-along',
    '4.6',
    'The update finds files by their name, so that namesakes in other directories get the same path; one file is moved.',
    (app) =>
      beside(app, (_fileId, path, before) =>
        app.db.files.update({ driveId: before.driveId, name: before.name }, { path, name: lastSegment(path) }),
      ),
    async (t) => {
      const [file, other] = [t.fileAt('/policies/travel.pdf'), t.fileAt('/archive/policies/travel.pdf')];
      await t.one.move(file.driveId, file.id, '/b.pdf');
      assert.equal((await t.read(other)).path, '/b.pdf');
    },
  ),

  should(
    'move-in-every-drive',
    '4.6',
    'The update finds files by their old path in all drives; one file is moved.',
    (app) =>
      beside(app, (_fileId, path, before) =>
        app.db.files.update({ path: before.path }, { path, name: lastSegment(path) }),
      ),
    async (t) => {
      const file = t.fileAt('/readme.txt', 1);
      await t.one.move(file.driveId, file.id, '/b.txt');
      assert.equal((await t.read(t.fileAt('/readme.txt', 2))).path, '/b.txt');
    },
  ),

  should(
    'move-back-refused',
    '4.6',
    'Paths that were ever used stay reserved, so that a file cannot move back; its old path is free again.',
    (app) => {
      const used = new Set<string>();
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        if (used.has(`${driveId}${path}`)) throw new Failure('conflict', 'path is taken');
        const { path: before } = app.fileService.get(organizationId, driveId, fileId);
        const file = moveIt(organizationId, driveId, fileId, path);
        used.add(`${driveId}${before}`);
        return file;
      });
    },
    async (t) => {
      await moved(t, '/b.txt');
      assert.equal((await move(t, t.file().path)).ok, false);
    },
  ),

  should(
    'move-empties-files-in-error',
    '4.6',
    'Moving a file in error makes it ready with size 0, because it is created anew; a move does not change the file.',
    (app) =>
      beside(app, (fileId) => {
        if (app.db.files.first({ id: fileId })?.status === 'error')
          app.files.update(fileId, { status: 'ready', size: 0 });
      }),
    async (t) => {
      let emptied = false;
      for (const [index] of t.files().entries()) emptied ||= (await moved(t, `/moved-${index}.txt`, index)).size === 0;
      assert.ok(emptied);
    },
  ),

  should(
    'move-of-foreign-file',
    '4.6',
    "Files are updated by their id without asking whose drive it is; every call is on behalf of the caller's organization.",
    (app) =>
      aroundOperation(app, 'updateFile', (next, context) =>
        next({
          ...context,
          organizationId: app.db.drives.first({ id: context.params['driveId'] ?? '' })?.organizationId ?? '',
        }),
      ),
    async (t) => assert.ok((await t.two.move(t.file().driveId, t.file().id, '/stolen.md')).ok),
  ),

  should(
    'move-through-wrong-drive',
    '4.6',
    'A file can be moved under the path of another drive of the organization and then belongs to that one; the path names the drive that holds it.',
    (app) =>
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        const held = app.db.files.first({ id: fileId });
        if (held && app.drives.find(organizationId, held.driveId) && app.drives.find(organizationId, driveId))
          app.files.update(fileId, { driveId });
        return moveIt(organizationId, driveId, fileId, path);
      }),
    async (t) => assert.ok((await t.one.move(t.driveId(1), t.file().id, '/b.txt')).ok),
  ),

  should(
    'move-of-unknown-file-succeeds',
    '4.6',
    'Moving a file that does not exist creates an empty one; a reader expects an error.',
    (app) =>
      around(app.fileService, 'move', (moveIt, organizationId, driveId, fileId, path) => {
        const drive = app.driveService.get(organizationId, driveId);
        if (!app.files.find(drive.id, fileId)) {
          app.db.files.insert({
            id: fileId,
            driveId,
            name: '',
            path,
            status: 'processing',
            modifiedAt: app.settings.now(),
            size: 0,
            contentType: '',
            description: '',
            summary: '',
            metadata: {},
          });
        }
        return moveIt(organizationId, driveId, fileId, path);
      }),
    async (t) => assert.ok((await t.one.move(t.driveId(), 'no-such-file', '/b.txt')).ok),
  ),
];
