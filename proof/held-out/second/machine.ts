import { randomBytes } from 'node:crypto';
import type { Answer, Ctx, Event, Machine, Op, Org } from './model.ts';
import { Refusal } from './model.ts';

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

export function base32(length: number): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte % 32]).join('');
}

const ROUTES: readonly [Op, string, RegExp][] = [
  ['listAgents', 'GET', /^\/agents$/],
  ['publish', 'POST', /^\/agents\/(?<agentId>[^/]+)\/publish$/],
  ['createDrive', 'POST', /^\/drives$/],
  ['listDrives', 'GET', /^\/drives$/],
  ['getFile', 'GET', /^\/drives\/(?<driveId>[^/]+)\/files\/(?<fileId>[^/]+)$/],
  ['moveFile', 'PATCH', /^\/drives\/(?<driveId>[^/]+)\/files\/(?<fileId>[^/]+)$/],
  ['deleteTree', 'DELETE', /^\/drives\/(?<driveId>[^/]+)\/items\/tree$/],
  ['createServer', 'POST', /^\/mcp-servers$/],
  ['listServers', 'GET', /^\/mcp-servers$/],
  ['listTools', 'GET', /^\/mcp-servers\/(?<serverId>[^/]+)\/tools$/],
];

function match(ctx: Ctx): Op | undefined {
  for (const [op, method, pattern] of ROUTES) {
    const found = pattern.exec(ctx.path);
    if (!found || method !== ctx.method) continue;
    for (const [name, value] of Object.entries(found.groups ?? {})) {
      ctx.params[name] = decoded(value);
    }
    return op;
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readKey(ctx: Ctx): string | undefined {
  const own = ctx.headers['x-api-key'];
  if (typeof own === 'string') {
    ctx.via = 'x';
    return own;
  }
  const bearer = /^Bearer (.+)$/.exec(ctx.headers.authorization ?? '');
  if (!bearer) return undefined;
  ctx.via = 'bearer';
  return bearer[1];
}

export function pathAllowed(path: unknown): boolean {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  return !/[\r\n\u2028\u2029\0]/.test(path) && !path.split('/').includes('..');
}

function below(tree: string, file: string): boolean {
  return file.startsWith(`${tree.replace(/\/+$/, '')}/`);
}

export function project(org: Org, event: Event): void {
  const { view } = org;
  if (event.type === 'AgentAdded') view.agents.set(event.agent.id, event.agent);
  if (event.type === 'DriveCreated') view.drives.set(event.drive.id, event.drive);
  if (event.type === 'FileAdded') view.files.set(event.file.id, event.file);
  if (event.type === 'ServerRegistered') view.servers.set(event.server.id, event.server);
  if (event.type === 'FilesDeleted') for (const id of event.fileIds) view.files.delete(id);
  if (event.type === 'FileMoved') projectMove(org, event);
  if (event.type === 'RevisionPublished') projectPublication(org, event);
}

function projectMove(org: Org, event: Event & { type: 'FileMoved' }): void {
  const file = org.view.files.get(event.fileId);
  if (!file) return;
  const name = event.path.split('/').at(-1) || event.path;
  org.view.files.set(file.id, { ...file, path: event.path, name, modifiedAt: event.at });
}

function projectPublication(org: Org, event: Event & { type: 'RevisionPublished' }): void {
  const agent = org.view.agents.get(event.agentId);
  if (!agent) return;
  const activeRevisionId = event.revisionId;
  const hasChanges = agent.revisionIds.at(-1) !== activeRevisionId;
  org.view.agents.set(agent.id, { ...agent, activeRevisionId, hasChanges, updatedAt: event.at });
}

function intParam(ctx: Ctx, name: string, preset: number, min: number, max: number): number {
  const text = ctx.query.get(name);
  if (text === null) return preset;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Refusal(400, 'bad_page', `${name} is out of range`);
  }
  return value;
}

function needText(ctx: Ctx, name: string): string {
  const value: unknown = ctx.input[name];
  if (typeof value !== 'string' || value === '') {
    throw new Refusal(422, 'bad_field', `${name} must be a text`);
  }
  return value;
}

function needDrive(m: Machine, ctx: Ctx): void {
  if (m.findDrive(ctx, ctx.params.driveId ?? '')) return;
  throw new Refusal(404, 'no_drive', 'There is no such drive');
}

function needFile(m: Machine, ctx: Ctx) {
  const file = m.findFile(ctx, ctx.params.driveId ?? '', ctx.params.fileId ?? '');
  if (!file) throw new Refusal(404, 'no_file', 'There is no such file');
  return file;
}

/** Things are looked up over all organizations by some variants, so the owner is looked up too. */
export function ownerOf(m: Machine, kind: 'agents' | 'files' | 'drives', id: string): Org {
  return m.orgs.find((org) => org.view[kind].has(id)) as Org;
}

function publish(m: Machine, ctx: Ctx): Answer {
  const agent = m.findAgent(ctx, ctx.params.agentId ?? '');
  if (!agent) throw new Refusal(404, 'no_agent', 'There is no such agent');
  const revisionId = needText(ctx, 'revisionId');
  if (!agent.revisionIds.includes(revisionId)) {
    throw new Refusal(404, 'no_revision', 'The agent has no such revision');
  }
  const owner = ownerOf(m, 'agents', agent.id);
  m.append(owner, { type: 'RevisionPublished', agentId: agent.id, revisionId, at: m.now() });
  return { status: 200, body: { agentId: agent.id, activeRevisionId: revisionId } };
}

function createDrive(m: Machine, ctx: Ctx): Answer {
  const at = m.now();
  const name = needText(ctx, 'name');
  const drive = {
    id: m.newId('drv'),
    organizationId: ctx.org.id,
    name,
    createdAt: at,
    updatedAt: at,
  };
  m.append(ctx.org, { type: 'DriveCreated', drive });
  return { status: 201, body: m.showDrive(drive, ctx) };
}

function listDrives(m: Machine, ctx: Ctx): Answer {
  const { limit, offset } = m.page(ctx);
  const all = m.drives(ctx);
  const data = m.slice(all, limit, offset, ctx).map((drive) => m.showDrive(drive, ctx));
  return { status: 200, body: { data, pagination: m.pagination(all.length, limit, offset, ctx) } };
}

function moveFile(m: Machine, ctx: Ctx): Answer {
  const file = needFile(m, ctx);
  const path: unknown = ctx.input.path;
  if (!m.pathAllowed(path, ctx)) throw new Refusal(422, 'bad_path', 'This path is not allowed');
  const owner = ownerOf(m, 'files', file.id);
  m.append(owner, { type: 'FileMoved', fileId: file.id, path: String(path), at: m.now() });
  return { status: 200, body: m.showFile(owner.view.files.get(file.id) ?? file, ctx) };
}

function deleteTree(m: Machine, ctx: Ctx): Answer {
  needDrive(m, ctx);
  const tree = m.treeOf(ctx);
  if (!m.pathAllowed(tree, ctx)) throw new Refusal(422, 'bad_path', 'This path is not allowed');
  const files = m.doomed(ctx, String(tree));
  m.remove(ownerOf(m, 'drives', ctx.params.driveId ?? '') ?? ctx.org, files, ctx);
  const message = `Deleting ${files.length} documents`;
  return { status: 202, body: { message, jobId: m.newId('job'), documentCount: files.length } };
}

function createServer(m: Machine, ctx: Ctx): Answer {
  const at = m.now();
  const name = needText(ctx, 'name');
  const url = needText(ctx, 'url');
  if (!/^https?:\/\/./.test(url)) throw new Refusal(422, 'bad_url', 'The URL is not usable');
  const server = {
    id: m.newId('mcp'),
    organizationId: ctx.org.id,
    name,
    url,
    type: 'streamableHttp' as const,
    createdAt: at,
    updatedAt: at,
    tools: [],
  };
  m.append(ctx.org, { type: 'ServerRegistered', server });
  return { status: 201, body: m.showServer(server, ctx) };
}

function listTools(m: Machine, ctx: Ctx): Answer {
  const server = m.findServer(ctx, ctx.params.serverId ?? '');
  if (!server) throw new Refusal(404, 'no_server', 'There is no such MCP server');
  return { status: 200, body: { tools: server.tools.map((tool) => m.showTool(tool, ctx)) } };
}

function operations(m: Machine): Machine['run'] {
  return {
    listAgents: (ctx) => ({ status: 200, body: m.agents(ctx).map((a) => m.showAgent(a, ctx)) }),
    publish: (ctx) => publish(m, ctx),
    createDrive: (ctx) => createDrive(m, ctx),
    listDrives: (ctx) => listDrives(m, ctx),
    getFile: (ctx) => ({ status: 200, body: m.showFile(needFile(m, ctx), ctx) }),
    moveFile: (ctx) => moveFile(m, ctx),
    deleteTree: (ctx) => deleteTree(m, ctx),
    createServer: (ctx) => createServer(m, ctx),
    listServers: (ctx) => ({ status: 200, body: m.servers(ctx).map((s) => m.showServer(s, ctx)) }),
    listTools: (ctx) => listTools(m, ctx),
  };
}

function readInput(ctx: Ctx): void {
  if (ctx.method !== 'POST' && ctx.method !== 'PATCH') return;
  let input: unknown;
  try {
    input = JSON.parse(ctx.text);
  } catch {
    throw new Refusal(400, 'bad_json', 'The body is not JSON');
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Refusal(400, 'bad_json', 'The body is not an object');
  }
  ctx.input = input as Record<string, unknown>;
}

async function handle(m: Machine, ctx: Ctx): Promise<Answer> {
  try {
    m.authenticate(ctx);
    if (!ctx.op) throw new Refusal(404, 'no_route', 'There is nothing here');
    m.readInput(ctx);
    return await m.run[ctx.op](ctx);
  } catch (error) {
    if (error instanceof Refusal) return m.refuse(ctx, error);
    return m.refuse(ctx, new Refusal(500, 'broken', String(error)));
  }
}

function authenticate(m: Machine, ctx: Ctx): void {
  ctx.key = m.readKey(ctx);
  const org = m.findOrg(ctx);
  if (!org) throw new Refusal(401, 'no_key', 'A valid API key is needed');
  ctx.org = org;
}

function later(m: Machine, ms: number, act: () => void): void {
  const timer = setTimeout(() => {
    m.timers.delete(timer);
    act();
  }, ms);
  m.timers.add(timer);
}

function doomed(m: Machine, ctx: Ctx, tree: string) {
  const { files } = (ownerOf(m, 'drives', ctx.params.driveId ?? '') ?? ctx.org).view;
  const inDrive = [...files.values()].filter((file) => file.driveId === ctx.params.driveId);
  return inDrive.filter((file) => m.below(tree, file.path, ctx));
}

export function createMachine(): Machine {
  const m = {} as Machine;
  const plain = {
    basePath: '/platform/v0.1',
    treeParam: 'path',
    settleMs: 0,
    'pagingDefaults.limit': 20,
    extraDrives: 0,
    orgs: [],
    timers: new Set<NodeJS.Timeout>(),
    onSeeded: [],
  };
  const parts: Omit<Machine, keyof typeof plain> = {
    newId: (kind) => `${kind}_${base32(14)}`,
    newKey: () => `apk_Live_${base32(28)}`,
    now: () => new Date().toISOString(),
    later: (ms, act) => later(m, ms, act),
    match,
    readKey,
    findOrg: (ctx) => m.orgs.find((org) => org.key === ctx.key),
    authenticate: (ctx) => authenticate(m, ctx),
    readInput,
    handle: (ctx) => handle(m, ctx),
    refuse: (_ctx, r) => ({ status: r.status, body: { error: r.code, message: r.message } }),
    pathAllowed,
    below,
    page: (ctx) => ({
      limit: intParam(ctx, 'limit', m['pagingDefaults.limit'], 1, 100),
      offset: intParam(ctx, 'offset', 0, 0, Number.POSITIVE_INFINITY),
    }),
    slice: (all, limit, offset) => all.slice(offset, offset + limit),
    pagination: (total, limit, offset) => ({ limit, offset, total }),
    agents: (ctx) => [...ctx.org.view.agents.values()],
    drives: (ctx) => [...ctx.org.view.drives.values()],
    servers: (ctx) => [...ctx.org.view.servers.values()],
    findAgent: (ctx, id) => ctx.org.view.agents.get(id),
    findDrive: (ctx, id) => ctx.org.view.drives.get(id),
    findFile: (ctx, driveId, id) => {
      const file = ctx.org.view.files.get(id);
      return file?.driveId === driveId ? file : undefined;
    },
    findServer: (ctx, id) => ctx.org.view.servers.get(id),
    treeOf: (ctx) => ctx.query.get(m.treeParam),
    doomed: (ctx, tree) => doomed(m, ctx, tree),
    remove: (org, files) => m.append(org, { type: 'FilesDeleted', fileIds: files.map((file) => file.id) }),
    run: operations(m),
    append: (org, event) => {
      org.log.push(event);
      m.project(org, event);
    },
    project,
    showAgent: ({ revisionIds: _r, activeRevisionId, ...agent }) => ({
      ...agent,
      isPublished: activeRevisionId !== undefined,
    }),
    showDrive: (drive) => ({ ...drive }),
    showFile: ({ driveId: _d, ...file }) => ({ kind: 'file', ...file }),
    showServer: ({ tools: _t, ...server }) => ({ ...server }),
    showTool: (tool) => ({ ...tool }),
    finish: (_ctx, answer) => answer,
    write: (res, _ctx, answer) => {
      const text = answer.raw ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
      const type: Record<string, string> = text.length ? { 'content-type': 'application/json' } : {};
      res.writeHead(answer.status, { ...type, ...answer.headers });
      res.end(answer.status === 204 ? undefined : text);
    },
  };
  return Object.assign(m, plain, parts);
}
