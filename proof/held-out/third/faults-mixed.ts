// Faults that need two conditions at once, and plain single faults.

import type { Ask, Lab, Operation, Variant } from './engine.ts';
import { no, sleep, yes } from './engine.ts';
import type { Line } from './journal.ts';
import type { Item } from './variant.ts';
import { good, itemsOf, makers, resourcesOf } from './variant.ts';

const mix = makers('combination'),
  plain = makers('single');
const must = mix.must,
  should = mix.should;
const segments = (path: unknown): string[] => (typeof path === 'string' ? path.split('/') : []);
const passes =
  (when: (path: string, ask: Ask, lab: Lab) => boolean): Variant =>
  (lab) => ({ rule: (path, ask, next) => next() || (typeof path === 'string' && when(path, ask, lab)) });
const tree = (ask: Ask, lab: Lab): string => ask.query.get(lab.settings.treeParameter) ?? '';
// Changes which files a deletion takes.
const takes =
  (choose: (path: string, line: Line, ask: Ask, lab: Lab, chosen: boolean) => boolean): Variant =>
  (lab) => ({
    note: (line, ask) =>
      line.type === 'files-deleted'
        ? {
            ...line,
            fileIds: lab
              .picture()
              .files.filter(
                (row) =>
                  row.driveId === line.driveId &&
                  choose(row.item.path, line, ask, lab, line.fileIds.includes(row.item.id)),
              )
              .map((row) => row.item.id),
          }
        : line,
  });
const drop =
  (type: Line['type'], when: (line: any, ask: Ask, lab: Lab) => boolean): Variant =>
  (lab) => ({ note: (line, ask) => (line.type === type && when(line, ask, lab) ? null : line) });
const breaks =
  (op: Operation, when: (ask: Ask, lab: Lab) => boolean): Variant =>
  (lab) => ({ act: (ask, next) => (ask.op === op && when(ask, lab) ? no(500, 'out of order') : next()) });
const second = (lab: Lab, ask: Ask): boolean => ask.org === lab.organizations[1]!.id;
const change =
  (ops: Operation[], work: (item: any, ask: Ask, lab: Lab) => void): Variant =>
  (lab) => ({
    tell(reply, ask) {
      if (reply.ok && ask.op && ops.includes(ask.op)) for (const item of resourcesOf(reply, ask)) work(item, ask, lab);
    },
  });
const inside =
  (op: Operation, work: (body: any, ask: Ask, lab: Lab) => void): Variant =>
  (lab) => ({
    tell(reply, ask) {
      const body = good(reply, ask, op);
      if (body) work(body, ask, lab);
    },
  });

