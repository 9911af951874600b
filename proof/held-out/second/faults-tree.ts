import { breaks, deleting, deletionSound } from './checks.ts';
import { pathAllowed } from './machine.ts';
import type { Answer, Ctx, DriveFile, Machine } from './model.ts';
import { nap } from './server.ts';
import type { Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { after, around, must, wrap } from './variant.ts';

const S = '4.7';
const trim = (tree: string) => tree.replace(/\/+$/, '');
const below = (change: (tree: string, file: string) => boolean) => (m: Machine) => wrap(m, 'below', () => change);
const removing = (keep: (files: DriveFile[], ctx: Ctx, tree: string) => DriveFile[]) => (m: Machine) =>
  wrap(m, 'doomed', (old) => (ctx, tree) => keep(old(ctx, tree), ctx, tree));
const tree = (change: (tree: string, ctx: Ctx) => string) => (m: Machine) =>
  wrap(m, 'treeOf', (old) => (ctx) => {
    const value = old(ctx);
    return value === null ? null : change(value, ctx);
  });
const deletes = (paths: readonly string[], from: string): Demo => breaks((t) => deleting(t, paths, from));
/** The tree as a pattern in which `sign` stands for `meaning`. */
const pattern = (tree: string, sign: string, meaning: string): RegExp => {
  const parts = trim(tree)
    .split(sign)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join(meaning)}/`, 's');
};
const startsIn = (tree: string, file: string) => file.startsWith(`${trim(tree)}/`);
const accepts =
  (path: string, drive = 0): Demo =>
  async (t) =>
    ok(await t.del(path, drive));
const rule = (allowed: (path: string) => boolean) => (m: Machine) =>
  wrap(
    m,
    'pathAllowed',
    (old) => (path, ctx) => (ctx.op === 'deleteTree' ? typeof path === 'string' && allowed(path) : old(path, ctx)),
  );

const tooMuch: Variant[] = [
  must(
    'tree-by-plain-prefix',
    S,
    'Every path that starts with the text of the tree is deleted: /reports takes /reports-old along.',
    below((t, f) => f.startsWith(trim(t))),
    deletes(['/x/reports/a', '/x/reports-old/b'], '/x/reports'),
  ),
  must(
    'tree-with-like-underscore',
    S,
    'An underscore in the path stands for any character.',
    below((t, f) => pattern(t, '_', '.').test(f)),
    deletes(['/p_q/a', '/pXq/b'], '/p_q'),
  ),
  must(
    'tree-with-like-percent',
    S,
    'A percent sign in the path stands for any characters.',
    below((t, f) => pattern(t, '%', '.*').test(f)),
    deletes(['/5%/a', '/500 of them/b'], '/5%'),
  ),
  must(
    'tree-with-dot-as-pattern',
    S,
    'A dot in the path stands for any character (the path is put into a regular expression).',
    below((t, f) => pattern(t, '.', '.').test(f)),
    deletes(['/data.v2/a', '/data-v2/b'], '/data.v2'),
  ),
  must(
    'tree-in-any-letter-case',
    S,
    'The collation ignores case: /reports takes /Reports along.',
    below((t, f) => startsIn(t.toLowerCase(), f.toLowerCase())),
    deletes(['/reports/a', '/Reports/b'], '/reports'),
  ),
  must(
    'tree-in-any-accent',
    S,
    'The collation ignores accents: /grosse takes /größe along, and /resume takes /résumé.',
    below((t, f) => startsIn(bare(t), bare(f))),
    deletes(['/resume/a', '/résumé/b'], '/resume'),
  ),
  must(
    'tree-anywhere-in-the-path',
    S,
    'The tree is looked for anywhere in a path, so /archive takes /old/archive along.',
    below((t, f) => f.includes(`${trim(t)}/`)),
    deletes(['/archive/a', '/old/archive/b'], '/archive'),
  ),
  must(
    'tree-with-sibling-files',
    S,
    'The parent of the tree is deleted with everything in it.',
    below((t, f) => startsIn(trim(t).replace(/(.)\/[^/]*$/, '$1'), f)),
    deletes(['/up/down/a', '/up/b'], '/up/down'),
  ),
  must(
    'tree-by-first-segment',
    S,
    'Only the first segment of the path counts.',
    below((t, f) => t.split('/')[1] === f.split('/')[1] || startsIn(t, f)),
    deletes(['/one/two/a', '/one/three/b'], '/one/two'),
  ),
  must(
    'tree-cut-at-ten',
    S,
    'The path is cut at ten characters.',
    below((t, f) => f.startsWith(trim(t).length > 10 ? t.slice(0, 10) : `${trim(t)}/`)),
    deletes(['/accounting-2024/a', '/accounting-2025/b'], '/accounting-2024'),
  ),
  must(
    'tree-in-all-drives',
    S,
    'The tree is deleted in every drive of the organization.',
    removing((_files, ctx, t) => [...ctx.org.view.files.values()].filter((f) => startsIn(t, f.path))),
    async (t) => {
      await t.plant(['/both/a'], 0);
      await t.plant(['/both/a'], 1);
      await t.del('/both');
      return !ok(await t.get(0, 1));
    },
  ),
  must(
    'tree-in-all-organizations',
    S,
    'The tree is deleted in the drives of other organizations too.',
    (m) =>
      around(m, 'deleteTree', async (old, ctx) => {
        const answer = await old(ctx);
        for (const org of m.orgs)
          for (const f of org.view.files.values())
            if (org !== ctx.org && startsIn(m.treeOf(ctx) ?? '-', f.path)) org.view.files.delete(f.id);
        return answer;
      }),
    async (t) => {
      await t.plant(['/both/a'], 0, 0);
      await t.plant(['/both/a'], 0, 1);
      await t.del('/both');
      return !ok(await t.get(0, 0, 1));
    },
  ),
  must(
    'tree-empty-path-is-everything',
    S,
    'An empty path deletes the whole drive.',
    rule((p) => p === '' || pathAllowed(p)),
    async (t) => {
      await t.del('');
      return !ok(await t.get());
    },
  ),
  must(
    'tree-with-plus-as-blank',
    S,
    'A plus sign in the path (%2B in the query) is decoded once more, to a blank.',
    tree((t) => t.replaceAll('+', ' ')),
    deletes(['/R+D/a', '/R D/b'], '/R+D'),
  ),
  must(
    'tree-decoded-twice',
    S,
    'The path is percent-decoded twice: /50%25 names another directory.',
    tree((t) => decodeAgain(t)),
    deletes(['/a%20b/a', '/a b/b'], '/a%20b'),
  ),
  must(
    'tree-trimmed-inside',
    S,
    'Blanks in the path are ignored.',
    below((t, f) => startsIn(t.replaceAll(' ', ''), f.replaceAll(' ', ''))),
    deletes(['/team notes/a', '/teamnotes/b'], '/team notes'),
  ),
  must(
    'tree-by-paths-of-before',
    S,
    'The index of directories is not kept when files move: a file moved out is deleted with its old tree.',
    (m) => {
      const first = new Map<string, string>();
      wrap(m, 'project', (old) => (org, event) => {
        const file = event.type === 'FileMoved' ? org.view.files.get(event.fileId) : undefined;
        if (file) first.set(file.id, file.path);
        old(org, event);
      });
      removing((files, ctx, t) => {
        const all = [...ctx.org.view.files.values()].filter((f) => f.driveId === ctx.params.driveId);
        const stale = all.filter((f) => startsIn(t, first.get(f.id) ?? '-'));
        return [...new Set([...files, ...stale])];
      })(m);
    },
    async (t) => {
      await t.plant(['/leaving/a', '/leaving/b']);
      await t.move('/safe/a');
      await t.del('/leaving');
      return !ok(await t.get());
    },
  ),
  must(
    'tree-unknown-is-everything',
    S,
    'For a directory that does not exist the filter is left out and the whole drive is emptied.',
    removing((files, ctx) =>
      files.length ? files : [...ctx.org.view.files.values()].filter((f) => f.driveId === ctx.params.driveId),
    ),
    async (t) => {
      await t.del('/there is nothing here');
      return !ok(await t.get());
    },
  ),
  must(
    'tree-again-takes-the-newest',
    S,
    'A second deletion of the same tree, which is empty now, takes the newest files of the drive.',
    (m) => {
      const seen = new Set<string>();
      removing((files, ctx, t) => {
        const again = seen.has(t);
        seen.add(t);
        const all = [...ctx.org.view.files.values()].filter((f) => f.driveId === ctx.params.driveId);
        return again && !files.length ? all.slice(-2) : files;
      })(m);
    },
    async (t) => {
      await t.plant(['/twice/a']);
      await t.del('/twice');
      const before = (await t.files()).length;
      await t.del('/twice');
      return (await t.files()).length < before;
    },
  ),
  must(
    'tree-takes-the-drive',
    S,
    'When a tree is deleted the drive disappears from the list of drives.',
    (m) =>
      after(m, 'deleteTree', (a, ctx) => {
        ctx.org.view.drives.delete(ctx.params.driveId ?? '');
        return a;
      }),
    async (t) => {
      await t.del('/inbox', 1);
      return !(await t.drives()).some((drive) => drive.id === t.driveId(1));
    },
  ),
];

const tooLittle: Variant[] = [
  must(
    'tree-not-deleted',
    S,
    'The job is answered but never run.',
    (m) => wrap(m, 'remove', () => () => {}),
    deletes(['/t/a'], '/t'),
  ),
  must(
    'tree-direct-children-only',
    S,
    'Only files directly in the directory are deleted.',
    removing((files, _c, t) => files.filter((f) => !f.path.slice(trim(t).length + 1).includes('/'))),
    deletes(['/t/a', '/t/u/b'], '/t'),
  ),
  must(
    'tree-three-levels-only',
    S,
    'Files more than three levels below the directory stay.',
    removing((files, _c, t) => files.filter((f) => f.path.slice(trim(t).length + 1).split('/').length < 4)),
    deletes(['/t/a', '/t/u/v/b', '/t/u/v/w/c', '/t/u/v/w/x/d'], '/t'),
  ),
  must(
    'tree-without-direct-children',
    S,
    'Only sub-directories are deleted; files directly in the directory stay.',
    removing((files, _c, t) => files.filter((f) => f.path.slice(trim(t).length + 1).includes('/'))),
    deletes(['/t/a', '/t/u/b'], '/t'),
  ),
  must(
    'tree-keeps-files-in-processing',
    S,
    'Files that are being processed are skipped and stay.',
    removing((files) => files.filter((f) => f.status !== 'processing')),
    deletes(['/t/a', '/t/b', '/t/c', '/t/d'], '/t'),
  ),
  must(
    'tree-keeps-failed-files',
    S,
    'Files whose processing failed stay.',
    removing((files) => files.filter((f) => f.status !== 'error')),
    deletes(['/t/a', '/t/b', '/t/c', '/t/d'], '/t'),
  ),
  must(
    'tree-in-batches-of-five',
    S,
    'Only the first batch of five files is deleted.',
    removing((files) => files.slice(0, 5)),
    deletes(['/t/1', '/t/2', '/t/3', '/t/4', '/t/5', '/t/6', '/t/7'], '/t'),
  ),
  must(
    'tree-without-the-last',
    S,
    'The last file of the tree stays (a loop that ends too early).',
    removing((files) => (files.length > 1 ? files.slice(0, -1) : files)),
    deletes(['/t/1', '/t/2', '/t/3'], '/t'),
  ),
  must(
    'tree-stops-at-the-first-failed-file',
    S,
    'The deletion stops at the first file with status error.',
    removing((files) => {
      const end = files.findIndex((f) => f.status === 'error');
      return end < 0 ? files : files.slice(0, end);
    }),
    deletes(['/t/1', '/t/2', '/t/3', '/t/4', '/t/5'], '/t'),
  ),
  must(
    'tree-without-moved-files',
    S,
    'Files that were moved into the tree are not known to the index and stay.',
    removing((files) => files.filter((f) => f.modifiedAt < '2025')),
    deletes(['/t/a'], '/t'),
  ),
  must(
    'tree-with-blanks-not-found',
    S,
    'A directory with a blank in its name is not found (compared percent-encoded).',
    tree((t) => t.replaceAll(' ', '%20')),
    deletes(['/two words/a'], '/two words'),
  ),
  must(
    'tree-with-non-ascii-not-found',
    S,
    'A directory with letters outside ASCII is not found (read as Latin-1).',
    tree((t) => Buffer.from(t).toString('latin1')),
    deletes(['/Übersicht/a'], '/Übersicht'),
  ),
  must(
    'tree-with-capitals-not-found',
    S,
    'The path is turned into small letters first, so directories with capitals are never found.',
    tree((t) => t.toLowerCase()),
    deletes(['/Board Papers/a'], '/Board Papers'),
  ),
  must(
    'tree-with-dots-not-found',
    S,
    'A directory with a dot in its name is taken for a file and nothing is deleted.',
    removing((files, _c, t) => (/\.[^/]+$/.test(t) ? [] : files)),
    deletes(['/release.v2/a'], '/release.v2'),
  ),
  must(
    'tree-with-ampersand-cut',
    S,
    'The path ends at an encoded ampersand, so the directory is not found.',
    tree((t) => t.replace(/&.*$/, '')),
    deletes(['/R&D/a'], '/R&D'),
  ),
  must(
    'tree-deeper-than-four-not-found',
    S,
    'A directory on the fifth level or below cannot be deleted.',
    removing((files, _c, t) => (t.split('/').length > 5 ? [] : files)),
    deletes(['/1/2/3/4/5/6/a'], '/1/2/3/4/5/6'),
  ),
  must(
    'tree-in-the-first-drive-only',
    S,
    'The deletion job looks for the tree in the first drive, whichever drive is named.',
    removing((files, ctx) => (ctx.params.driveId === [...ctx.org.view.drives.keys()][0] ? files : [])),
    async (t) => {
      await t.plant(['/t/a'], 1);
      await t.del('/t', 1);
      return ok(await t.get(0, 1));
    },
  ),
  must(
    'tree-of-second-organization-stays',
    S,
    'The job runs as the first organization, so nothing is deleted for the second one.',
    (m) => wrap(m, 'remove', (old) => (org, files, ctx) => (org.index === 0 ? old(org, files, ctx) : undefined)),
    async (t) => {
      await t.plant(['/t/a'], 0, 1);
      await t.del('/t', 0, 1);
      return ok(await t.get(0, 0, 1));
    },
  ),
  must(
    'tree-second-deletion-lost',
    S,
    'A drive runs one deletion job in its life; later ones are answered and dropped.',
    (m) => {
      const done = new Set<string>();
      wrap(m, 'remove', (old) => (org, files, ctx) => {
        if (!done.has(ctx.params.driveId ?? '')) old(org, files, ctx);
        done.add(ctx.params.driveId ?? '');
      });
    },
    async (t) => {
      await t.plant(['/t/a', '/u/b']);
      await t.del('/t');
      await t.del('/u');
      return ok(await t.get(1));
    },
  ),
  must(
    'tree-deletions-at-once-lose-one',
    S,
    'Two deletions in one drive at the same moment: the file list is written back and one is undone.',
    (m) =>
      around(m, 'deleteTree', async (old, ctx) => {
        const before = new Map(ctx.org.view.files);
        await nap(m, 25);
        ctx.org.view.files = before;
        return old(ctx);
      }),
    async (t) => {
      await t.plant(['/t/a', '/u/b', '/v/c']);
      await Promise.all([t.del('/t'), t.del('/u'), t.del('/v')]);
      return (await Promise.all([t.get(0), t.get(1), t.get(2)])).some(ok);
    },
  ),
  must(
    'tree-still-read-from-a-cache',
    S,
    'A file that was read before stays readable after its deletion, for good.',
    (m) => {
      const cache = new Map<string, Answer>();
      around(m, 'getFile', async (old, ctx) => {
        const key = `${ctx.org.id} ${ctx.path}`;
        const kept = cache.get(key);
        if (kept && !m.findFile(ctx, ctx.params.driveId ?? '', ctx.params.fileId ?? '')) return kept;
        const answer = await old(ctx);
        cache.set(key, answer);
        return answer;
      });
    },
    async (t) => {
      await t.plant(['/t/a']);
      await t.get();
      await t.del('/t');
      return ok(await t.get());
    },
  ),
  must(
    'tree-comes-back-with-a-move',
    S,
    'The move of any file of the drive brings deleted files back (soft deletes that are saved over).',
    (m) => {
      const gone: DriveFile[] = [];
      wrap(m, 'remove', (old) => (org, files, ctx) => {
        gone.push(...files);
        old(org, files, ctx);
      });
      after(m, 'moveFile', (a, ctx) => {
        for (const f of gone) if (f.driveId === ctx.params.driveId) ctx.org.view.files.set(f.id, f);
        return a;
      });
    },
    async (t) => {
      await t.plant(['/t/a', '/u/b']);
      await t.del('/t');
      await t.move('/u/c', 1);
      return ok(await t.get(0));
    },
  ),
  must(
    'tree-comes-back-with-a-new-drive',
    S,
    'The creation of a drive replays the log without its deletions.',
    (m) => {
      const gone: DriveFile[] = [];
      wrap(m, 'remove', (old) => (org, files, ctx) => {
        gone.push(...files);
        old(org, files, ctx);
      });
      after(m, 'createDrive', (a, ctx) => {
        for (const f of gone) if (ctx.org.view.drives.has(f.driveId)) ctx.org.view.files.set(f.id, f);
        return a;
      });
    },
    async (t) => {
      await t.plant(['/t/a']);
      await t.del('/t');
      await t.newDrive('Another one');
      return ok(await t.get(0));
    },
  ),
  must(
    'tree-deleted-file-can-be-moved',
    S,
    'A deleted file can still be moved, which brings it back.',
    (m) => {
      const gone = new Map<string, DriveFile>();
      wrap(m, 'remove', (old) => (org, files, ctx) => {
        for (const f of files) gone.set(f.id, f);
        old(org, files, ctx);
      });
      around(m, 'moveFile', (old, ctx) => {
        const file = gone.get(ctx.params.fileId ?? '');
        if (file && !ctx.org.view.files.has(file.id)) ctx.org.view.files.set(file.id, file);
        return old(ctx);
      });
    },
    async (t) => {
      await t.plant(['/t/a']);
      await t.del('/t');
      return ok(await t.move('/back/a')) && ok(await t.get());
    },
  ),
  must(
    'tree-deletion-needs-two-calls',
    S,
    'The first call of a deletion only counts; the second one with the same path deletes.',
    (m) => {
      const asked = new Set<string>();
      wrap(m, 'remove', (old) => (org, files, ctx) => {
        const key = `${ctx.params.driveId} ${m.treeOf(ctx)}`;
        if (asked.has(key)) old(org, files, ctx);
        asked.add(key);
      });
    },
    deletes(['/t/a'], '/t'),
  ),
  must(
    'tree-large-ones-only-counted',
    S,
    'Trees of more than eight files are counted, but the job fails silently.',
    (m) => wrap(m, 'remove', (old) => (org, files, ctx) => (files.length > 8 ? undefined : old(org, files, ctx))),
    deletes(
      Array.from({ length: 10 }, (_, n) => `/large/${n}`),
      '/large',
    ),
  ),
];

const ruled: Variant[] = [
  must(
    'tree-by-the-pattern-alone',
    S,
    'Only the printed pattern is applied, so /../x is accepted.',
    rule((p) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(p)),
    accepts('/../x'),
  ),
  must(
    'tree-with-dots-at-the-end',
    S,
    'A .. segment at the end of the path is not seen.',
    rule((p) => p.startsWith('/') && !p.includes('/../')),
    accepts('/reports/..'),
  ),
  must(
    'tree-path-not-checked',
    S,
    'The path rule is applied to moves only.',
    rule(() => true),
    accepts('/reports/../inbox'),
  ),
  must(
    'tree-without-first-slash',
    S,
    'A tree whose path has no first slash is deleted with success.',
    (m) => {
      rule((p) => p !== '' && !p.split('/').includes('..'))(m);
      tree((t) => t)(m);
    },
    accepts('reports/2024'),
  ),
  must(
    'tree-checked-before-decoding',
    S,
    'The rule is applied to the text of the query before it is decoded, so %2e%2e gets through.',
    (m) =>
      wrap(m, 'pathAllowed', (old) => (p, ctx) => {
        if (ctx.op !== 'deleteTree') return old(p, ctx);
        const raw = ctx.rawQuery.split('&').find((part) => part.startsWith(`${m.treeParam}=`)) ?? '';
        const text = raw.slice(m.treeParam.length + 1).replaceAll(/%2f/gi, '/');
        return old(text, ctx);
      }),
    async (t) =>
      ok(await t.call('DELETE', `/drives/${t.driveId()}/items/tree?${t.facts.treePathParameter}=/a/%2e%2e/b`)),
  ),
  must(
    'tree-resolves-dots',
    S,
    'A path with .. segments is resolved and the resulting tree deleted.',
    tree((t) => (t.startsWith('/') ? decodeAgain(new URL(`http://x${encodeURI(t)}`).pathname) : t)),
    async (t) => {
      await t.plant(['/resolved/a']);
      await t.del('/other/../resolved');
      return !ok(await t.get());
    },
  ),
  must(
    'tree-refused-but-deleted',
    S,
    'A path without the first slash is answered with 422, but the tree is deleted.',
    (m) =>
      around(m, 'deleteTree', (old, ctx) => {
        const t = m.treeOf(ctx) ?? '/';
        if (!t.startsWith('/') && t !== '') m.remove(ctx.org, m.doomed(ctx, `/${t}`), ctx);
        return old(ctx);
      }),
    async (t) => {
      await t.plant(['/kept/a']);
      await t.del('kept');
      return !ok(await t.get());
    },
  ),
  must(
    'tree-unchecked-in-empty-directories',
    S,
    'The path is checked only when it matches files, so /a/../b succeeds.',
    (m) =>
      wrap(
        m,
        'pathAllowed',
        (old) => (p, ctx) =>
          (ctx.op === 'deleteTree' && String(p).startsWith('/') && m.doomed(ctx, String(p)).length === 0) ||
          old(p, ctx),
      ),
    accepts('/nothing/../here'),
  ),
];

