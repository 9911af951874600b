// Legal servers with unusual habits, and servers with several unusual choices at once.

import type { Variant } from './engine.ts';
import { no, yes } from './engine.ts';
import { stamp } from './journal.ts';
import {
  errors,
  extra,
  field,
  hash,
  headers,
  late,
  listed,
  order,
  refusal,
  refuse,
  set,
  slow,
  success,
  text,
  times,
} from './legal-parts.ts';
import type { Item } from './variant.ts';
import { good, itemsOf, joined, makers } from './variant.ts';

const plain = makers('single').legal,
  time = makers('time').legal,
  caller = makers('caller').legal,
  sequence = makers('sequence').legal,
  mix = makers('combination').legal;
const ownFields: Record<string, string[]> = {
  'drives.create': ['name'],
  'mcp.create': ['name', 'url'],
  'files.move': ['path'],
  'agents.publish': ['revisionId'],
};
const odd = (path: unknown): boolean =>
  typeof path === 'string' && /\/\.\.[^/]|[^/]\.\.(\/|$)|[^/]\.\.[^/]|\/\/|[^\x20-\x7e]|\/\.(\/|$)/.test(path);
const newest = order((a, b) => b.item.createdAt.localeCompare(a.item.createdAt) || b.item.id.localeCompare(a.item.id));
const staged: Variant = () => ({
  note: (line) =>
    line.type === 'files-deleted'
      ? line.fileIds.map((id, n) => ({
          ...line,
          n: line.n + n / 1000,
          fileIds: [id],
          effectAt: line.at + 40 * (n + 1),
        }))
      : line,
});
const noBody = errors(() => undefined);
const compact = text((body) => JSON.stringify(body, null, 1));
const slashed = set({ makeId: (kind, n) => `${kind}/${hash(kind, n).slice(0, 12)}` });
const digits = set({ makeId: (kind, n) => `${n}${kind.charCodeAt(0)}${kind.length}${kind.charCodeAt(1)}` });
const touching: Variant = (lab) => ({
  tell(reply, ask) {
    if (ask.op !== 'drives.list') return;
    for (const one of itemsOf(reply, ask)) {
      const last = lab.journal.findLast(
        (line) =>
          (line.type === 'file-moved' &&
            lab.journal.some(
              (file) => file.type === 'file-known' && file.driveId === one.id && file.file.id === line.fileId,
            )) ||
          (line.type === 'files-deleted' && line.driveId === one.id),
      );
      if (last) one.updatedAt = stamp(last.at);
    }
  },
});

