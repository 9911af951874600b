import {
  type Answer,
  type Call,
  checkPath,
  integerValue,
  objectBody,
  queryValue,
  Refusal,
  stringField,
} from './call.ts';
import type { Choices } from './choices.ts';
import type { Agent, Drive, DriveFile, McpServer, Owned } from './sandbox.ts';

/** What of a thing is shown, in its order. Names that end with `At` are times; what is undefined is left out. */
function show(choices: Choices, thing: object, names: string): Record<string, unknown> {
  const fields = new Map(Object.entries(thing));
  const shown = names.split(' ').map((name) => {
    const value = fields.get(name);
    return [name, name.endsWith('At') ? choices.timestamp(value) : value] as const;
  });
  return choices.dress(Object.fromEntries(shown.filter(([, value]) => value !== undefined)));
}

function agentView(choices: Choices, agent: Agent): Record<string, unknown> {
  const flags = { isPublished: agent.active !== undefined, hasChanges: agent.active !== agent.revisionIds.at(-1) };
  return show(choices, { ...agent, ...flags }, 'id name description isPublished hasChanges createdAt updatedAt');
}

function driveView(choices: Choices, drive: Drive): Record<string, unknown> {
  return show(choices, drive, 'id organizationId name createdAt updatedAt');
}

function fileView(choices: Choices, file: DriveFile, now: number): Record<string, unknown> {
  const status = now < file.readyAt ? 'processing' : file.settledStatus;
  const names = 'kind id name path status modifiedAt size contentType description summary metadata';
  return show(choices, { kind: 'file', ...file, status }, names);
}

function mcpServerView(choices: Choices, server: McpServer): Record<string, unknown> {
  return show(choices, server, 'id organizationId name url type createdAt updatedAt');
}

/** What the caller's organization sees of its things, in the order of lists. */
function ownListed<T extends Owned>(call: Call, things: ReadonlyMap<string, T>): T[] {
  const own = [...things.values()].filter(({ organizationId }) => organizationId === call.organizationId);
  return call.sandbox.choices.order(own.filter(({ listedAt }) => listedAt <= call.now));
}

/** The thing of the caller's organization that the first id of the path names. */
function ownNamed<T extends Owned>(call: Call, things: ReadonlyMap<string, T>, status: number, noun: string): T {
  const thing = things.get(call.ids[0] ?? '');
  if (thing?.organizationId === call.organizationId) return thing;
  throw new Refusal(status, `No such ${noun}`);
}

/** What a new drive or MCP server has. */
function created(call: Call, kind: 'drive' | 'mcpServer', name: string): Owned {
  const { sandbox, organizationId, now } = call;
  const createdAt = Date.now();
  const times = { createdAt, updatedAt: createdAt, listedAt: now + sandbox.choices.settleMs };
  return { id: sandbox.nextId(kind), organizationId, name: sandbox.choices.name(name), ...times };
}

/** GET /agents */
function listAgents(call: Call): Answer {
  const { agents, choices } = call.sandbox;
  return { status: 200, body: ownListed(call, agents).map((agent) => agentView(choices, agent)) };
}

/** POST /agents/{agentId}/publish. Without `revisionId` the odd variant takes the newest revision. */
function publishAgent(call: Call): Answer {
  const { sandbox } = call;
  const { variant, success, refusal } = sandbox.choices;
  const agent = ownNamed(call, sandbox.agents, refusal.unknownAgent, 'agent');
  const revisionId = stringField(call, objectBody(call), 'revisionId', agent.revisionIds.at(-1) ?? '');
  if (!agent.revisionIds.includes(revisionId)) throw new Refusal(refusal.unknownRevision, 'No such revision');
  if (variant === 'odd' && agent.requested === revisionId) {
    throw new Refusal(refusal.republication, 'This revision is published already');
  }
  agent.requested = revisionId;
  sandbox.later(call.now, () => {
    agent.active = revisionId;
    // Publishing is an update of the agent only for the plain variant.
    if (variant === 'plain') agent.updatedAt = Date.now();
  });
  return { status: success.publish, body: variant === 'odd' ? 'queued' : { agentId: agent.id, revisionId } };
}

/** POST /drives */
function createDrive(call: Call): Answer {
  const { choices, drives } = call.sandbox;
  const name = stringField(call, objectBody(call), 'name', 'Untitled drive');
  const drive: Drive = { ...created(call, 'drive', name), files: new Map() };
  drives.set(drive.id, drive);
  return { status: choices.success.createDrive, body: driveView(choices, drive) };
}

/** GET /drives. `total` counts what the list can show, so it lags behind creations as the list does. */
function listDrives(call: Call): Answer {
  const { choices, drives } = call.sandbox;
  const limit = integerValue(call, 'limit', [1, 100], choices['pagingDefaults.limit']);
  // It has no upper bound: one beyond the safe integers would otherwise be written wrongly.
  const sentOffset = integerValue(call, 'offset', [0, Number.POSITIVE_INFINITY], 0);
  const offset = Math.min(sentOffset, Number.MAX_SAFE_INTEGER);
  const listed = ownListed(call, drives);
  const data = listed.slice(offset, offset + limit).map((drive) => driveView(choices, drive));
  const pagination = choices.dress({ limit, offset, total: listed.length });
  return { status: choices.success.listDrives, body: choices.dress({ data, pagination }) };
}

function ownDrive(call: Call): Drive {
  const { drives, choices } = call.sandbox;
  return ownNamed(call, drives, choices.refusal.unknownDrive, 'drive');
}