const answered = (change: (body: any, ctx: Ctx) => any) => (m: Machine) =>
  after(m, 'deleteTree', (a, ctx) => ({ ...a, body: change(a.body, ctx) }));
const answers =
  (path: string): Demo =>
  (t: Tester) =>
    breaks(async () => deletionSound(await t.del(path)))(t);

const answersOf: Variant[] = [
  must(
    'tree-count-as-text',
    S,
    'documentCount is a text.',
    answered((b) => ({ ...b, documentCount: String(b.documentCount) })),
    answers('/reports'),
  ),
  must(
    'tree-count-null-when-empty',
    S,
    'documentCount is null when there is nothing to delete.',
    answered((b) => ({ ...b, documentCount: b.documentCount || null })),
    answers('/nothing there'),
  ),
  must(
    'tree-count-missing',
    S,
    'The answer has no documentCount.',
    answered(({ documentCount: _c, ...b }) => b),
    answers('/reports'),
  ),
  must(
    'tree-count-as-list',
    S,
    'documentCount is the list of the deleted ids.',
    answered((b) => ({ ...b, documentCount: [b.jobId] })),
    answers('/reports'),
  ),
  must(
    'tree-job-as-number',
    S,
    'jobId is a number.',
    answered((b) => ({ ...b, jobId: 4711 })),
    answers('/reports'),
  ),
  must(
    'tree-job-null-when-empty',
    S,
    'jobId is null when there is nothing to delete.',
    answered((b) => ({ ...b, jobId: b.documentCount ? b.jobId : null })),
    answers('/nothing there'),
  ),
  must(
    'tree-job-missing',
    S,
    'The answer has job with an id in place of jobId.',
    answered(({ jobId, ...b }) => ({ ...b, job: { id: jobId } })),
    answers('/reports'),
  ),
  must(
    'tree-message-missing',
    S,
    'The answer has no message.',
    answered(({ message: _m, ...b }) => b),
    answers('/reports'),
  ),
  must(
    'tree-message-as-list',
    S,
    'message is a list of texts, one for each deleted directory.',
    answered((b) => ({ ...b, message: [b.message] })),
    answers('/reports'),
  ),
  must(
    'tree-deleted-without-content',
    S,
    'A deletion is answered with 204.',
    (m) => after(m, 'deleteTree', () => ({ status: 204 })),
    answers('/reports'),
  ),
  must(
    'tree-answer-is-true',
    S,
    'A deletion is answered with the JSON value true.',
    answered(() => true),
    breaks(async (t) => deletionSound(await t.del('/reports'))),
  ),
];

function bare(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

function decodeAgain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const treeFaults: readonly Variant[] = [...tooMuch, ...tooLittle, ...ruled, ...answersOf];