export const legalHabits: readonly Item[] = [
  time(
    'trees-go-file-by-file',
    '4.7',
    'The files of a tree are deleted one after the other, within half a second.',
    staged,
  ),
  time(
    'files-being-deleted-are-processing',
    '4.7',
    'While a tree is being deleted, its files can be read and have the status processing.',
    (lab) => ({
      note: (line) => (line.type === 'files-deleted' ? { ...line, effectAt: line.at + 350 } : line),
      tell(reply, ask) {
        const file = good(reply, ask, 'files.get');
        if (file && lab.journal.some((line) => line.type === 'files-deleted' && line.fileIds.includes(file.id)))
          file.status = 'processing';
      },
    }),
  ),
  time(
    'files-being-deleted-refuse-moves',
    '4.7',
    'While a tree is being deleted, its files can be read, but a move of them is refused with 423.',
    (lab) => ({
      note: (line) => (line.type === 'files-deleted' ? { ...line, effectAt: line.at + 350 } : line),
      act: (ask, next) =>
        ask.op === 'files.move' &&
        lab.journal.some(
          (line) => line.type === 'files-deleted' && line.org === ask.org && line.fileIds.includes(ask.ids[1]!),
        )
          ? no(423, 'being deleted')
          : next(),
    }),
  ),
  time(
    'moved-files-are-processed-again',
    '3',
    'For 200 ms after a move the status of the file is processing.',
    field(['files.move', 'files.get'], (item) => {
      if (Date.now() - Date.parse(item.modifiedAt) < 200) item.status = 'processing';
    }),
  ),
  time(
    'publishing-shows-later',
    '3',
    'The flags of an agent change 250 ms after a publish.',
    late(250, 'revision-published'),
  ),
  time(
    'everything-comes-later',
    '4',
    'New drives and servers, deletions and publishes take effect after 300 ms.',
    late(300, 'drive-created', 'mcp-known', 'files-deleted', 'revision-published'),
  ),
  time(
    'effects-take-a-second-and-say-so',
    '4',
    'Effects take 1.2 seconds, and two seconds are declared.',
    joined(set({ settleMs: 2000 }), late(1200, 'drive-created', 'mcp-known', 'files-deleted', 'revision-published')),
  ),
  time(
    'no-effect-comes-later-and-none-is-declared',
    '4',
    'All effects are immediate, and 50 ms are declared.',
    set({ settleMs: 50 }),
  ),
  time(
    'drives-come-late-and-servers-at-once',
    '4.4',
    'Drives are listed 450 ms after their creation, servers at once.',
    late(450, 'drive-created'),
  ),
  time(
    'creation-is-updated-at-once',
    '2',
    'The updatedAt of a new drive or server lies a little after its createdAt.',
    field(['drives.create', 'drives.list', 'mcp.create', 'mcp.list'], (item) => {
      if (item.createdAt === item.updatedAt) item.updatedAt = stamp(Date.parse(item.createdAt) + 7);
    }),
  ),
  time(
    'new-servers-find-their-tools-later',
    '4.10',
    'A registered server offers no tools at first and one after 200 ms.',
    () => {
      const made = new Map<string, number>();
      return {
        tell(reply, ask) {
          const server = good(reply, ask, 'mcp.create'),
            body = good(reply, ask, 'mcp.tools');
          if (server) made.set(server.id, ask.at);
          if (body && made.has(ask.ids[0]!) && ask.at > made.get(ask.ids[0]!)! + 200)
            body.tools = [{ name: 'late', description: 'Found later.' }];
        },
      };
    },
  ),
  sequence('move-keeps-the-modification-time', '2', 'A move leaves the modifiedAt of the file alone.', (lab) => ({
    tell(reply, ask) {
      const file = good(reply, ask, 'files.move', 'files.get');
      const line = file && lab.journal.find((one) => one.type === 'file-known' && one.file.id === file.id);
      if (line?.type === 'file-known') file.modifiedAt = line.file.modifiedAt;
    },
  })),
  sequence('files-change-their-drive', '2', 'Moves and deletions set the updatedAt of the drive.', touching),
  sequence('publish-keeps-the-update-time', '2', 'A publish leaves the updatedAt of the agent alone.', (lab) => ({
    tell(reply, ask) {
      if (ask.op === 'agents.list')
        for (const agent of itemsOf(reply, ask)) {
          const line = lab.journal.find((one) => one.type === 'agent-known' && one.agent.id === agent.id);
          if (line?.type === 'agent-known') agent.updatedAt = line.agent.updatedAt;
        }
    },
  })),
  sequence(
    'first-publish-answers-201-then-200',
    '4.2',
    'The first publish of an agent is answered with 201, later ones with 204.',
    () => {
      const seen = new Set<string>();
      return {
        tell(reply, ask) {
          if (ask.op !== 'agents.publish' || !reply.ok) return;
          if (seen.has(ask.ids[0]!)) {
            reply.status = 204;
            reply.body = undefined;
          } else reply.status = 201;
          seen.add(ask.ids[0]!);
        },
      };
    },
  ),
  sequence(
    'creations-answer-in-turn-200-201-202',
    '4.3',
    'Creations are answered with 200, 201 and 202 in turn.',
    () => {
      let n = 0;
      return {
        tell(reply, ask) {
          if (reply.ok && (ask.op === 'drives.create' || ask.op === 'mcp.create')) reply.status = 200 + (n++ % 3);
        },
      };
    },
  ),
  sequence(
    'deleted-files-get-410-unknown-ones-404',
    '7',
    'Deleted files are refused with 410 and unknown ones with 404.',
    (lab) => ({
      tell(reply, ask) {
        if (
          reply.status === 404 &&
          ask.ids[1] &&
          lab.journal.some(
            (line) => line.type === 'files-deleted' && line.org === ask.org && line.fileIds.includes(ask.ids[1]!),
          )
        )
          reply.status = 410;
      },
    }),
  ),
  sequence(
    'empty-trees-get-404',
    '7',
    'Deleting a tree without files, also a second time, is refused with 404.',
    () => ({
      act(ask, next) {
        const reply = next();
        return ask.op === 'tree.delete' && reply.ok && reply.body.documentCount === 0
          ? no(404, 'nothing there')
          : reply;
      },
    }),
  ),
  sequence(
    'refusals-change-their-status',
    '7',
    'Refusals of paths are answered with 400, 403, 404, 409 and 422 in turn.',
    () => {
      let n = 0;
      return {
        tell(reply, ask) {
          if (reply.status === 400 && (ask.op === 'files.move' || ask.op === 'tree.delete'))
            reply.status = [400, 403, 404, 409, 422][n++ % 5]!;
        },
      };
    },
  ),
  sequence(
    'paths-may-be-held-twice',
    '4.6',
    'A file may be moved to a path that another file has; both keep it.',
    set({ occupied: 'allow' }),
  ),
  sequence(
    'taken-paths-get-423',
    '7',
    'A move to a path that another file has is refused with 423.',
    refusal(409, 423, 'files.move'),
  ),
  caller('small-bearer-gets-401', '5', 'The scheme bearer in small letters is refused with 401.', () => ({
    who: (ask, next) => (/^bearer /.test(String(ask.headers.authorization ?? '')) ? null : next()),
  })),
  caller('both-headers-get-400', '5', 'A request with a valid key in both headers is refused with 400.', () => ({
    act: (ask, next) => (ask.via === 'both' ? no(400, 'one key is enough') : next()),
  })),
  caller('own-header-wins-over-the-other', '5', 'With both headers only X-API-Key counts.', (lab) => ({
    who: (ask, next) =>
      ask.via === 'both' ? (lab.organizations.find((one) => one.key === ask.keys[0])?.id ?? null) : next(),
  })),
  caller(
    'foreign-things-get-403',
    '7',
    'Drives, files and agents of the other organization are refused with 403, unknown ones with 404.',
    (lab) => ({
      tell(reply, ask) {
        if (
          reply.status === 404 &&
          ask.ids[0] &&
          ask.op !== 'mcp.tools' &&
          lab.journal.some(
            (line) =>
              line.org !== ask.org &&
              ((line.type === 'drive-created' && line.drive.id === ask.ids[0]) ||
                (line.type === 'agent-known' && line.agent.id === ask.ids[0])),
          )
        )
          reply.status = 403;
      },
    }),
  ),
  caller(
    'unknown-endpoints-get-401',
    '5',
    'Endpoints that are not specified are answered with 401 for everybody.',
    () => ({
      tell(reply, ask) {
        if (ask.op === null) reply.status = 401;
      },
    }),
  ),
  caller(
    'browsers-may-ask-without-a-key',
    '5',
    'OPTIONS requests are answered without a key, and every answer lets pages in.',
    () => ({
      tell(reply, ask) {
        Object.assign(reply.headers, { 'access-control-allow-origin': '*', vary: 'Origin' });
        if (ask.method === 'OPTIONS') Object.assign(reply, yes(204, undefined));
      },
    }),
  ),
  caller('refusals-of-keys-are-slow', '5', 'A 401 takes 60 ms more than other answers.', () => ({
    tell(reply) {
      if (reply.status === 401) reply.wait = 60;
    },
  })),
  plain(
    'slash-at-the-end-of-a-tree-is-refused',
    '4.7',
    'A deletion path with a slash at its end is refused, except for the root.',
    refuse('tree.delete', 400, (ask) => /.\/$/.test([...ask.query.values()][0] ?? '')),
  ),
  plain(
    'unusual-paths-are-refused-in-moves',
    '4.6',
    'Paths with dots in names, double slashes or letters beyond ASCII are refused with 422.',
    refuse('files.move', 422, (ask) => odd(ask.body?.path)),
  ),
  plain(
    'unusual-paths-are-refused-in-deletions',
    '4.7',
    'Deletion paths with dots in names, double slashes or letters beyond ASCII are refused with 422.',
    refuse('tree.delete', 422, (ask) => [...ask.query.values()].some(odd)),
  ),
  plain(
    'paths-are-normalized',
    '4.6',
    'Paths are stored in Unicode form C.',
    set({ canon: (path) => path.normalize('NFC') }),
  ),
  plain(
    'deletion-ignores-letter-case',
    '4.7',
    'A deletion path means the same in capitals.',
    set({ below: (path, tree) => path.toLowerCase().startsWith(`${tree.toLowerCase()}/`) }),
  ),
  plain('drives-may-be-without-name', '4.3', 'A drive created without a name is named Untitled.', () => ({
    act(ask, next) {
      if (ask.op === 'drives.create' && !ask.badBody && (ask.body.name === undefined || ask.body.name === ''))
        ask.body.name = 'Untitled';
      return next();
    },
  })),
  plain('servers-may-be-without-name', '4.8', 'A server registered without a name is named after its URL.', () => ({
    act(ask, next) {
      if (ask.op === 'mcp.create' && !ask.badBody && ask.body.name === undefined)
        ask.body.name = String(ask.body.url ?? '');
      return next();
    },
  })),
  plain(
    'long-names-are-refused',
    '4.3',
    'Names of more than 100 characters are refused with 413.',
    joined(
      refuse('drives.create', 413, (ask) => String(ask.body?.name).length > 100),
      refuse('mcp.create', 413, (ask) => String(ask.body?.name).length > 100),
    ),
  ),
  plain(
    'further-fields-in-bodies-are-refused',
    '4',
    'Bodies with fields that are not specified are refused with 400.',
    () => ({
      act: (ask, next) =>
        ask.op &&
        !ask.badBody &&
        ownFields[ask.op] &&
        Object.keys(ask.body).some((key) => !ownFields[ask.op!]!.includes(key))
          ? no(400, 'unknown field')
          : next(),
    }),
  ),
  plain(
    'further-parameters-are-refused',
    '4.4',
    'Lists of drives with parameters that are not specified are refused with 400.',
    refuse('drives.list', 400, (ask) => [...ask.query.keys()].some((key) => key !== 'limit' && key !== 'offset')),
  ),
  plain('broken-bodies-get-422', '7', 'Bodies that are not JSON are refused with 422.', () => ({
    tell(reply, ask) {
      if (reply.status === 400 && ask.badBody) reply.status = 422;
    },
  })),
  plain('bodies-without-type-get-415', '4', 'Bodies whose content type is not JSON are refused with 415.', () => ({
    act: (ask, next) =>
      ask.text && !/json/.test(String(ask.headers['content-type'] ?? '')) ? no(415, 'JSON only') : next(),
  })),
  plain(
    'only-web-urls-are-registered',
    '4.8',
    'Registrations whose URL is neither http nor https are refused with 422.',
    refuse('mcp.create', 422, (ask) => typeof ask.body?.url === 'string' && !/^https?:/.test(ask.body.url)),
  ),
  plain(
    'identical-publish-answers-are-empty-objects',
    '4.2',
    'A publish is answered with an empty object.',
    success('agents.publish', 200, () => ({})),
  ),
  plain(
    'agents-have-no-common-update',
    '2',
    'The updatedAt of agents is the same as their createdAt until they are published.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list')
          for (const one of itemsOf(reply, ask))
            if (!lab.journal.some((line) => line.type === 'revision-published' && line.agentId === one.id))
              one.updatedAt = one.createdAt;
      },
    }),
  ),

  mix(
    'late-and-newest-first',
    '4.4',
    'Drives come late and newest first, with an odd default limit.',
    joined(late(280, 'drive-created'), newest, set({ defaultLimit: 3 })),
  ),
  mix(
    'terse-server',
    '4',
    'Publishing has no body, refusals have none, creations answer 200, deletions 200.',
    joined(
      success('agents.publish', 204, () => undefined),
      noBody,
      success('drives.create', 200),
      success('mcp.create', 200),
      success('tree.delete', 200),
    ),
  ),
  mix(
    'chatty-server',
    '4',
    'Further fields everywhere, indented JSON, cookies and long errors.',
    joined(
      extra(
        (item) => ({ self: item.id, deletedAt: null, meta: { tags: [] } }),
        'agents.list',
        'drives.create',
        'drives.list',
        'files.get',
        'files.move',
        'mcp.create',
        'mcp.list',
      ),
      errors((reply) => ({ errors: [{ status: reply.status, trace: 'x'.repeat(500) }] })),
      headers({ 'set-cookie': 'a=b' }),
      compact,
    ),
  ),
  mix(
    'queueing-server',
    '4',
    'Everything is answered with 202 where that is open, and takes effect after 300 ms.',
    joined(
      late(300, 'drive-created', 'mcp-known', 'files-deleted', 'revision-published'),
      success('drives.create', 202),
      success('mcp.create', 202),
      success('files.move', 202),
      success('agents.publish', 202, () => ({ queued: true })),
      success('tree.delete', 202, (_ask, now) => ({ ...now, documentCount: 0 })),
    ),
  ),
  mix(
    'slashed-ids-in-ascii',
    '2',
    'Ids contain an oblique stroke, and JSON is written with escapes.',
    joined(
      slashed,
      text((body) => JSON.stringify(body).replaceAll('/', '\\/')),
    ),
  ),
  mix(
    'digits-and-whole-seconds',
    '2',
    'Ids are digits, date-times have no fraction, and the type is sse throughout.',
    joined(
      digits,
      times((value) => value.replace(/\.\d+Z$/, '+00:00')),
      field(['mcp.create', 'mcp.list'], (item) => {
        item.type = 'sse';
      }),
    ),
  ),
  mix(
    'hidden-by-403-and-410',
    '7',
    'Unknown things get 403, bad paths 404, bad limits 422, all without a body.',
    joined(refusal(404, 403), refusal(400, 404, 'files.move', 'tree.delete'), refusal(400, 422, 'drives.list'), noBody),
  ),
  mix(
    'staged-deletion-with-processing-and-410',
    '4.7',
    'Trees go file by file, the remaining ones are processing, the others get 410.',
    joined(staged, refusal(404, 410, 'files.get'), (lab) => ({
      tell(reply, ask) {
        const file = good(reply, ask, 'files.get');
        if (file && lab.journal.some((line) => line.type === 'files-deleted' && line.fileIds.includes(file.id)))
          file.status = 'processing';
      },
    })),
  ),
  mix(
    'small-pages-with-206-and-links',
    '4.4',
    'Default pages hold two drives, are answered with 206 and carry links in body and header.',
    joined(set({ defaultLimit: 2 }), () => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list' && reply.ok) {
          if (reply.body.data.length < reply.body.pagination.total) reply.status = 206;
          reply.body.links = { next: '/drives?offset=2' };
          reply.headers.link = '</drives?offset=2>; rel="next"';
        }
      },
    })),
  ),
  mix(
    'canonical-urls-and-late-servers',
    '4.8',
    'URLs are canonical, servers come late and newest first.',
    joined(
      field(['mcp.create', 'mcp.list'], (item) => {
        item.url = new URL(item.url).href;
      }),
      late(260, 'mcp-known'),
      listed('mcp.list', (items) => items.reverse()),
    ),
  ),
  mix(
    'strict-about-input',
    '7',
    'Unusual paths, further fields and slashes at the end are refused with 422.',
    joined(
      refuse('files.move', 422, (ask) => odd(ask.body?.path)),
      refuse('tree.delete', 422, (ask) => [...ask.query.values()].some((value) => odd(value) || /.\/$/.test(value))),
      () => ({
        act: (ask, next) =>
          ask.op &&
          !ask.badBody &&
          ownFields[ask.op] &&
          Object.keys(ask.body).some((key) => !ownFields[ask.op!]!.includes(key))
            ? no(422, 'unknown field')
            : next(),
      }),
    ),
  ),
  mix(
    'lenient-about-input',
    '7',
    'Names may be missing, paths may be held twice, letter case does not matter in deletions.',
    joined(
      set({ occupied: 'allow', below: (path, tree) => path.toLowerCase().startsWith(`${tree.toLowerCase()}/`) }),
      () => ({
        act(ask, next) {
          if (ask.op === 'drives.create' && !ask.badBody && !ask.body.name) ask.body.name = 'Untitled';
          return next();
        },
      }),
    ),
  ),
  mix(
    'slow-and-closing',
    '4',
    'Every answer takes 30 ms and closes the connection, deletions take effect later.',
    joined(slow(30), headers({ connection: 'close' }), late(200, 'files-deleted')),
  ),
  mix(
    'changing-drives-in-name-order',
    '4.4',
    'Drives are listed by name, and their updatedAt follows their files.',
    joined(
      order((a, b) => a.item.name.localeCompare(b.item.name) || a.item.id.localeCompare(b.item.id)),
      touching,
    ),
  ),
  mix(
    'errors-with-200-lookalikes-and-odd-keys',
    '7',
    'Keys contain the signs of base64, and refusals look like lists.',
    joined(
      set({ makeKey: (n) => `k/${Buffer.from(hash('key', n)).toString('base64').slice(0, 30)}+aB==` }),
      errors(() => ({ data: [], pagination: { limit: 20, offset: 0, total: 0 } })),
    ),
  ),
];