function ownFile(call: Call): { drive: Drive; file: DriveFile } {
  const drive = ownDrive(call);
  const file = drive.files.get(call.ids[1] ?? '');
  if (file !== undefined) return { drive, file };
  throw new Refusal(call.sandbox.choices.refusal.unknownFile, 'No such file');
}

/** GET /drives/{driveId}/files/{fileId} */
function getFile(call: Call): Answer {
  const { choices } = call.sandbox;
  return { status: choices.success.getFile, body: fileView(choices, ownFile(call).file, call.now) };
}

/** PATCH /drives/{driveId}/files/{fileId}. Without `path` the odd variant changes nothing. */
function updateFile(call: Call): Answer {
  const { choices } = call.sandbox;
  const { drive, file } = ownFile(call);
  const path = stringField(call, objectBody(call), 'path', undefined);
  if (path !== undefined) move(call, drive, file, checkPath(call, path));
  return { status: choices.success.updateFile, body: fileView(choices, file, call.now) };
}

/**
 * The odd variant lets two files share a path: only the id tells files apart. A move changes no content: it keeps
 * `modifiedAt` and looks at the file again instead.
 */
function move(call: Call, drive: Drive, file: DriveFile, path: string): void {
  const { variant, settleMs, refusal } = call.sandbox.choices;
  const isTaken = drive.files.values().some((other) => other !== file && other.path === path);
  if (isTaken && variant === 'plain') throw new Refusal(refusal.pathTaken, 'Another file has this path');
  file.path = path;
  file.name = path.split('/').findLast((segment) => segment !== '') ?? file.name;
  if (variant === 'odd') file.readyAt = call.now + settleMs;
  else file.modifiedAt = Date.now();
}

/** The tree holds what lies below the directory; a file with the very path of the directory is not in it. */
function isInTree(file: DriveFile, tree: string): boolean {
  return file.path.startsWith(`${tree.replace(/\/+$/, '')}/`);
}

/** DELETE /drives/{driveId}/items/tree. The odd variant counts 0 for a tree that holds no file. */
function deleteTree(call: Call): Answer {
  const { sandbox } = call;
  const { choices } = sandbox;
  const { variant, treePathParameter, refusal } = choices;
  const drive = ownDrive(call);
  const sent = queryValue(call, treePathParameter);
  if (sent === undefined) throw new Refusal(refusal['treePath.notSent'], `The query needs ${treePathParameter}`);
  const tree = checkPath(call, sent);
  const files = [...drive.files.values()].filter((file) => isInTree(file, tree));
  if (files.length === 0 && variant === 'plain') throw new Refusal(refusal.unknownTree, 'No such tree');
  // Only what was asked for goes: a file moved away in time stays, one moved in later stays too.
  sandbox.later(call.now, () => {
    for (const file of files) if (isInTree(file, tree)) drive.files.delete(file.id);
  });
  const message = variant === 'odd' ? '' : 'Tree deleted';
  const body = choices.dress({ message, jobId: sandbox.nextId('job'), documentCount: files.length });
  return { status: choices.success.deleteTree, body };
}

/** POST /mcp-servers. Any string is taken as `url`: its form is not stated. */
function createMcpServer(call: Call): Answer {
  const { choices, mcpServers } = call.sandbox;
  const body = objectBody(call);
  const name = stringField(call, body, 'name', 'Unnamed server');
  const url = stringField(call, body, 'url', 'about:blank');
  const server = { ...created(call, 'mcpServer', name), url, type: choices.newServerType, tools: [] };
  mcpServers.set(server.id, server);
  return { status: choices.success.createMcpServer, body: mcpServerView(choices, server) };
}

/** GET /mcp-servers */
function listMcpServers(call: Call): Answer {
  const { choices, mcpServers } = call.sandbox;
  return { status: 200, body: ownListed(call, mcpServers).map((server) => mcpServerView(choices, server)) };
}

/** GET /mcp-servers/{mcpServerId}/tools. A new server has tools at once: none. */
function listTools(call: Call): Answer {
  const { choices, mcpServers } = call.sandbox;
  const { tools } = ownNamed(call, mcpServers, 404, 'MCP server');
  return { status: 200, body: choices.dress({ tools: tools.map((tool) => choices.dress({ ...tool })) }) };
}

/** A star stands for one id. */
const ROUTES: readonly (readonly [method: string, path: string, operation: (call: Call) => Answer])[] = [
  ['GET', '/agents', listAgents],
  ['POST', '/agents/*/publish', publishAgent],
  ['POST', '/drives', createDrive],
  ['GET', '/drives', listDrives],
  ['GET', '/drives/*/files/*', getFile],
  ['PATCH', '/drives/*/files/*', updateFile],
  ['DELETE', '/drives/*/items/tree', deleteTree],
  ['POST', '/mcp-servers', createMcpServer],
  ['GET', '/mcp-servers', listMcpServers],
  ['GET', '/mcp-servers/*/tools', listTools],
];

/** Finds the operation and the ids in its path, or refuses with 404 or 405. */
export function findOperation(method: string, segments: readonly string[]) {
  const atPath = ROUTES.flatMap(([routeMethod, path, operation]) => {
    const parts = path.split('/').slice(1);
    const fits = parts.length === segments.length && parts.every((part, at) => part === '*' || part === segments[at]);
    return fits ? [{ routeMethod, operation, ids: segments.filter((_, at) => parts[at] === '*') }] : [];
  });
  const found = atPath.find(({ routeMethod }) => routeMethod === method);
  if (found !== undefined) return found;
  if (atPath.length === 0) throw new Refusal(404, 'No such address');
  const allow = atPath.map(({ routeMethod }) => routeMethod).join(', ');
  throw new Refusal(405, 'This method is not offered here', { allow });
}
