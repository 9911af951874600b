import { pathAllowed } from './machine.ts';
import type { Ctx, Machine, Op, Server, View } from './model.ts';
import { Refusal } from './model.ts';
import { nap } from './server.ts';
import type { Variant } from './variant.ts';
import { after, around, legal, wrap } from './variant.ts';

export const names =
  (fine: (name: string) => boolean, ops: readonly Op[] = ['createDrive', 'createServer']) =>
  (m: Machine) => {
    for (const op of ops) {
      around(m, op, (old, ctx) => {
        if (typeof ctx.input.name !== 'string' || fine(ctx.input.name)) return old(ctx);
        throw new Refusal(422, 'bad_name', 'This name is not possible');
      });
    }
  };
export const urls =
  (fine: (url: string) => boolean, code = 422) =>
  (m: Machine) =>
    around(m, 'createServer', (old, ctx) => {
      if (typeof ctx.input.url !== 'string' || fine(ctx.input.url)) return old(ctx);
      throw new Refusal(code, 'bad_url', 'This URL is not possible');
    });
export const paths =
  (fine: (path: string) => boolean, ops: readonly Op[] = ['moveFile', 'deleteTree']) =>
  (m: Machine) =>
    wrap(m, 'pathAllowed', (old) => (p, ctx) => old(p, ctx) && (!ops.includes(ctx.op as Op) || fine(String(p))));
export const parameter = (name: string) => (m: Machine) => {
  m.treeParam = name;
};
export const slow = (ms: number) => (m: Machine) =>
  wrap(m, 'finish', (old) => async (ctx, a) => {
    await nap(m, ms);
    return old(ctx, a);
  });
const quota = (op: Op, count: number, code: number) => (m: Machine) => {
  const used = new Map<string, number>();
  around(m, op, async (old, ctx) => {
    const soFar = used.get(ctx.org.id) ?? 0;
    if (soFar >= count) throw new Refusal(code, 'quota', 'No more of these');
    const answer = await old(ctx);
    used.set(ctx.org.id, soFar + 1);
    return answer;
  });
};

/** Deletions take effect after `ms`. */
export const deletingLate =
  (ms: number, each = 0) =>
  (m: Machine) => {
    m.settleMs = Math.max(m.settleMs, ms + each * 40 + 100);
    wrap(m, 'remove', (old) => (org, files, ctx) => {
      if (!each) return m.later(ms, () => old(org, files, ctx));
      files.forEach((file, n) => {
        m.later(ms + n * each, () => old(org, [file], ctx));
      });
    });
  };

/** What is written is seen in read models after `ms`; answers to writes are right at once. */
export const lagging = (ms: number, types: readonly string[]) => (m: Machine) => {
  m.settleMs = Math.max(m.settleMs, ms + 100);
  let seeded = false;
  m.onSeeded.push(() => {
    seeded = true;
  });
  keepTruePaths(m);
  wrap(m, 'project', (old) => (org, event) => {
    if (seeded && types.includes(event.type)) m.later(ms, () => old(org, event));
    else old(org, event);
  });
  after(m, 'moveFile', (a, ctx) => {
    const path: string = ctx.input.path;
    const late = types.includes('FileMoved');
    return late ? { ...a, body: { ...a.body, path, name: path.split('/').at(-1) || path } } : a;
  });
};

/** A deletion goes by the paths that were answered, also while readers still see older ones. */
function keepTruePaths(m: Machine): void {
  const paths = new Map<string, string>();
  wrap(m, 'append', (old) => (org, event) => {
    if (event.type === 'FileMoved') paths.set(event.fileId, event.path);
    old(org, event);
  });
  wrap(m, 'doomed', () => (ctx, tree) => {
    const files = [...ctx.org.view.files.values()].filter((file) => file.driveId === ctx.params.driveId);
    return files.filter((file) => m.below(tree, paths.get(file.id) ?? file.path, ctx));
  });
}

