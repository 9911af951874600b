// One request passes five stages: who asks, which rule applies to its path, what it does (which reads a
// picture and writes lines into the journal), and how the reply is told. A variant is a small twist of some stages.
import { createHash } from 'node:crypto';
import type { Deed, DriveRow, Line, Picture } from './journal.ts';
import { fold, stamp } from './journal.ts';

export type Operation =
  | 'agents.list'
  | 'agents.publish'
  | 'drives.create'
  | 'drives.list'
  | 'files.get'
  | 'files.move'
  | 'tree.delete'
  | 'mcp.create'
  | 'mcp.list'
  | 'mcp.tools';

export interface Reply {
  status: number;
  ok: boolean;
  body: any;
  headers: Record<string, string>;
  raw?: string | Buffer;
  wait?: number;
}

export interface Ask {
  n: number;
  at: number;
  method: string;
  path: string;
  rawQuery: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: any;
  badBody: boolean;
  op: Operation | null;
  ids: string[];
  via: 'none' | 'x-api-key' | 'bearer' | 'both';
  keys: string[];
  org: string;
}

export interface Organization {
  id: string;
  key: string;
}

export interface Settings {
  treeParameter: string;
  settleMs: number;
  defaultLimit: number;
  makeId(kind: string, n: number): string;
  makeKey(n: number): string;
  order(rows: DriveRow[]): DriveRow[];
  canon(path: string): string;
  below(path: string, tree: string): boolean;
  occupied: 'refuse' | 'allow' | 'replace';
  files: string[];
}

export interface Lab {
  settings: Settings;
  journal: Line[];
  organizations: Organization[];
  now(): number;
  newId(kind: string): string;
  write(deed: Deed, org: string, ask?: Ask, delay?: number): void;
  picture(ask?: Ask): Picture;
  allowed(path: unknown, ask: Ask): boolean;
  later(ms: number, work: () => void): void;
}

export interface Twist {
  settings?: Partial<Settings>;
  who?(ask: Ask, next: () => string | null): string | null;
  rule?(path: unknown, ask: Ask, next: () => boolean): boolean;
  act?(ask: Ask, next: () => Reply): Reply | Promise<Reply>;
  note?(line: Line, ask: Ask): Line | Line[] | null;
  see?(lines: Line[], ask: Ask): Line[];
  tell?(reply: Reply, ask: Ask): void | Promise<void>;
}
export type Variant = (lab: Lab) => Twist;

export const yes = (status: number, body: unknown): Reply => ({ status, ok: true, body, headers: {} });
export const no = (status: number, reason: string): Reply => ({
  status,
  ok: false,
  body: { error: reason },
  headers: {},
});
export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const plainSettings = (): Settings => ({
  treeParameter: 'path',
  settleMs: 600,
  defaultLimit: 20,
  makeId: (kind, n) => `${kind}_${createHash('sha1').update(`${kind}:${n}`).digest('hex').slice(0, 14)}`,
  makeKey: (n) => `Key-${createHash('sha1').update(`organization ${n}`).digest('hex').slice(0, 24)}Zq`,
  order: (rows) => rows,
  canon: (path) => path,
  below: (path, tree) => path.startsWith(`${tree}/`),
  occupied: 'refuse',
  files: [],
});

export function keepsRule(path: unknown): boolean {
  return (
    typeof path === 'string' &&
    path.startsWith('/') &&
    !/[\n\r\u2028\u2029\0]/.test(path) &&
    !path.split('/').includes('..')
  );
}

const routes: readonly [string, RegExp, Operation][] = [
  ['GET', /^\/agents$/, 'agents.list'],
  ['POST', /^\/agents\/([^/]+)\/publish$/, 'agents.publish'],
  ['POST', /^\/drives$/, 'drives.create'],
  ['GET', /^\/drives$/, 'drives.list'],
  ['GET', /^\/drives\/([^/]+)\/files\/([^/]+)$/, 'files.get'],
  ['PATCH', /^\/drives\/([^/]+)\/files\/([^/]+)$/, 'files.move'],
  ['DELETE', /^\/drives\/([^/]+)\/items\/tree$/, 'tree.delete'],
  ['POST', /^\/mcp-servers$/, 'mcp.create'],
  ['GET', /^\/mcp-servers$/, 'mcp.list'],
  ['GET', /^\/mcp-servers\/([^/]+)\/tools$/, 'mcp.tools'],
];

