// Faults about who calls: which key, which organization, which header, and what follows a refused request.

import type { Ask, Lab, Operation, Reply, Variant } from './engine.ts';
import { no, yes } from './engine.ts';
import type { Item } from './variant.ts';
import { good, itemsOf, makers } from './variant.ts';

const { must, should } = makers('caller');
const firstOrg = (lab: Lab): string => lab.organizations[0]!.id;
const ownerOf = (lab: Lab, test: (key: string) => boolean): string | null =>
  lab.organizations.find((one) => test(one.key))?.id ?? null;

// Lets callers without a valid key do these operations as the first organization.
const open =
  (...ops: Operation[]): Variant =>
  (lab) => ({ who: (ask, next) => next() ?? (ask.op && ops.includes(ask.op) ? firstOrg(lab) : null) });
// Does the operation for callers without a valid key, and then answers 401 all the same.
const openBehind =
  (op: Operation): Variant =>
  (lab) => {
    const secret = new WeakSet<Ask>();
    return {
      who(ask, next) {
        const org = next();
        if (org === null && ask.op === op) {
          secret.add(ask);
          return firstOrg(lab);
        }
        return org;
      },
      tell(reply, ask) {
        if (secret.has(ask)) Object.assign(reply, no(401, 'authentication is required'));
      },
    };
  };
// Acts as the owner of the thing that is named in the address, whoever asks.
const ownerOfThing = (lab: Lab, ask: Ask): string | undefined => {
  const line = lab.journal.find(
    (one) =>
      (one.type === 'agent-known' && one.agent.id === ask.ids[0]) ||
      (one.type === 'drive-created' && one.drive.id === ask.ids[0]) ||
      (one.type === 'mcp-known' && one.server.id === ask.ids[0]),
  );
  return line?.org;
};
const shared =
  (behind: Reply | null, ...ops: Operation[]): Variant =>
  (lab) => {
    const foreign = new WeakSet<Ask>();
    return {
      act(ask, next) {
        const owner = ask.op && ops.includes(ask.op) ? ownerOfThing(lab, ask) : undefined;
        if (owner && owner !== ask.org) {
          ask.org = owner;
          foreign.add(ask);
        }
        return next();
      },
      tell(reply, ask) {
        if (behind && foreign.has(ask)) Object.assign(reply, structuredClone(behind));
      },
    };
  };
// Refuses callers without a valid key with another status than 401.
const otherStatus =
  (op: Operation, status: number, when: (ask: Ask) => boolean = () => true): Variant =>
  () => ({
    tell(reply, ask) {
      if (ask.op === op && reply.status === 401 && when(ask)) Object.assign(reply, no(status, 'refused'));
    },
  });
// Keeps the last reply of a list and gives it to whoever asks within this time.
const remembered =
  (op: Operation, ms: number): Variant =>
  () => {
    const kept = new Map<string, { body: any; until: number }>();
    return {
      tell(reply, ask) {
        if (ask.op !== op || !reply.ok) return;
        const key = `${ask.path}?${ask.rawQuery}`,
          hit = kept.get(key);
        if (hit && hit.until > Date.now()) reply.body = structuredClone(hit.body);
        else kept.set(key, { body: structuredClone(reply.body), until: Date.now() + ms });
      },
    };
  };