/** The first of every `every` requests of an operation is turned away for a moment. */
const momentarily = (ops: readonly Op[], code: number, every: number) => (m: Machine) => {
  let count = 0;
  for (const op of ops) {
    around(m, op, (old, ctx) => {
      count += 1;
      if (count % every === 1) throw new Refusal(code, 'busy', 'Try again');
      return old(ctx);
    });
  }
  wrap(m, 'refuse', (old) => (ctx, r) => {
    const answer = old(ctx, r);
    return r.code === 'busy' ? { ...answer, headers: { 'retry-after': '1' } } : answer;
  });
};

const naming: Variant[] = [
  legal(
    'names-short-only',
    '4.3',
    'Names have at most 16 characters.',
    names((n) => n.length <= 16),
  ),
  legal(
    'names-long-only',
    '4.3',
    'Names have at least 10 characters.',
    names((n) => n.length >= 10),
  ),
  legal(
    'names-letters-only',
    '4.3',
    'Names consist of ASCII letters.',
    names((n) => /^[A-Za-z]+$/.test(n)),
  ),
  legal(
    'names-as-identifiers',
    '4.3',
    'Names consist of small letters, digits and hyphens.',
    names((n) => /^[a-z][a-z0-9-]*$/.test(n)),
  ),
  legal(
    'names-start-with-a-capital',
    '4.3',
    'Names start with a capital letter.',
    names((n) => /^\p{Lu}/u.test(n)),
  ),
  legal(
    'names-without-digits',
    '4.3',
    'Names have no digits.',
    names((n) => !/\d/.test(n)),
  ),
  legal('names-once-only', '4.3', 'The name of a drive or an MCP server can be used once in an organization.', (m) => {
    const taken = (all: readonly { name: string }[], ctx: Ctx) => {
      if (all.some((x) => x.name === ctx.input.name)) throw new Refusal(409, 'taken', 'This name is taken');
    };
    around(m, 'createDrive', (old, ctx) => {
      taken(m.drives(ctx), ctx);
      return old(ctx);
    });
    around(m, 'createServer', (old, ctx) => {
      taken(m.servers(ctx), ctx);
      return old(ctx);
    });
  }),
  legal(
    'urls-https-only',
    '4.8',
    'URLs must start with https:.',
    urls((u) => u.startsWith('https:')),
  ),
  legal(
    'urls-of-a-list',
    '4.8',
    'Only hosts under example.com are allowed.',
    urls((u) => URL.canParse(u) && /(^|\.)example\.com$/.test(new URL(u).hostname), 403),
  ),
  legal('urls-once-only', '4.8', 'A URL can be registered once in an organization.', (m) =>
    around(m, 'createServer', (old, ctx) => {
      if (m.servers(ctx).some((s: Server) => s.url === ctx.input.url))
        throw new Refusal(409, 'taken', 'This URL is taken');
      return old(ctx);
    }),
  ),
  legal(
    'urls-without-query',
    '4.8',
    'URLs with a query, a user or a fragment are refused.',
    urls((u) => !/[?#@]/.test(u), 400),
  ),
  legal('bodies-without-unknown-fields', '4', 'A body with a field the text does not list is refused.', (m) =>
    wrap(m, 'readInput', (old) => (ctx) => {
      old(ctx);
      const known = ['name', 'url', 'path', 'revisionId'];
      if (Object.keys(ctx.input).some((key) => !known.includes(key)))
        throw new Refusal(400, 'unknown', 'Unknown field');
    }),
  ),
  legal('bodies-must-be-announced', '1', 'Bodies that are not announced as JSON are refused with 415.', (m) =>
    wrap(m, 'readInput', (old) => (ctx) => {
      if (ctx.text && !/^application\/json\b/i.test(ctx.headers['content-type'] ?? ''))
        throw new Refusal(415, 'type', 'JSON only');
      old(ctx);
    }),
  ),
  legal('drives-without-name-get-one', '4.3', 'A drive without a name is created as Untitled.', (m) =>
    wrap(m, 'readInput', (old) => (ctx) => {
      old(ctx);
      if (ctx.op === 'createDrive' && ctx.input.name === undefined) ctx.input = { ...ctx.input, name: 'Untitled' };
    }),
  ),
];

const pathing: Variant[] = [
  legal(
    'paths-without-dots-at-all',
    '4.6',
    'Segments that start with two dots, such as ..a, are refused.',
    paths((p) => !p.split('/').some((s) => s.startsWith('..'))),
  ),
  legal(
    'paths-of-250-characters',
    '4.6',
    'Paths of more than 250 characters are refused.',
    paths((p) => p.length <= 250, ['moveFile']),
  ),
  legal(
    'paths-without-empty-segments',
    '4.6',
    'Paths with // or a slash at the end are refused.',
    paths((p) => p === '/' || !/\/\/|\/$/.test(p), ['moveFile']),
  ),
  legal(
    'paths-without-odd-signs',
    '4.6',
    'Paths with backslashes, quotes or other signs forbidden on Windows are refused.',
    paths((p) => !/[\\:*?"<>|]/.test(p), ['moveFile']),
  ),
  legal('paths-free-only', '4.6', 'A path where another file is gives 409.', (m) =>
    around(m, 'moveFile', (old, ctx) => {
      const { driveId, fileId } = ctx.params;
      const there = [...ctx.org.view.files.values()].some(
        (f) => f.path === ctx.input.path && f.driveId === driveId && f.id !== fileId,
      );
      if (there) throw new Refusal(409, 'taken', 'There is a file');
      return old(ctx);
    }),
  ),
  legal(
    'root-not-deletable',
    '4.7',
    'The tree / cannot be deleted.',
    paths((p) => !/^\/+$/.test(p), ['deleteTree']),
  ),
  legal('trees-with-slash-at-the-end', '4.7', 'The path of a tree may end with any number of slashes.', () => {}),
  legal('trees-must-exist', '4.7', 'A tree without files is answered with 404.', (m) =>
    around(m, 'deleteTree', (old, ctx) => {
      const tree = m.treeOf(ctx);
      if (m.findDrive(ctx, ctx.params.driveId ?? '') && pathAllowed(tree) && !m.doomed(ctx, String(tree)).length)
        throw new Refusal(404, 'no_tree', 'No such tree');
      return old(ctx);
    }),
  ),
  legal('tree-parameter-dir', '4.7', 'The query parameter is called directoryPath.', parameter('directoryPath')),
  legal(
    'tree-parameter-with-brackets',
    '4.7',
    'The query parameter is called filter[path].',
    parameter('filter[path]'),
  ),
  legal('tree-parameter-prefix', '4.7', 'The query parameter is called prefix.', parameter('prefix')),
];

const paging: Variant[] = [
  legal('default-limit-1', '4.4', 'Without a limit one drive is answered.', (m) => {
    m['pagingDefaults.limit'] = 1;
  }),
  legal('default-limit-100', '4.4', 'Without a limit 100 drives are answered.', (m) => {
    m['pagingDefaults.limit'] = 100;
  }),
  legal('three-hundred-drives', '4.4', 'Each organization has more than 300 drives.', (m) => {
    m.extraDrives = 300;
  }),
  legal('hundred-and-one-drives', '4.4', 'Each organization has 101 drives.', (m) => {
    m.extraDrives = 97;
  }),
  legal('many-drives-in-pages-of-50', '4.4', 'There are 120 drives and the default limit is 50.', (m) => {
    m.extraDrives = 116;
    m['pagingDefaults.limit'] = 50;
  }),
  legal('few-records', '4', 'Each organization has three agents, two drives and two MCP servers.', (m) => {
    m.onSeeded.push(() => {
      for (const { view } of m.orgs) fewer(view);
    });
  }),
  legal('drives-quota', '4.3', 'An organization can create 12 more drives, then 403.', quota('createDrive', 12, 403)),
  legal(
    'servers-quota',
    '4.8',
    'An organization can register 12 more MCP servers, then 402.',
    quota('createServer', 12, 402),
  ),
];

const waiting: Variant[] = [
  legal('deletion-after-300-ms', '4.7', 'A tree is deleted 300 ms after the answer.', deletingLate(300)),
  legal('deletion-after-a-second', '4.7', 'A tree is deleted a second after the answer.', deletingLate(1000)),
  legal('deletion-file-by-file', '4.7', 'A tree is deleted file by file, 20 ms each.', deletingLate(20, 20)),
  legal('drives-seen-late', '4.4', 'New drives are listed after 250 ms.', lagging(250, ['DriveCreated'])),
  legal('servers-seen-late', '4.9', 'New MCP servers are listed after 250 ms.', lagging(250, ['ServerRegistered'])),
  legal(
    'publications-seen-late',
    '4.1',
    'Publications show in the list after 400 ms.',
    lagging(400, ['RevisionPublished']),
  ),
  legal('moves-seen-late', '4.5', 'Moves are seen by readers after 200 ms.', lagging(200, ['FileMoved'])),
  legal(
    'everything-seen-late',
    '4',
    'All that is written is seen after 350 ms.',
    lagging(350, ['DriveCreated', 'ServerRegistered', 'RevisionPublished', 'FileMoved', 'FilesDeleted']),
  ),
  legal('answers-slow', '1', 'Every answer takes 120 ms.', slow(120)),
  legal(
    'moves-locked-for-a-moment',
    '4.6',
    'Now and then a move is answered with 423 and Retry-After.',
    momentarily(['moveFile'], 423, 5),
  ),
  legal(
    'deletions-conflict-for-a-moment',
    '4.7',
    'Every other deletion is answered with 409 and Retry-After.',
    momentarily(['deleteTree'], 409, 2),
  ),
  legal(
    'writes-limited',
    '8',
    'The first of four writes is answered with 429 and Retry-After.',
    momentarily(['createDrive', 'createServer', 'publish'], 429, 4),
  ),
  legal(
    'reads-limited',
    '8',
    'Every thirtieth read is answered with 429 and Retry-After.',
    momentarily(['listDrives', 'listAgents', 'listServers', 'getFile'], 429, 30),
  ),
];

const others: Variant[] = [
  legal(
    'key-scheme-in-any-case',
    '5',
    'The scheme Bearer is understood in any letter case and with more blanks.',
    (m) =>
      wrap(m, 'readKey', (old) => (ctx) => {
        const found = /^bearer +(\S+)$/i.exec(ctx.headers.authorization ?? '');
        if (ctx.headers['x-api-key'] !== undefined || !found) return old(ctx);
        ctx.via = 'bearer';
        return found[1];
      }),
  ),
  legal('bearer-wins-over-own-header', '5', 'When both headers are sent the Authorization header counts.', (m) =>
    wrap(m, 'readKey', (old) => (ctx) => {
      const { authorization } = ctx.headers;
      return authorization ? old({ ...ctx, headers: { authorization } }) : old(ctx);
    }),
  ),
  legal('base-without-prefix', '1', 'The base address is /v0.1.', (m) => {
    m.basePath = '/v0.1';
  }),
  legal('base-behind-a-gateway', '1', 'The base address has three segments before the version.', (m) => {
    m.basePath = '/gateway/eu-1/agents_api/v0.1';
  }),
  legal('routes-with-slash-at-the-end', '4', 'Routes are found with a slash at the end as well.', (m) =>
    wrap(m, 'match', (old) => (ctx) => {
      ctx.path = ctx.path.replace(/\/+$/, '') || '/';
      return old(ctx);
    }),
  ),
  legal(
    'unknown-routes-before-the-key',
    '5',
    'Addresses the text does not have are answered with 404 even without a key.',
    (m) =>
      wrap(m, 'authenticate', (old) => (ctx) => {
        if (!ctx.op) throw new Refusal(404, 'no_route', 'There is nothing here');
        old(ctx);
      }),
  ),
  legal('tools-of-new-servers-known', '4.10', 'A new MCP server offers tools at once.', (m) =>
    after(m, 'createServer', (a, ctx) => {
      const server = ctx.org.view.servers.get(a.body.id);
      server?.tools.push({ name: 'echo', description: 'Says it again' });
      return a;
    }),
  ),
  legal(
    'tools-of-new-servers-unreachable',
    '4.10',
    'The tools of a new MCP server cannot be read, which is told with 502.',
    unreachable(502),
  ),
  legal(
    'tools-of-new-servers-time-out',
    '4.10',
    'The tools of a new MCP server cannot be read, which is told with 504 after 100 ms.',
    (m) => {
      unreachable(504)(m);
      around(m, 'listTools', async (old, ctx) => {
        await nap(m, 100);
        return old(ctx);
      });
    },
  ),
  legal('tools-many', '4.10', 'Every MCP server with tools has 250 of them, with long descriptions.', (m) =>
    after(m, 'listTools', (a) => {
      const more = Array.from({ length: 247 }, (_, n) => ({ name: `tool_${n}`, description: 'Does it. '.repeat(60) }));
      return a.body.tools.length ? { ...a, body: { tools: [...a.body.tools, ...more] } } : a;
    }),
  ),
  legal(
    'other-clients-create',
    '4',
    'Other clients of both organizations create drives and MCP servers, each 200 ms, for four seconds.',
    busy,
  ),
  legal(
    'agents-change-by-themselves',
    '4.1',
    'Other people edit agents: updatedAt and hasChanges differ from one list to the next.',
    (m) =>
      wrap(m, 'showAgent', (old) => (a, ctx) => ({
        ...old(a, ctx),
        updatedAt: m.now(),
        hasChanges: ctx.count % 2 === 0,
      })),
  ),
  legal(
    'publication-of-the-active-one-conflicts',
    '4.2',
    'To publish the revision that is active already gives 409.',
    (m) =>
      around(m, 'publish', (old, ctx) => {
        const agent = m.findAgent(ctx, ctx.params.agentId ?? '');
        if (agent && agent.activeRevisionId === ctx.input.revisionId)
          throw new Refusal(409, 'active', 'It is active already');
        return old(ctx);
      }),
  ),
  legal(
    'things-of-others-forbidden',
    '1',
    'Drives and agents of other organizations are answered with 403, unknown ones with 404.',
    (m) =>
      wrap(m, 'refuse', (old) => (ctx, r) => {
        const { driveId = '', agentId = '' } = ctx.params;
        const theirs = m.orgs.some((o) => o !== ctx.org && (o.view.drives.has(driveId) || o.view.agents.has(agentId)));
        const answer = old(ctx, r);
        return theirs && answer.status === 404 ? { ...answer, status: 403 } : answer;
      }),
  ),
];

function fewer({ agents, drives, files, servers }: View): void {
  for (const id of [...agents.keys()].slice(3)) agents.delete(id);
  for (const id of [...servers.keys()].slice(2)) servers.delete(id);
  for (const id of [...drives.keys()].slice(2)) {
    drives.delete(id);
    for (const file of [...files.values()]) if (file.driveId === id) files.delete(file.id);
  }
}

function unreachable(code: number): (m: Machine) => void {
  return (m) =>
    around(m, 'listTools', (old, ctx) => {
      const server = m.findServer(ctx, ctx.params.serverId ?? '');
      if (server && server.createdAt > '2025') throw new Refusal(code, 'unreachable', 'No answer from the MCP server');
      return old(ctx);
    });
}

export function busy(m: Machine): void {
  const step = (left: number): void => {
    if (!left) return;
    for (const org of m.orgs) {
      const at = m.now();
      const common = { organizationId: org.id, name: `Somebody's no. ${left}`, createdAt: at, updatedAt: at };
      m.append(org, { type: 'DriveCreated', drive: { id: m.newId('drv'), ...common } });
      const server = {
        id: m.newId('mcp'),
        ...common,
        url: `https://c${left}.example.com/`,
        type: 'sse' as const,
        tools: [],
      };
      m.append(org, { type: 'ServerRegistered', server });
    }
    m.later(200, () => step(left - 1));
  };
  m.onSeeded.push(() => m.later(100, () => step(20)));
}

export const legalRules: readonly Variant[] = [...naming, ...pathing, ...paging, ...waiting, ...others];
