import { breaks, fileSound, filesSound, moving } from './checks.ts';
import { input } from './faults-create-drive.ts';
import { pathAllowed, project } from './machine.ts';
import type { Ctx, DriveFile, Machine, Shown } from './model.ts';
import { Refusal } from './model.ts';
import { nap } from './server.ts';
import type { Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { after, around, must, should, wrap } from './variant.ts';

const moves = (path: string, org = 0): Demo => breaks((t) => moving(t, path, 0, 0, org));
const accepts =
  (path: unknown): Demo =>
  async (t) =>
    ok(await t.move(path));
const pathIs = (change: (path: string, ctx: Ctx) => string) => input('moveFile', 'path', change);
const filesOf = (ctx: Ctx) => [...ctx.org.view.files.values()].filter((f) => f.driveId === ctx.params.driveId);

/** The rule of the server is `rule`, for moving only. */
const rule = (allowed: (path: string) => boolean) => (m: Machine) =>
  wrap(
    m,
    'pathAllowed',
    (old) => (path, ctx) => (ctx.op === 'moveFile' ? typeof path === 'string' && allowed(path) : old(path, ctx)),
  );

const reading: Variant[] = [
  must(
    'file-answer-is-the-next-one',
    '4.5',
    'The file after the one asked for is answered.',
    (m) =>
      around(m, 'getFile', (old, ctx) => {
        const answer = old(ctx);
        const all = filesOf(ctx);
        const next = all[all.findIndex((f) => f.id === ctx.params.fileId) + 1];
        return next ? { status: 200, body: m.showFile(next, ctx) } : answer;
      }),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-answer-is-the-cached-one',
    '4.5',
    'Metadata is cached by drive, so the first file read is answered for every other one.',
    (m) => {
      const cache = new Map<string, Shown>();
      after(m, 'getFile', (a, ctx) => {
        const body = cache.get(ctx.params.driveId ?? '') ?? a.body;
        cache.set(ctx.params.driveId ?? '', body);
        return { ...a, body };
      });
    },
    async (t) => (await t.get(1)).body.id === (await t.get(2)).body.id,
  ),
  must(
    'file-asked-by-a-cut-id',
    '4.5',
    'Files are found by the beginning of their id: an id without its last character answers the file.',
    (m) =>
      wrap(
        m,
        'findFile',
        (old) => (ctx, d, id) => old(ctx, d, id) ?? filesOf(ctx).find((f) => id.length > 8 && f.id.startsWith(id)),
      ),
    async (t) => ok(await t.call('GET', `/drives/${t.driveId()}/files/${t.fileId().slice(0, -1)}`)),
  ),
  must(
    'file-unknown-is-the-first',
    '4.5',
    'For an unknown id the first file of the drive is answered.',
    (m) =>
      around(m, 'getFile', (old, ctx) => {
        const first = filesOf(ctx)[0];
        return m.findFile(ctx, ctx.params.driveId ?? '', ctx.params.fileId ?? '') || !first
          ? old(ctx)
          : { status: 200, body: m.showFile(first, ctx) };
      }),
    async (t) => ok(await t.call('GET', `/drives/${t.driveId()}/files/fil_aaaaaaaaaaaaaa`)),
  ),
  must(
    'file-answer-without-id',
    '4.5',
    'The metadata of a file does not show its id.',
    (m) =>
      after(m, 'getFile', (a) => {
        const { id: _id, ...body } = a.body;
        return { ...a, body };
      }),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-answer-in-an-envelope',
    '4.5',
    'The file stands under file in the answer.',
    (m) => after(m, 'getFile', (a) => ({ ...a, body: { file: a.body } })),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-answer-in-an-array',
    '4.5',
    'The file comes as the only element of an array.',
    (m) => after(m, 'getFile', (a) => ({ ...a, body: [a.body] })),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-empty-while-processing',
    '4.5',
    'A file that is being processed is answered with 204.',
    (m) => after(m, 'getFile', (a) => (a.body.status === 'processing' ? { status: 204 } : a)),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-not-found-after-an-error',
    '4.5',
    'Files whose processing failed are not found.',
    (m) =>
      wrap(m, 'findFile', (old) => (ctx, d, id) => {
        const file = old(ctx, d, id);
        return file?.status === 'error' ? undefined : file;
      }),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-found-in-the-first-drive-only',
    '4.5',
    'Only files of the first drive of an organization are found.',
    (m) =>
      wrap(
        m,
        'findFile',
        (old) => (ctx, d, id) => (d === [...ctx.org.view.drives.keys()][0] ? old(ctx, d, id) : undefined),
      ),
    breaks((t) => filesSound(t)),
  ),
  must(
    'file-of-second-organization-not-found',
    '4.5',
    'Files are looked up in the first organization only.',
    (m) => wrap(m, 'findFile', (old) => (ctx, d, id) => old({ ...ctx, org: m.orgs[0] ?? ctx.org }, d, id)),
    breaks((t) => filesSound(t, 1)),
  ),
  must(
    'file-id-with-drive-in-front',
    '4.5',
    'The id in the answer is put together of drive and file.',
    (m) => wrap(m, 'showFile', (old) => (f, ctx) => ({ ...old(f, ctx), id: `${f.driveId}.${f.id}` })),
    breaks((t) => filesSound(t)),
  ),
];

const rules: Variant[] = [
  must(
    'move-by-the-pattern-alone',
    '4.6',
    'Only the printed pattern is applied, so /.. is accepted.',
    rule((p) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(p)),
    accepts('/../outside.txt'),
  ),
  must(
    'move-to-two-dots-alone',
    '4.6',
    'The path /.. is accepted, anything below it is not.',
    rule((p) => p === '/..' || pathAllowed(p)),
    accepts('/..'),
  ),
  must(
    'move-with-dots-at-the-end',
    '4.6',
    'A .. segment is seen between slashes only, not at the end.',
    rule((p) => p.startsWith('/') && !p.includes('/../')),
    accepts('/reports/..'),
  ),
  must(
    'move-with-dots-inside',
    '4.6',
    'A .. segment is seen at the start of a path only.',
    rule((p) => p.startsWith('/') && !p.startsWith('/..')),
    accepts('/reports/../secret.txt'),
  ),
  must(
    'move-with-dots-deep-down',
    '4.6',
    'Only the first five segments of a path are checked.',
    rule((p) => p.startsWith('/') && !p.split('/').slice(0, 6).includes('..')),
    accepts('/a/b/c/d/e/f/../g.txt'),
  ),
  must(
    'move-without-first-slash',
    '4.6',
    'A path without the first slash is accepted.',
    rule((p) => p !== '' && !p.split('/').includes('..')),
    accepts('reports/new.txt'),
  ),
  must(
    'move-without-slash-at-the-root',
    '4.6',
    'A bare file name is accepted and stored with a slash in front.',
    (m) => {
      pathIs((p) => (/^[^/.][^/]*$/.test(p) ? `/${p}` : p))(m);
    },
    accepts('bare-name.txt'),
  ),
  must(
    'move-resolves-dots',
    '4.6',
    'A path with .. segments is resolved and honoured.',
    pathIs((p) => (p.startsWith('/') ? decodeURI(new URL(`http://x${encodeURI(p)}`).pathname) : p)),
    accepts('/reports/../notes/x.txt'),
  ),
  must(
    'move-with-dots-after-a-line-break',
    '4.6',
    'The check stops at a line break, so a .. segment after one is not seen.',
    rule((p) => p.startsWith('/') && !(p.split('\n')[0] ?? '').split('/').includes('..')),
    accepts('/a\n/../b.txt'),
  ),
  must(
    'move-unchecked-by-bearer',
    '4.6',
    'Requests with a bearer token count as internal: their paths are not checked.',
    (m) => wrap(m, 'pathAllowed', (old) => (p, ctx) => (ctx.via === 'bearer' && ctx.op === 'moveFile') || old(p, ctx)),
    async (t) =>
      ok(
        await t.call('PATCH', `/drives/${t.driveId()}/files/${t.fileId()}`, {
          via: 'bearer',
          body: { path: '/a/../b' },
        }),
      ),
  ),
  must(
    'move-unchecked-in-later-drives',
    '4.6',
    'The path rule is applied in the first drive only.',
    (m) =>
      wrap(
        m,
        'pathAllowed',
        (old) => (p, ctx) =>
          (ctx.op === 'moveFile' && ctx.params.driveId !== [...ctx.org.view.drives.keys()][0]) || old(p, ctx),
      ),
    async (t) => ok(await t.move('/x/../y', 0, 1)),
  ),
  must(
    'move-unchecked-when-long',
    '4.6',
    'Paths of more than 100 characters are not checked (the check gives up).',
    rule((p) => p.length > 100 || pathAllowed(p)),
    accepts(`/${'long-segment/'.repeat(10)}../x.txt`),
  ),
  must(
    'move-refused-but-done',
    '4.6',
    'A path with .. is answered with 422 after the file was moved.',
    (m) =>
      around(m, 'moveFile', (old, ctx) => {
        const bad =
          typeof ctx.input.path === 'string' && ctx.input.path.startsWith('/') && !m.pathAllowed(ctx.input.path, ctx);
        if (bad)
          m.append(ctx.org, { type: 'FileMoved', fileId: ctx.params.fileId ?? '', path: ctx.input.path, at: m.now() });
        return old(ctx);
      }),
    async (t) => {
      const before = (await t.get()).body.path;
      await t.move('/kept/../or not.txt');
      return (await t.get()).body.path !== before;
    },
  ),
  must(
    'move-drops-the-dots',
    '4.6',
    'The .. segments are cut out of the path, which is then accepted.',
    pathIs((p) =>
      p
        .split('/')
        .filter((s) => s !== '..')
        .join('/'),
    ),
    accepts('/reports/../x.txt'),
  ),
];

const lost = (change: (m: Machine, file: DriveFile, event: { path: string }) => boolean) => (m: Machine) =>
  wrap(m, 'project', (old) => (org, event) => {
    const file = event.type === 'FileMoved' ? org.view.files.get(event.fileId) : undefined;
    if (event.type === 'FileMoved' && file && change(m, file, event)) return;
    old(org, event);
  });

const storing: Variant[] = [
  must(
    'move-not-stored',
    '4.6',
    'The answer shows the new path, but nothing is stored.',
    (m) => {
      lost(() => true)(m);
      after(m, 'moveFile', (a, ctx) => ({ ...a, body: { ...a.body, path: ctx.input.path } }));
    },
    moves('/moved.txt'),
  ),
  must(
    'move-lost-while-processing',
    '4.6',
    'The move of a file that is being processed is overwritten by the old record.',
    (m) => {
      lost((_m, f) => f.status === 'processing')(m);
      after(m, 'moveFile', (a, ctx) => ({ ...a, body: { ...a.body, path: ctx.input.path } }));
    },
    breaks(async (t) => {
      for (const f of [0, 1, 2, 3]) await moving(t, `/moved/${f}.txt`, f);
    }),
  ),
  must(
    'move-answers-the-old-record',
    '4.6',
    'The answer to a move shows the file as it was before.',
    (m) =>
      around(m, 'moveFile', async (old, ctx) => {
        const file = m.findFile(ctx, ctx.params.driveId ?? '', ctx.params.fileId ?? '');
        const before = file ? m.showFile(file, ctx) : undefined;
        const answer = await old(ctx);
        return before ? { ...answer, body: before } : answer;
      }),
    moves('/moved.txt'),
  ),
  must(
    'move-reading-stays-cached',
    '4.6',
    'What was read of a file before is cached for good, so a move is never seen.',
    (m) => {
      const cache = new Map<string, Shown>();
      after(m, 'getFile', (a) => {
        const body = cache.get(a.body.id) ?? a.body;
        cache.set(a.body.id, body);
        return { ...a, body };
      });
    },
    async (t) => {
      await t.get();
      await t.move('/moved.txt');
      return (await t.get()).body.path !== '/moved.txt';
    },
  ),
  must(
    'move-works-once',
    '4.6',
    'A second move of the same file has no effect.',
    (m) => {
      const seen = new Set<string>();
      lost((_m, f) => {
        const again = seen.has(f.id);
        seen.add(f.id);
        return again;
      })(m);
    },
    async (t) => {
      await t.move('/first.txt');
      await t.move('/second.txt');
      return (await t.get()).body.path === '/first.txt';
    },
  ),
  must(
    'move-back-has-no-effect',
    '4.6',
    'A file cannot be moved back to where it was: the event is taken for a duplicate.',
    (m) => {
      const seen = new Set<string>();
      lost((_m, f, e) => {
        seen.add(`${f.id} ${f.path}`);
        return seen.has(`${f.id} ${e.path}`);
      })(m);
    },
    async (t) => {
      await t.move('/here.txt');
      await t.move('/there.txt');
      await t.move('/here.txt');
      return (await t.get()).body.path !== '/here.txt';
    },
  ),
  must(
    'move-renames-within-the-directory-only',
    '4.6',
    'Of the new path only the last segment is used: files never change their directory.',
    (m) => {
      wrap(m, 'project', (old) => (org, event) => {
        if (event.type !== 'FileMoved') return old(org, event);
        const path = org.view.files.get(event.fileId)?.path ?? '';
        old(org, { ...event, path: `${path.slice(0, path.lastIndexOf('/'))}/${event.path.split('/').at(-1)}` });
      });
    },
    moves('/another place/moved.txt'),
  ),
  must(
    'move-keeps-the-old-name',
    '4.6',
    'Only the directory of the new path is used: files keep their last segment.',
    (m) =>
      wrap(m, 'project', (old) => (org, event) => {
        if (event.type !== 'FileMoved') return old(org, event);
        const name = org.view.files.get(event.fileId)?.path.split('/').at(-1);
        old(org, { ...event, path: `${event.path.slice(0, event.path.lastIndexOf('/'))}/${name}` });
      }),
    moves('/another place/renamed.txt'),
  ),
  must(
    'move-changes-letter-case',
    '4.6',
    'Paths are stored in small letters.',
    pathIs((p) => p.toLowerCase()),
    moves('/Reports/Final Version.PDF'),
  ),
  must(
    'move-case-change-ignored',
    '4.6',
    'A move that changes only the case of letters is taken for no change.',
    lost((_m, f, e) => f.path.toLowerCase() === e.path.toLowerCase()),
    breaks(async (t) => {
      await moving(t, '/notes/draft.txt');
      await moving(t, '/notes/Draft.txt');
    }),
  ),
  must(
    'move-decodes-percent-signs',
    '4.6',
    'A path in the JSON body is percent-decoded.',
    pathIs((p) => {
      try {
        return decodeURIComponent(p);
      } catch {
        return p;
      }
    }),
    moves('/sales%20figures/100%25.txt'),
  ),
  must(
    'move-encodes-blanks',
    '4.6',
    'Paths are stored percent-encoded.',
    pathIs((p) => encodeURI(p)),
    moves('/two words.txt'),
  ),
  must(
    'move-loses-non-ascii',
    '4.6',
    'Letters outside ASCII are dropped from paths.',
    pathIs((p) => p.replace(/[^ -~\n\r]/g, '')),
    moves('/Überblick/Größe.txt'),
  ),
  must(
    'move-cuts-at-120',
    '4.6',
    'Paths are cut at 120 characters.',
    pathIs((p) => p.slice(0, 120)),
    moves(`/long/${'chapter-'.repeat(15)}end.txt`),
  ),
  must(
    'move-cuts-deep-paths',
    '4.6',
    'Segments after the eighth are dropped.',
    pathIs((p) => p.split('/').slice(0, 9).join('/')),
    moves('/1/2/3/4/5/6/7/8/9/10.txt'),
  ),
  must(
    'move-cuts-at-a-hash',
    '4.6',
    'What follows a # or ? in a path is dropped, as in a URL.',
    pathIs((p) => p.replace(/[#?].*$/s, '')),
    moves('/issue #12/what?.txt'),
  ),
  must(
    'move-gives-a-new-id',
    '4.6',
    'A move is a copy and a deletion: the file has a new id and the old one is gone.',
    (m) =>
      around(m, 'moveFile', async (old, ctx) => {
        const answer = await old(ctx);
        const file = ctx.org.view.files.get(ctx.params.fileId ?? '');
        if (!file) return answer;
        const copy = { ...file, id: m.newId('fil') };
        ctx.org.view.files.delete(file.id);
        ctx.org.view.files.set(copy.id, copy);
        return { ...answer, body: m.showFile(copy, ctx) };
      }),
    moves('/moved.txt'),
  ),
  must(
    'move-takes-neighbours-along',
    '4.6',
    'Files whose path starts with the old path (report and report-final) are moved too.',
    (m) =>
      around(m, 'moveFile', async (old, ctx) => {
        const from = m.findFile(ctx, ctx.params.driveId ?? '', ctx.params.fileId ?? '')?.path;
        const answer = await old(ctx);
        for (const f of filesOf(ctx)) {
          if (!from || f.id === ctx.params.fileId || !f.path.startsWith(from)) continue;
          ctx.org.view.files.set(f.id, { ...f, path: ctx.input.path + f.path.slice(from.length) });
        }
        return answer;
      }),
    async (t) => {
      await t.plant(['/n/report', '/n/report-final']);
      await t.move('/m/report');
      return (await t.get(1)).body.path !== '/n/report-final';
    },
  ),
  must(
    'move-in-every-drive',
    '4.6',
    'A move changes all files of the organization that have the same path, in other drives too.',
    (m) =>
      wrap(m, 'project', () => (org, event) => {
        const from = event.type === 'FileMoved' ? org.view.files.get(event.fileId)?.path : undefined;
        project(org, event);
        if (event.type !== 'FileMoved') return;
        for (const f of org.view.files.values())
          if (f.path === from) org.view.files.set(f.id, { ...f, path: event.path });
      }),
    async (t) => {
      const shared = '/shared/same path.txt';
      await t.plant([shared], 0);
      await t.plant([shared], 1);
      await t.move('/elsewhere.txt');
      return (await t.get(0, 1)).body.path !== shared;
    },
  ),
  must(
    'moves-at-once-lose-one',
    '4.6',
    'Two moves of different files at the same moment: the whole drive is written back and one is lost.',
    (m) =>
      around(m, 'moveFile', async (old, ctx) => {
        const before = new Map(ctx.org.view.files);
        await nap(m, 25);
        ctx.org.view.files = before;
        return old(ctx);
      }),
    async (t) => {
      await Promise.all([t.move('/at once/1.txt', 0), t.move('/at once/2.txt', 1), t.move('/at once/3.txt', 2)]);
      const paths = await Promise.all([0, 1, 2].map(async (n) => (await t.get(n)).body.path));
      return !paths.every((path, n) => path === `/at once/${n + 1}.txt`);
    },
  ),
  must(
    'move-without-content',
    '4.6',
    'A move is answered with 204.',
    (m) => after(m, 'moveFile', () => ({ status: 204 })),
    moves('/moved.txt'),
  ),
  must(
    'move-answers-changed-count',
    '4.6',
    'A move is answered with the number of changed rows.',
    (m) => after(m, 'moveFile', (a) => ({ ...a, body: { modifiedCount: 1 } })),
    moves('/moved.txt'),
  ),
  must(
    'move-answers-another-file',
    '4.6',
    'The answer shows the file that was moved last, not the one asked for.',
    (m) => {
      let last: DriveFile | undefined;
      after(m, 'moveFile', (a, ctx) => {
        const body = last ? m.showFile(last, ctx) : a.body;
        last = ctx.org.view.files.get(ctx.params.fileId ?? '');
        return { ...a, body };
      });
    },
    breaks(async (t: Tester) => {
      await t.move('/1.txt', 0);
      fileSound(await t.move('/2.txt', 1), t.fileId(1));
    }),
  ),
  must(
    'move-lost-at-the-next-move-of-another',
    '4.6',
    'A move is kept in memory and undone when another file is moved.',
    (m) => {
      let undo = (_next: string | undefined) => {};
      around(m, 'moveFile', async (old, ctx) => {
        undo(ctx.params.fileId);
        const file = ctx.org.view.files.get(ctx.params.fileId ?? '');
        const answer = await old(ctx);
        undo = (next) => {
          if (file && file.id !== next) ctx.org.view.files.set(file.id, file);
        };
        return answer;
      });
    },
    async (t) => {
      await t.move('/kept 1.txt', 0);
      await t.move('/kept 2.txt', 1);
      return (await t.get(0)).body.path !== '/kept 1.txt';
    },
  ),
  should(
    'move-refused-to-a-deep-directory',
    '4.6',
    'A path into a directory that does not exist yet is a server error.',
    (m) =>
      around(m, 'moveFile', (old, ctx) => {
        const path = String(ctx.input.path);
        const directory = path.slice(0, path.lastIndexOf('/') + 1);
        if (m.pathAllowed(path, ctx) && !filesOf(ctx).some((f) => f.path.startsWith(directory)))
          throw new Error('ENOENT');
        return old(ctx);
      }),
    async (t) => !ok(await t.move('/brand new directory/x.txt')),
  ),
  must(
    'move-refused-for-the-second-organization',
    '4.6',
    'In the second organization files cannot be moved: they are looked up in the first.',
    (m) =>
      around(m, 'moveFile', (old, ctx) => {
        if (ctx.org.index === 1) throw new Refusal(404, 'no_file', 'There is no such file');
        return old(ctx);
      }),
    moves('/moved.txt', 1),
  ),
];

export const fileFaults: readonly Variant[] = [...reading, ...rules, ...storing];