export function findRoute(method: string, path: string): { op: Operation | null; ids: string[] } {
  for (const [verb, shape, op] of routes) {
    const hit = verb === method ? shape.exec(path) : null;
    if (!hit) continue;
    try {
      return { op, ids: hit.slice(1).map(decodeURIComponent) };
    } catch {
      return { op: null, ids: [] };
    }
  }
  return { op: null, ids: [] };
}

const filled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const counted = (text: string | null, least: number, most: number): number | null =>
  text !== null && /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;

const acts: Record<Operation, (ask: Ask, lab: Lab) => Reply> = {
  'agents.list': (ask, lab) =>
    yes(
      200,
      lab
        .picture(ask)
        .agents.filter((row) => row.org === ask.org)
        .map((row) => row.item),
    ),
  'agents.publish': (ask, lab) => {
    const row = lab.picture(ask).agents.find((one) => one.org === ask.org && one.item.id === ask.ids[0]);
    if (!row) return no(404, 'unknown agent');
    const revisionId = ask.body?.revisionId;
    if (!filled(revisionId)) return no(400, 'a revisionId is needed');
    if (!row.revisions.includes(revisionId)) return no(404, 'unknown revision');
    lab.write({ type: 'revision-published', agentId: row.item.id, revisionId }, ask.org, ask);
    return yes(200, { agentId: row.item.id, revisionId });
  },
  'drives.create': (ask, lab) => {
    const name = ask.body?.name;
    if (!filled(name)) return no(400, 'a name is needed');
    const time = stamp(lab.now());
    const drive = { id: lab.newId('drive'), organizationId: ask.org, name, createdAt: time, updatedAt: time };
    lab.write({ type: 'drive-created', drive }, ask.org, ask);
    return yes(201, { ...drive });
  },
  'drives.list': (ask, lab) => {
    const limit = ask.query.has('limit') ? counted(ask.query.get('limit'), 1, 100) : lab.settings.defaultLimit;
    const offset = ask.query.has('offset') ? counted(ask.query.get('offset'), 0, 1e9) : 0;
    if (limit === null) return no(400, 'limit is an integer from 1 to 100');
    if (offset === null) return no(400, 'offset is an integer from 0');
    const rows = lab.settings.order(lab.picture(ask).drives.filter((row) => row.org === ask.org));
    return yes(200, {
      data: rows.slice(offset, offset + limit).map((row) => row.item),
      pagination: { limit, offset, total: rows.length },
    });
  },
  'files.get': (ask, lab) => {
    const row = lab
      .picture(ask)
      .files.find((one) => one.org === ask.org && one.driveId === ask.ids[0] && one.item.id === ask.ids[1]);
    return row ? yes(200, row.item) : no(404, 'unknown file');
  },
  'files.move': (ask, lab) => {
    const picture = lab.picture(ask);
    const row = picture.files.find(
      (one) => one.org === ask.org && one.driveId === ask.ids[0] && one.item.id === ask.ids[1],
    );
    if (!row) return no(404, 'unknown file');
    const wanted = ask.body?.path;
    if (!lab.allowed(wanted, ask)) return no(400, 'this path is not allowed');
    const path = lab.settings.canon(wanted);
    if (path.endsWith('/')) return no(400, 'a file needs a name');
    const holder = picture.files.find((one) => one !== row && one.driveId === row.driveId && one.item.path === path);
    if (holder && lab.settings.occupied === 'refuse') return no(409, 'this path is taken');
    if (holder && lab.settings.occupied === 'replace')
      lab.write({ type: 'files-deleted', driveId: row.driveId, fileIds: [holder.item.id] }, ask.org, ask);
    lab.write({ type: 'file-moved', fileId: row.item.id, path }, ask.org, ask);
    return yes(200, { ...row.item, path, name: path.slice(path.lastIndexOf('/') + 1), modifiedAt: stamp(lab.now()) });
  },
  'tree.delete': (ask, lab) => {
    const picture = lab.picture(ask);
    const drive = picture.drives.find((one) => one.org === ask.org && one.item.id === ask.ids[0]);
    if (!drive) return no(404, 'unknown drive');
    const wanted = ask.query.get(lab.settings.treeParameter);
    if (!lab.allowed(wanted, ask)) return no(400, 'this path is not allowed');
    const tree = lab.settings.canon(wanted as string).replace(/\/+$/, '');
    const fileIds = picture.files
      .filter((one) => one.driveId === drive.item.id && lab.settings.below(one.item.path, tree))
      .map((one) => one.item.id);
    lab.write({ type: 'files-deleted', driveId: drive.item.id, fileIds }, ask.org, ask);
    return yes(202, { message: 'The tree is being deleted.', jobId: lab.newId('job'), documentCount: fileIds.length });
  },
  'mcp.create': (ask, lab) => {
    const name = ask.body?.name,
      url = ask.body?.url;
    if (!filled(name)) return no(400, 'a name is needed');
    if (!filled(url) || !URL.canParse(url)) return no(400, 'a url is needed');
    const time = stamp(lab.now());
    const server = {
      id: lab.newId('mcp'),
      organizationId: ask.org,
      name,
      url,
      type: /\/sse$/.test(url) ? 'sse' : 'streamableHttp',
      createdAt: time,
      updatedAt: time,
    };
    lab.write({ type: 'mcp-known', server, tools: [] }, ask.org, ask);
    return yes(201, { ...server });
  },
  'mcp.list': (ask, lab) =>
    yes(
      200,
      lab
        .picture(ask)
        .mcps.filter((row) => row.org === ask.org)
        .map((row) => row.item),
    ),
  'mcp.tools': (ask, lab) => {
    const row = lab.picture(ask).mcps.find((one) => one.org === ask.org && one.item.id === ask.ids[0]);
    return row ? yes(200, { tools: row.tools }) : no(404, 'MCP server not found');
  },
};