export const callerFaults: readonly Item[] = [
  must(
    'tools-without-key-get-403',
    '4.10',
    'The tools endpoint answers a request without a key with 403.',
    otherStatus('mcp.tools', 403, (ask) => ask.via === 'none'),
  ),
  must(
    'tools-with-a-wrong-key-get-403',
    '4.10',
    'The tools endpoint answers a wrong key with 403 and a missing key with 401.',
    otherStatus('mcp.tools', 403, (ask) => ask.via !== 'none'),
  ),
  must(
    'unknown-tools-without-key-get-404',
    '4.10',
    'For an unknown server the tools endpoint answers 404 before it looks for a key.',
    (lab) => otherStatus('mcp.tools', 404, (ask) => !ownerOfThing(lab, ask))(lab),
  ),
  must(
    'tools-with-a-wrong-bearer-key-get-400',
    '4.10',
    'The tools endpoint answers a wrong key in the Authorization header with 400.',
    otherStatus('mcp.tools', 400, (ask) => ask.via === 'bearer'),
  ),
  must(
    'agents-are-listed-without-key',
    '5',
    'The list of agents is served to callers without a valid key.',
    open('agents.list'),
  ),
  must(
    'mcp-servers-are-listed-without-key',
    '5',
    'The list of MCP servers is served to callers without a valid key.',
    open('mcp.list'),
  ),
  must(
    'files-are-read-without-key',
    '5',
    'The metadata of a file is served to callers without a valid key.',
    open('files.get'),
  ),
  must(
    'drives-without-key-get-an-empty-page',
    '5',
    'Callers without a valid key get an empty page of drives with status 200.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list' && reply.status === 401)
          Object.assign(reply, yes(200, { data: [], pagination: { limit: 20, offset: 0, total: 0 } }));
      },
    }),
  ),
  must(
    'agents-without-key-get-200-with-an-error',
    '5',
    'Callers without a valid key get 200 with an error object from the list of agents.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list' && reply.status === 401) reply.status = 200;
      },
    }),
  ),
  must(
    'drive-is-created-behind-a-401',
    '5',
    'A drive creation with a wrong key is answered with 401 and the drive is created.',
    openBehind('drives.create'),
  ),
  must(
    'mcp-server-is-created-behind-a-401',
    '5',
    'An MCP server registration with a wrong key is answered with 401 and the server is registered.',
    openBehind('mcp.create'),
  ),
  must(
    'file-is-moved-behind-a-401',
    '5',
    'A move with a wrong key is answered with 401 and the file is moved.',
    openBehind('files.move'),
  ),
  must(
    'tree-is-deleted-behind-a-401',
    '5',
    'A tree deletion with a wrong key is answered with 401 and the tree is deleted.',
    openBehind('tree.delete'),
  ),
  must(
    'agent-is-published-behind-a-401',
    '5',
    'A publish with a wrong key is answered with 401 and the agent is published.',
    openBehind('agents.publish'),
  ),
  must('beginning-of-a-key-is-enough', '5', 'A key whose end is missing is accepted.', (lab) => ({
    who: (ask, next) => next() ?? ownerOf(lab, (key) => ask.keys.some((one) => one.length > 7 && key.startsWith(one))),
  })),
  must(
    'key-with-something-behind-is-accepted',
    '5',
    'A valid key followed by further characters is accepted.',
    (lab) => ({ who: (ask, next) => next() ?? ownerOf(lab, (key) => ask.keys.some((one) => one.startsWith(key))) }),
  ),
  must(
    'letter-case-of-a-bearer-key-is-ignored',
    '5',
    'In the Authorization header a key is accepted in any letter case.',
    (lab) => ({
      who: (ask, next) =>
        next() ??
        (ask.via === 'bearer' ? ownerOf(lab, (key) => key.toLowerCase() === ask.keys[0]!.toLowerCase()) : null),
    }),
  ),
  must(
    'bearer-key-is-checked-by-length-only',
    '5',
    'In the Authorization header any text as long as a valid key is accepted.',
    (lab) => ({
      who: (ask, next) =>
        next() ?? (ask.via === 'bearer' ? ownerOf(lab, (key) => key.length === ask.keys[0]!.length) : null),
    }),
  ),
  must('empty-key-is-accepted', '5', 'An X-API-Key header without content is accepted.', (lab) => ({
    who: (ask, next) => next() ?? (ask.via === 'x-api-key' && ask.keys[0] === '' ? firstOrg(lab) : null),
  })),
  must('bearer-is-refused-by-the-tools', '5', 'The tools endpoint does not accept the Authorization header.', () => ({
    who: (ask, next) => (ask.op === 'mcp.tools' && ask.via === 'bearer' ? null : next()),
  })),
  must('bearer-is-refused-for-moves', '5', 'Moving a file does not accept the Authorization header.', () => ({
    who: (ask, next) => (ask.op === 'files.move' && ask.via === 'bearer' ? null : next()),
  })),
  must(
    'own-header-is-refused-for-publishing',
    '5',
    'Publishing accepts a key only in the Authorization header.',
    () => ({ who: (ask, next) => (ask.op === 'agents.publish' && ask.via === 'x-api-key' ? null : next()) }),
  ),
  must(
    'bearer-of-the-second-organization-acts-for-the-first',
    '5',
    'A key of the second organization in the Authorization header shows the agents of the first.',
    (lab) => ({
      who: (ask, next) => {
        const org = next();
        return org && ask.via === 'bearer' && ask.op === 'agents.list' ? firstOrg(lab) : org;
      },
    }),
  ),
  must(
    'bearer-creations-go-to-the-first-organization',
    '4.3',
    'A drive that the second organization creates with the Authorization header lands in the first organization.',
    (lab) => ({
      who: (ask, next) => {
        const org = next();
        return org && ask.via === 'bearer' && ask.op === 'drives.create' ? firstOrg(lab) : org;
      },
    }),
  ),
  must(
    'missing-key-falls-back-to-the-last-caller',
    '5',
    'A request without a key is served for the organization of the valid request before it.',
    () => {
      let last: string | null = null;
      return {
        who(ask, next) {
          const org = next();
          if (org) last = org;
          return org ?? (ask.via === 'none' ? last : null);
        },
      };
    },
  ),
  must('wrong-key-is-learned-at-the-third-try', '5', 'A wrong key is accepted from its third try on.', (lab) => {
    const tries = new Map<string, number>();
    return {
      who(ask, next) {
        const org = next();
        if (org || !ask.keys[0]) return org;
        const n = (tries.get(ask.keys[0]) ?? 0) + 1;
        tries.set(ask.keys[0], n);
        return n > 2 ? firstOrg(lab) : null;
      },
    };
  }),
  must(
    'request-after-a-401-sees-nothing',
    '4.9',
    'After a request without a valid key, the next valid request finds empty lists.',
    () => {
      let hurt = false;
      return {
        tell(reply, ask) {
          if (reply.status === 401) {
            hurt = true;
            return;
          }
          if (hurt && (ask.op === 'agents.list' || ask.op === 'mcp.list')) reply.body = [];
          hurt = false;
        },
      };
    },
  ),
  must(
    'request-after-a-401-breaks',
    '5',
    'After a request with a wrong key, the next request with the right key in the same header is answered with 500.',
    () => {
      let hurt = '';
      return {
        tell(reply, ask) {
          if (reply.status === 401) {
            hurt = ask.via;
            return;
          }
          if (hurt === ask.via) Object.assign(reply, no(500, 'session lost'));
          hurt = '';
        },
      };
    },
  ),
  must(
    'agents-are-remembered-across-organizations',
    '4.1',
    'The list of agents is kept for two seconds and given to the other organization, too.',
    remembered('agents.list', 2000),
  ),
  must(
    'mcp-servers-are-remembered-across-organizations',
    '4.9',
    'The list of MCP servers is kept for half a second and given to the other organization, too.',
    remembered('mcp.list', 500),
  ),
  must(
    'drives-are-remembered-by-query',
    '4.4',
    'A page of drives is kept for one second by its query and given to the other organization, too.',
    remembered('drives.list', 1000),
  ),
  must(
    'drive-after-the-other-organization-carries-its-id',
    '4.3',
    'A drive created right after a request of the other organization is answered with the organizationId of that one.',
    () => {
      let last = '',
        before = '';
      return {
        act(ask, next) {
          before = last;
          last = ask.org;
          return next();
        },
        tell(reply, ask) {
          const drive = good(reply, ask, 'drives.create');
          if (drive && before && before !== ask.org) drive.organizationId = before;
        },
      };
    },
  ),
  must(
    'mcp-server-after-the-other-organization-lands-there',
    '4.8',
    'An MCP server registered right after a creation of the other organization is listed for that one.',
    (lab) => {
      let seeds = -1;
      return {
        act(_ask, next) {
          if (seeds < 0) seeds = lab.journal.length;
          return next();
        },
        note(line) {
          const before = lab.journal.slice(seeds).at(-1);
          return line.type === 'mcp-known' &&
            before &&
            (before.type === 'mcp-known' || before.type === 'drive-created') &&
            before.org !== line.org
            ? { ...line, org: before.org }
            : line;
        },
      };
    },
  ),
  must(
    'file-read-by-its-owner-is-open-to-all',
    '5',
    'Once its owner has read a file, the other organization can read it, too; before, it is refused.',
    (lab) => {
      const known = new Set<string>();
      return {
        act(ask, next) {
          if (ask.op === 'files.get' && known.has(ask.ids[1]!)) ask.org = ownerOfThing(lab, ask) ?? ask.org;
          const reply = next();
          if (ask.op === 'files.get' && reply.ok) known.add(ask.ids[1]!);
          return reply;
        },
      };
    },
  ),
  must(
    'foreign-deletion-is-refused-and-done',
    '4.7',
    'Deleting a tree of the other organization is answered with 404 and done.',
    shared(no(404, 'unknown drive'), 'tree.delete'),
  ),
  must(
    'foreign-move-is-refused-and-done',
    '4.6',
    'Moving a file of the other organization is answered with 404 and done.',
    shared(no(404, 'unknown file'), 'files.move'),
  ),
  must(
    'foreign-publish-is-refused-and-done',
    '4.2',
    'Publishing an agent of the other organization is answered with 403 and done.',
    shared(no(403, 'forbidden'), 'agents.publish'),
  ),
  must(
    'foreign-deletion-is-honoured',
    '4.7',
    'The trees of an organization can be deleted by the other one, which the facts do not declare.',
    shared(null, 'tree.delete'),
  ),
  must(
    'foreign-file-can-be-moved-but-not-read',
    '4.6',
    'The files of an organization can be moved by the other one, which the facts do not declare.',
    shared(null, 'files.move'),
  ),
  must(
    'foreign-tools-after-a-refusal',
    '4.10',
    'The tools of a server of the other organization are refused at first and served from the second try on.',
    (lab) => {
      const tried = new Set<string>();
      return {
        act(ask, next) {
          const owner = ask.op === 'mcp.tools' ? ownerOfThing(lab, ask) : undefined;
          if (owner && owner !== ask.org) {
            if (tried.has(ask.ids[0]!)) ask.org = owner;
            tried.add(ask.ids[0]!);
          }
          return next();
        },
      };
    },
  ),
  must(
    'drives-past-the-own-ones-are-those-of-the-other',
    '4.4',
    'With an offset past the own drives the list goes on with those of the other organization.',
    (lab) => ({
      tell(reply, ask) {
        const body = good(reply, ask, 'drives.list');
        if (!body || body.data.length || body.pagination.offset < body.pagination.total) return;
        body.data = lab
          .picture()
          .drives.filter((row) => row.org !== ask.org)
          .map((row) => row.item)
          .slice(
            body.pagination.offset - body.pagination.total,
            body.pagination.offset - body.pagination.total + body.pagination.limit,
          );
      },
    }),
  ),
  must(
    'organization-header-chooses-the-organization',
    '5',
    'A header X-Organization-Id decides on the organization, whatever the key says.',
    (lab) => ({
      who: (ask, next) => {
        const org = next();
        return org && lab.organizations.some((one) => one.id === ask.headers['x-organization-id'])
          ? String(ask.headers['x-organization-id'])
          : org;
      },
    }),
  ),
  must(
    'organization-in-the-query-chooses-the-list',
    '4.4',
    'A query parameter organizationId makes the list of drives show the other organization.',
    (lab) => ({
      act(ask, next) {
        const wish = ask.query.get('organizationId');
        if (ask.op === 'drives.list' && lab.organizations.some((one) => one.id === wish)) ask.org = wish!;
        return next();
      },
    }),
  ),
  must(
    'organization-in-the-body-decides-on-the-drive',
    '4.3',
    'An organizationId in the body puts the new drive into the other organization.',
    (lab) => ({
      act(ask, next) {
        if (ask.op === 'drives.create' && lab.organizations.some((one) => one.id === ask.body?.organizationId))
          ask.org = ask.body.organizationId;
        return next();
      },
    }),
  ),
  must(
    'organization-in-the-body-decides-on-the-mcp-server',
    '4.8',
    'An organizationId in the body registers the MCP server for the other organization.',
    (lab) => ({
      act(ask, next) {
        if (ask.op === 'mcp.create' && lab.organizations.some((one) => one.id === ask.body?.organizationId))
          ask.org = ask.body.organizationId;
        return next();
      },
    }),
  ),
  must(
    'second-organization-gets-types-in-capitals',
    '2',
    'For the second organization the type of MCP servers is written in capitals.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.org === lab.organizations[1]!.id && ask.op === 'mcp.list')
          for (const one of itemsOf(reply, ask)) one.type = one.type.toUpperCase();
      },
    }),
  ),
  must(
    'new-drive-of-one-is-seen-by-the-other',
    '4.4',
    'A drive that is created after the start is listed for both organizations.',
    (lab) => {
      let seeds = -1;
      return {
        act(_ask, next) {
          if (seeds < 0) seeds = lab.journal.length;
          return next();
        },
        see: (lines, ask) =>
          ask.op === 'drives.list'
            ? lines.map((line, n) => (n >= seeds && line.type === 'drive-created' ? { ...line, org: ask.org } : line))
            : lines,
      };
    },
  ),
  must(
    'move-with-a-bearer-key-is-not-stored',
    '4.6',
    'A move with the Authorization header is acknowledged and has no effect.',
    () => ({ note: (line, ask) => (line.type === 'file-moved' && ask.via === 'bearer' ? null : line) }),
  ),
  ...(
    [
      ['agents-without-key-get-403', '4.1', 'agents.list', 403],
      ['publish-without-key-gets-404', '4.2', 'agents.publish', 404],
      ['drive-creation-without-key-gets-400', '4.3', 'drives.create', 400],
      ['drives-without-key-get-a-redirect', '4.4', 'drives.list', 302],
      ['file-without-key-gets-404', '4.5', 'files.get', 404],
      ['move-without-key-gets-403', '4.6', 'files.move', 403],
      ['deletion-without-key-gets-404', '4.7', 'tree.delete', 404],
      ['registration-without-key-gets-422', '4.8', 'mcp.create', 422],
      ['mcp-servers-without-key-get-500', '4.9', 'mcp.list', 500],
    ] as const
  ).map(([name, section, op, status]) =>
    should(
      name,
      section,
      `A request without a valid key is answered with ${status} instead of 401.`,
      otherStatus(op, status),
    ),
  ),
  should(
    'bad-path-is-refused-before-a-missing-key',
    '5',
    'A move to a bad path without a key is answered with 400, with a good path with 401.',
    otherStatus('files.move', 400, (ask) => String(ask.body?.path).includes('..')),
  ),
  should(
    'total-counts-both-organizations',
    '4.4',
    'The total of the list of drives counts the drives of all organizations.',
    (lab) => ({
      tell(reply, ask) {
        const body = good(reply, ask, 'drives.list');
        if (body) body.pagination.total = lab.picture().drives.length;
      },
    }),
  ),
];