export const mixedFaults: readonly Item[] = [
  must(
    'dots-at-the-beginning-are-honoured-in-moves',
    '4.6',
    'A move to a path that begins with `/../` is honoured, as the pattern alone would allow.',
    passes(
      (path, ask) => ask.op === 'files.move' && segments(path)[1] === '..' && !segments(path).slice(2).includes('..'),
    ),
  ),
  must(
    'dots-at-the-end-are-honoured-in-moves',
    '4.6',
    'A move to a path that ends with `/..` is honoured.',
    passes((path, ask) => ask.op === 'files.move' && path.startsWith('/') && path.endsWith('/..') && path.length > 3),
  ),
  must(
    'dots-in-the-middle-are-honoured-with-a-bearer-key',
    '4.6',
    'With the Authorization header a move to a path with a `..` segment in the middle is honoured.',
    passes((path, ask) => ask.op === 'files.move' && ask.via === 'bearer' && path.startsWith('/')),
  ),
  must(
    'second-dots-after-a-harmless-name-are-honoured',
    '4.6',
    'A path with a `..` segment is honoured when a segment with dots in its name comes first.',
    passes((path) => path.startsWith('/') && /\/[^/]+\.\.[^/]+\/.*\.\./.test(path)),
  ),
  must(
    'lone-dots-delete-the-whole-drive',
    '4.7',
    'The deletion path `/..` is honoured and deletes all files of the drive.',
    (lab) => ({
      rule: (path, ask, next) => next() || (ask.op === 'tree.delete' && path === '/..'),
      note: (line, ask) =>
        line.type === 'files-deleted' && tree(ask, lab) === '/..'
          ? {
              ...line,
              fileIds: lab
                .picture()
                .files.filter((row) => row.driveId === line.driveId)
                .map((row) => row.item.id),
            }
          : line,
    }),
  ),
  must(
    'encoded-dots-are-honoured-in-deletions',
    '4.7',
    'A deletion path whose dots are percent-encoded in the address is honoured.',
    passes((path, ask) => ask.op === 'tree.delete' && path.startsWith('/') && /%2e%2e/i.test(ask.rawQuery)),
  ),
  must(
    'relative-path-is-honoured-for-the-second-organization',
    '4.6',
    'For the second organization a move to a path without a slash at the beginning is honoured.',
    passes((path, ask, lab) => ask.op === 'files.move' && second(lab, ask) && path !== '' && !path.startsWith('/')),
  ),
  must(
    'relative-path-is-honoured-in-deletions',
    '4.7',
    'A deletion path without a slash at the beginning is honoured.',
    (lab) => ({
      rule: (path, ask, next) =>
        next() || (ask.op === 'tree.delete' && typeof path === 'string' && /^[a-z]/.test(path)),
      note: (line, ask) =>
        line.type === 'files-deleted' && /^[a-z]/.test(tree(ask, lab))
          ? {
              ...line,
              fileIds: lab
                .picture()
                .files.filter((row) => row.driveId === line.driveId && row.item.path.startsWith(`/${tree(ask, lab)}/`))
                .map((row) => row.item.id),
            }
          : line,
    }),
  ),
  must(
    'unknown-directory-deletes-what-begins-alike',
    '4.7',
    'Deleting a directory that does not exist deletes files whose paths begin with its name.',
    takes((path, line, ask, lab, chosen) =>
      line.type === 'files-deleted' && line.fileIds.length ? chosen : path.startsWith(tree(ask, lab)),
    ),
  ),
  must(
    'slash-at-the-end-deletes-what-begins-alike',
    '4.7',
    'A deletion path with a slash at its end also deletes directories whose names begin alike.',
    takes(
      (path, _line, ask, lab, chosen) =>
        chosen || (/.\/$/.test(tree(ask, lab)) && path.startsWith(tree(ask, lab).slice(0, -1))),
    ),
  ),
  must(
    'deletion-takes-the-file-with-the-same-stem',
    '4.7',
    'Deleting a directory also deletes the file beside it that has the same name and an ending.',
    takes((path, _line, ask, lab, chosen) => chosen || path.startsWith(`${tree(ask, lab)}.`)),
  ),
  must(
    'deletion-matches-anywhere-in-the-path',
    '4.7',
    'Deleting a directory in the root also deletes directories of the same name deeper down.',
    takes(
      (path, _line, ask, lab, chosen) => chosen || (tree(ask, lab).length > 1 && path.includes(`${tree(ask, lab)}/`)),
    ),
  ),
  must(
    'nested-deletion-takes-the-parent',
    '4.7',
    'Deleting a directory of the third level deletes the directory that holds it.',
    takes((path, _line, ask, lab, chosen) => {
      const all = tree(ask, lab).split('/').filter(Boolean);
      return chosen || (all.length >= 3 && path.startsWith(`/${all.slice(0, -1).join('/')}/`));
    }),
  ),
  must(
    'root-deletion-spares-moved-files',
    '4.7',
    'Deleting the root of a drive spares files that were moved before.',
    takes(
      (_path, line, ask, lab, chosen) =>
        chosen &&
        !(
          tree(ask, lab) === '/' &&
          lab.journal.some(
            (one) =>
              one.type === 'file-moved' &&
              one.org === line.org &&
              lab.picture().files.some((row) => row.item.id === one.fileId && row.item.path === _path),
          )
        ),
    ),
  ),
  must(
    'deletion-with-bearer-key-is-lost',
    '4.7',
    'A tree deletion with the Authorization header is acknowledged and never happens.',
    drop('files-deleted', (_line, ask) => ask.via === 'bearer'),
  ),
  must(
    'deletion-in-the-second-drive-is-lost',
    '4.7',
    'A tree deletion in any drive but the first of an organization is acknowledged and never happens.',
    drop(
      'files-deleted',
      (line, ask, lab) => lab.picture().drives.find((row) => row.org === ask.org)?.item.id !== line.driveId,
    ),
  ),
  must(
    'move-to-a-deep-path-breaks',
    '4.6',
    'A move to a path of more than four directories is answered with 500.',
    breaks('files.move', (ask) => segments(ask.body?.path).length > 5 && !segments(ask.body?.path).includes('..')),
  ),
  must(
    'move-out-of-the-root-loses-the-file',
    '4.6',
    'A file that lies in the root of the drive cannot be read any more after a move.',
    () => ({
      see: (lines) => {
        const gone = lines.flatMap((line) =>
          line.type === 'file-moved' &&
          lines.some(
            (one) => one.type === 'file-known' && one.file.id === line.fileId && one.file.path.split('/').length === 2,
          )
            ? [line.fileId]
            : [],
        );
        return lines.filter((line) => !(line.type === 'file-known' && gone.includes(line.file.id)));
      },
    }),
  ),
  must(
    'move-to-the-name-of-a-moved-file-breaks',
    '4.6',
    'Moving a file to a path that another file has left is answered with 500.',
    breaks('files.move', (ask, lab) =>
      lab.journal.some(
        (line) =>
          line.type === 'file-known' &&
          line.file.id !== ask.ids[1] &&
          line.driveId === ask.ids[0] &&
          line.file.path === ask.body?.path &&
          lab.picture().files.some((row) => row.item.id === line.file.id && row.item.path !== line.file.path),
      ),
    ),
  ),
  must(
    'move-with-an-id-in-the-body-changes-the-id',
    '4.6',
    'An id in the body of a move is taken over into the file.',
    inside('files.move', (file, ask) => {
      if (typeof ask.body.id === 'string') file.id = ask.body.id;
    }),
  ),
  must(
    'move-in-the-third-drive-is-lost',
    '4.6',
    'A move in the third drive of the second organization is acknowledged and lost.',
    drop(
      'file-moved',
      (_line, ask, lab) =>
        second(lab, ask) && lab.picture().drives.filter((row) => row.org === ask.org)[2]?.item.id === ask.ids[0],
    ),
  ),
  must(
    'two-moves-at-once-lose-one',
    '4.6',
    'Of two moves in one drive that overlap, only one has an effect; both are acknowledged.',
    () => {
      const busy = new Map<string, number>();
      let loser = new WeakSet<Ask>();
      return {
        async act(ask, next) {
          if (ask.op !== 'files.move') return next();
          const n = busy.get(ask.ids[0]!) ?? 0;
          busy.set(ask.ids[0]!, n + 1);
          if (n > 0) loser.add(ask);
          await sleep(120);
          try {
            return await next();
          } finally {
            busy.set(ask.ids[0]!, busy.get(ask.ids[0]!)! - 1);
          }
        },
        note: (line, ask) => (line.type === 'file-moved' && loser.has(ask) ? null : line),
      };
    },
  ),
  must('two-drives-at-once-share-an-id', '2', 'Two creations of drives that overlap get the same id.', () => {
    let waiting = 0,
      shared = '';
    const same = new WeakSet<Ask>();
    return {
      async act(ask, next) {
        if (ask.op !== 'drives.create') return next();
        if (waiting++ > 0) same.add(ask);
        else shared = '';
        await sleep(120);
        try {
          return await next();
        } finally {
          waiting--;
        }
      },
      note(line, ask) {
        if (line.type !== 'drive-created') return line;
        if (same.has(ask) && shared) return { ...line, drive: { ...line.drive, id: shared } };
        shared = line.drive.id;
        return line;
      },
      tell(reply, ask) {
        const drive = good(reply, ask, 'drives.create');
        if (drive && same.has(ask) && shared) drive.id = shared;
      },
    };
  }),
  must(
    'two-registrations-at-once-lose-one',
    '4.9',
    'Of two registrations that overlap, one never stands in the list.',
    () => {
      let waiting = 0;
      const loser = new WeakSet<Ask>();
      return {
        async act(ask, next) {
          if (ask.op !== 'mcp.create') return next();
          if (waiting++ > 0) loser.add(ask);
          await sleep(120);
          try {
            return await next();
          } finally {
            waiting--;
          }
        },
        note: (line, ask) => (line.type === 'mcp-known' && loser.has(ask) ? null : line),
      };
    },
  ),
  must(
    'id-in-the-body-is-taken-for-the-drive',
    '4.3',
    'An id in the body of a creation becomes the id of the drive, even when another one has it.',
    () => ({
      note: (line, ask) =>
        line.type === 'drive-created' && typeof ask.body?.id === 'string'
          ? { ...line, drive: { ...line.drive, id: ask.body.id } }
          : line,
      tell(reply, ask) {
        const drive = good(reply, ask, 'drives.create');
        if (drive && typeof ask.body.id === 'string') drive.id = ask.body.id;
      },
    }),
  ),
  must(
    'creation-time-in-the-body-is-taken',
    '4.3',
    'A createdAt in the body of a creation becomes the creation time of the drive.',
    () => ({
      note: (line, ask) =>
        line.type === 'drive-created' && typeof ask.body?.createdAt === 'string'
          ? { ...line, drive: { ...line.drive, createdAt: ask.body.createdAt } }
          : line,
      tell(reply, ask) {
        const drive = good(reply, ask, 'drives.create');
        if (drive && typeof ask.body.createdAt === 'string') drive.createdAt = ask.body.createdAt;
      },
    }),
  ),
  must(
    'type-in-the-body-is-taken-unchecked',
    '4.8',
    'A type in the body of a registration becomes the type of the server, whatever it is.',
    () => ({
      note: (line, ask) =>
        line.type === 'mcp-known' && typeof ask.body?.type === 'string'
          ? { ...line, server: { ...line.server, type: ask.body.type } }
          : line,
      tell(reply, ask) {
        const server = good(reply, ask, 'mcp.create');
        if (server && typeof ask.body.type === 'string') server.type = ask.body.type;
      },
    }),
  ),
  must(
    'quotes-in-a-name-break-the-list',
    '4.4',
    'A drive with quotes in its name turns the list of drives into broken JSON.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list' && reply.ok && itemsOf(reply, ask).some((one) => one.name.includes('"')))
          reply.raw = JSON.stringify(reply.body).replaceAll('\\"', '"');
      },
    }),
  ),
  must(
    'foreign-letters-are-lost-in-the-list',
    '4.4',
    'The list shows question marks in place of letters beyond ASCII in the names of drives.',
    change(['drives.list'], (item) => {
      item.name = item.name.replace(/[^\x20-\x7e]/g, '?');
    }),
  ),
  must(
    'query-of-a-url-is-lost',
    '4.8',
    'The list shows the URL of an MCP server without its query.',
    change(['mcp.list'], (item) => {
      item.url = item.url.split('?')[0];
    }),
  ),
  must(
    'port-of-a-url-is-lost',
    '4.8',
    'A registered URL is answered and listed without its port.',
    change(['mcp.create', 'mcp.list'], (item) => {
      item.url = item.url.replace(/:\d+(?=\/|$)/, '');
    }),
  ),
  must(
    'plain-http-url-has-no-type',
    '2',
    'An MCP server with an http URL has no allowed type.',
    change(['mcp.create', 'mcp.list'], (item) => {
      if (item.url.startsWith('http:')) item.type = 'unknown';
    }),
  ),
  must(
    'long-name-breaks-in-the-second-organization',
    '4.3',
    'A drive name of more than 40 letters is answered with 500 for the second organization.',
    breaks('drives.create', (ask, lab) => second(lab, ask) && String(ask.body?.name).length > 40),
  ),
  must('bearer-key-with-limit-ignores-it', '4.4', 'With the Authorization header the limit is ignored.', (lab) => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body && ask.via === 'bearer')
        body.data = lab
          .picture()
          .drives.filter((row) => row.org === ask.org)
          .map((row) => row.item)
          .slice(body.pagination.offset);
    },
  })),
  must('offset-without-limit-is-ignored', '4.4', 'An offset without a limit is ignored.', (lab) => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body && !ask.query.has('limit') && ask.query.has('offset'))
        body.data = lab
          .picture()
          .drives.filter((row) => row.org === ask.org)
          .map((row) => row.item)
          .slice(0, 20);
    },
  })),
  must(
    'parameters-in-the-other-order-change-places',
    '4.4',
    'When offset stands before limit in the query, their values change places.',
    (lab) => ({
      tell(reply, ask) {
        const body = good(reply, ask, 'drives.list');
        if (body && /^offset=.*&limit=/.test(ask.rawQuery))
          body.data = lab
            .picture()
            .drives.filter((row) => row.org === ask.org)
            .map((row) => row.item)
            .slice(body.pagination.limit, body.pagination.limit + body.pagination.offset);
      },
    }),
  ),
  must(
    'publish-of-an-unpublished-agent-with-its-last-revision-breaks',
    '4.2',
    'Publishing the last revision of an agent that is not published is answered with 500.',
    breaks('agents.publish', (ask, lab) => {
      const row = lab.picture().agents.find((one) => one.item.id === ask.ids[0] && one.org === ask.org);
      return !!row && !row.item.isPublished && row.revisions.at(-1) === ask.body?.revisionId;
    }),
  ),
  must(
    'tools-of-the-second-server-break-after-the-first',
    '4.10',
    'Reading the tools of the second server directly after those of the first gives those of the first.',
    () => {
      let last: any,
        lastId = '';
      return {
        tell(reply, ask) {
          const body = good(reply, ask, 'mcp.tools');
          if (!body) {
            last = undefined;
            return;
          }
          const now = structuredClone(body.tools);
          if (last && lastId !== ask.ids[0]) body.tools = last;
          last = now;
          lastId = ask.ids[0]!;
        },
      };
    },
  ),
  must(
    'empty-tools-are-left-out',
    '4.10',
    'For a server without tools the field tools is missing.',
    inside('mcp.tools', (body) => {
      if (body.tools.length === 0) delete body.tools;
    }),
  ),
  must(
    'deletion-of-nothing-lacks-a-job',
    '4.7',
    'A successful deletion of a directory without files has no jobId.',
    inside('tree.delete', (body) => {
      if (body.documentCount === 0) delete body.jobId;
    }),
  ),
  must(
    'large-deletion-counts-as-text',
    '4.7',
    'The documentCount of a deletion of five files or more is a text.',
    inside('tree.delete', (body) => {
      if (body.documentCount >= 5) body.documentCount = `${body.documentCount}`;
    }),
  ),
  should('limit-zero-is-served', '7', 'A limit of 0 is answered with success.', () => ({
    act: (ask, next) =>
      ask.op === 'drives.list' && ask.query.get('limit') === '0'
        ? yes(200, { data: [], pagination: { limit: 0, offset: 0, total: 4 } })
        : next(),
  })),
  should('negative-offset-is-served', '7', 'A negative offset is answered with the first page.', () => ({
    act(ask, next) {
      if (ask.op === 'drives.list' && /^-\d+$/.test(ask.query.get('offset') ?? '')) ask.query.set('offset', '0');
      return next();
    },
  })),
  should(
    'limit-that-is-no-number-is-served',
    '7',
    'A limit that is no number is answered as if there were none.',
    () => ({
      act(ask, next) {
        if (ask.op === 'drives.list' && /^[a-z]+$/.test(ask.query.get('limit') ?? '')) ask.query.delete('limit');
        return next();
      },
    }),
  ),
  should(
    'limit-over-a-hundred-is-cut-down',
    '7',
    'A limit over 100 is answered with success and a page of 100 at most.',
    () => ({
      act(ask, next) {
        if (ask.op === 'drives.list' && Number(ask.query.get('limit')) > 100) ask.query.set('limit', '100');
        return next();
      },
    }),
  ),
  should('bad-path-breaks-in-moves', '7', 'A move to a path with a `..` segment is answered with 500.', () => ({
    tell(reply, ask) {
      if (ask.op === 'files.move' && reply.status === 400 && segments(ask.body?.path).includes('..'))
        reply.status = 500;
    },
  })),
  should('bad-path-breaks-in-deletions', '7', 'A deletion path with a `..` segment is answered with 503.', (lab) => ({
    tell(reply, ask) {
      if (ask.op === 'tree.delete' && reply.status === 400 && segments(tree(ask, lab)).includes('..'))
        reply.status = 503;
    },
  })),
  should('bad-limit-breaks', '7', 'A limit out of range is answered with 500.', () => ({
    tell(reply, ask) {
      if (ask.op === 'drives.list' && reply.status === 400) reply.status = 500;
    },
  })),
  should('unauthenticated-answer-is-a-page', '4', 'A 401 has an HTML page as its body.', () => ({
    tell(reply) {
      if (reply.status === 401) {
        reply.raw = '<h1>Log in</h1>';
        reply.headers['content-type'] = 'text/html';
      }
    },
  })),

  plain.must('agents-come-in-an-object', '4.1', 'The list of agents is an object with data.', () => ({
    tell(reply, ask) {
      if (ask.op === 'agents.list' && reply.ok) reply.body = { data: reply.body };
    },
  })),
  plain.must('agents-answer-201', '4.1', 'The list of agents is answered with 201.', () => ({
    tell(reply, ask) {
      if (ask.op === 'agents.list' && reply.ok) reply.status = 201;
    },
  })),
  plain.must(
    'mcp-servers-come-in-an-object',
    '4.9',
    'The list of MCP servers is an object with data and pagination.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'mcp.list' && reply.ok)
          reply.body = { data: reply.body, pagination: { limit: 20, offset: 0, total: reply.body.length } };
      },
    }),
  ),
  plain.must('tools-come-as-an-array', '4.10', 'The tools are a bare array.', () => ({
    tell(reply, ask) {
      if (ask.op === 'mcp.tools' && reply.ok) reply.body = reply.body.tools;
    },
  })),
  plain.must('drives-come-as-an-array', '4.4', 'The list of drives is a bare array.', () => ({
    tell(reply, ask) {
      if (ask.op === 'drives.list' && reply.ok) reply.body = reply.body.data;
    },
  })),
  plain.must(
    'unknown-mcp-server-has-no-tools',
    '4.10',
    'The tools of an unknown server are an empty list with 200.',
    () => ({
      act(ask, next) {
        const reply = next();
        return ask.op === 'mcp.tools' && !reply.ok ? yes(200, { tools: [] }) : reply;
      },
    }),
  ),
  plain.must('drive-creation-answers-204', '4.3', 'A drive creation is answered with 204 and no body.', () => ({
    tell(reply, ask) {
      if (ask.op === 'drives.create' && reply.ok) {
        reply.status = 204;
        reply.body = undefined;
      }
    },
  })),
  plain.must('deletion-answers-204', '4.7', 'A tree deletion is answered with 204 and no body.', () => ({
    tell(reply, ask) {
      if (ask.op === 'tree.delete' && reply.ok) {
        reply.status = 204;
        reply.body = undefined;
      }
    },
  })),
  plain.must('move-answers-only-the-path', '4.6', 'A move is answered with the path and no id.', () => ({
    tell(reply, ask) {
      if (ask.op === 'files.move' && reply.ok) reply.body = { path: reply.body.path };
    },
  })),
  plain.must('move-answers-the-file-before', '4.6', 'A move is answered with the file as it was before.', (lab) => ({
    act(ask, next) {
      const before =
        ask.op === 'files.move' ? lab.picture().files.find((row) => row.item.id === ask.ids[1])?.item : undefined;
      const reply = next();
      return reply.ok && before ? yes(200, before) : reply;
    },
  })),
  plain.must(
    'file-kind-is-document',
    '2',
    'The kind of files is document.',
    change(['files.get', 'files.move'], (item) => {
      item.kind = 'document';
    }),
  ),
  plain.must(
    'file-path-has-no-slash',
    '2',
    'The path of files has no slash at its beginning.',
    change(['files.get'], (item) => {
      item.path = item.path.slice(1);
    }),
  ),
  plain.must(
    'failed-file-has-status-failed',
    '2',
    'A file whose processing failed has the status failed.',
    change(['files.get', 'files.move'], (item) => {
      if (item.status === 'error') item.status = 'failed';
    }),
  ),
  plain.must(
    'file-size-has-a-fraction',
    '2',
    'File sizes are kilobytes with a fraction.',
    change(['files.get', 'files.move'], (item) => {
      item.size = item.size / 1024 + 0.001;
    }),
  ),
  plain.must(
    'new-drive-lacks-its-organization',
    '4.3',
    'The answer to a drive creation has no organizationId.',
    change(['drives.create'], (item) => {
      delete item.organizationId;
    }),
  ),
  plain.must(
    'new-mcp-server-lacks-its-type',
    '4.8',
    'The answer to a registration has no type.',
    change(['mcp.create'], (item) => {
      delete item.type;
    }),
  ),
  plain.should(
    'agents-lack-descriptions',
    '2',
    'Agents without a published revision have no description.',
    change(['agents.list'], (item) => {
      if (!item.isPublished) delete item.description;
    }),
  ),
  plain.should(
    'files-lack-metadata',
    '2',
    'Files have no metadata and no summary.',
    change(['files.get', 'files.move'], (item) => {
      delete item.metadata;
      delete item.summary;
    }),
  ),
  plain.should(
    'agents-lack-their-flags',
    '2',
    'Agents have no hasChanges.',
    change(['agents.list'], (item) => {
      delete item.hasChanges;
    }),
  ),
];