export interface Engine {
  lab: Lab;
  answer(ask: Ask): Promise<Reply>;
  stop(): void;
}

export function makeEngine(variants: readonly Variant[]): Engine {
  const settings = plainSettings();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const counts = new Map<string, number>();
  let lines = 0;
  const twists: Twist[] = [];
  const lab: Lab = {
    settings,
    journal: [],
    organizations: [],
    now: () => Date.now(),
    newId(kind) {
      const n = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, n);
      return settings.makeId(kind, n);
    },
    write(deed, org, ask, delay = 0) {
      const at = lab.now();
      let fresh: Line[] = [{ ...deed, n: ++lines, org, at, effectAt: at + delay }];
      if (ask)
        for (const twist of twists) {
          const note = twist.note;
          if (note) fresh = fresh.flatMap((line) => note(line, ask) ?? []);
        }
      lab.journal.push(...fresh);
    },
    picture(ask) {
      let seen = lab.journal.slice();
      if (ask) for (const twist of twists) if (twist.see) seen = twist.see(seen, ask);
      return fold(seen, lab.now());
    },
    allowed(path, ask) {
      let check = () => keepsRule(path);
      for (const twist of twists) {
        const rule = twist.rule,
          inner = check;
        if (rule) check = () => rule(path, ask, inner);
      }
      return check();
    },
    later(ms, work) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timers.add(timer);
    },
  };
  for (const variant of variants) {
    const twist = variant(lab);
    Object.assign(settings, twist.settings ?? {});
    twists.push(twist);
  }

  function who(ask: Ask): string | null {
    let check = (): string | null => {
      if (ask.keys.length === 0) return null;
      const owners = new Set(ask.keys.map((key) => lab.organizations.find((one) => one.key === key)?.id ?? null));
      return owners.size === 1 ? [...owners][0]! : null;
    };
    for (const twist of twists) {
      const stage = twist.who,
        inner = check;
      if (stage) check = () => stage(ask, inner);
    }
    return check();
  }

  async function answer(ask: Ask): Promise<Reply> {
    let reply: Reply;
    const org = who(ask);
    if (org === null) reply = no(401, 'authentication is required');
    else if (ask.op === null) reply = no(404, 'no such endpoint');
    else {
      ask.org = org;
      const op = ask.op;
      let work: () => Reply | Promise<Reply> = () =>
        ask.badBody ? no(400, 'the body is not JSON') : acts[op](ask, lab);
      for (const twist of twists) {
        const act = twist.act,
          inner = work;
        if (act) work = () => act(ask, inner as () => Reply);
      }
      reply = await work();
    }
    for (const twist of twists) if (twist.tell) await twist.tell(reply, ask);
    if (reply.wait) await sleep(reply.wait);
    return reply;
  }
  return {
    lab,
    answer,
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
