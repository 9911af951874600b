import assert from 'node:assert/strict';
import type { Op } from './model.ts';
import { OPS } from './model.ts';
import type { CallOptions, Reply, Tester } from './tester.ts';
import { ok, query } from './tester.ts';
import type { Demo } from './variant.ts';

type Rule = 'string' | 'integer' | 'boolean' | 'date' | 'object' | 'path' | readonly string[];

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|\+00:00)$/;

function fits(value: unknown, rule: Rule): boolean {
  if (typeof rule !== 'string') return typeof value === 'string' && rule.includes(value);
  if (rule === 'integer') return Number.isInteger(value);
  if (rule === 'date') return typeof value === 'string' && ISO.test(value) && isDay(value);
  if (rule === 'path') return typeof value === 'string' && value.startsWith('/');
  if (rule === 'object') return typeof value === 'object' && !!value && !Array.isArray(value);
  return typeof value === rule;
}

function isDay(value: string): boolean {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value.slice(0, 10);
}

const DRIVE: Record<string, Rule> = {
  id: 'string',
  organizationId: 'string',
  name: 'string',
  createdAt: 'date',
  updatedAt: 'date',
};
const SERVER: Record<string, Rule> = { ...DRIVE, url: 'string', type: ['sse', 'streamableHttp'] };
const AGENT: Record<string, Rule> = {
  id: 'string',
  name: 'string',
  description: 'string',
  isPublished: 'boolean',
  hasChanges: 'boolean',
  createdAt: 'date',
  updatedAt: 'date',
};
const FILE: Record<string, Rule> = {
  kind: ['file'],
  id: 'string',
  name: 'string',
  path: 'path',
  status: ['processing', 'ready', 'error'],
  modifiedAt: 'date',
  size: 'integer',
  contentType: 'string',
  description: 'string',
  summary: 'string',
  metadata: 'object',
};

function conforms(item: any, rules: Record<string, Rule>): void {
  assert.ok(fits(item, 'object'));
  for (const [name, rule] of Object.entries(rules)) {
    if (name in item) assert.ok(fits(item[name], rule), `${name}: ${JSON.stringify(item[name])}`);
  }
}

export function complete(item: any, names: readonly string[]): void {
  assert.ok(fits(item, 'object'));
  for (const name of names) assert.ok(name in item, `${name} is missing`);
}

function distinct(items: readonly any[]): void {
  assert.equal(new Set(items.map((item) => item.id)).size, items.length, 'ids repeat');
}

function listed(items: readonly any[], rules: Record<string, Rule>, known: readonly any[]): void {
  for (const item of items) conforms(item, rules);
  distinct(items);
  for (const { id } of known)
    assert.ok(
      items.some((item) => item.id === id),
      `${id} is not listed`,
    );
}

export async function agentsSound(t: Tester, org = 0): Promise<any[]> {
  const reply = await t.call('GET', '/agents', { org });
  assert.equal(reply.status, 200);
  assert.ok(Array.isArray(reply.body));
  listed(reply.body, AGENT, t.org(org).agents);
  foreign(reply.body, t.org(1 - org).agents);
  return reply.body;
}

function foreign(items: readonly any[], others: readonly { id: string }[]): void {
  for (const { id } of others) assert.ok(!items.some((item) => item.id === id), 'not its own');
}

export async function drivesSound(t: Tester, org = 0): Promise<any[]> {
  const reply = await t.page({ limit: 100, offset: 0 }, org);
  assert.ok(ok(reply));
  assert.ok(Array.isArray(reply.body?.data));
  const { pagination } = reply.body;
  conforms(pagination, { limit: 'integer', offset: 'integer', total: 'integer' });
  complete(pagination, ['limit', 'offset', 'total']);
  const all = await t.drives(org);
  listed(all, DRIVE, t.org(org).drives);
  foreign(all, t.org(1 - org).drives);
  assert.ok(new Set(all.map((drive) => drive.organizationId)).size <= 1);
  return all;
}

export function fileSound(reply: Reply, id: string): any {
  assert.ok(ok(reply), `status ${reply.status}`);
  conforms(reply.body, FILE);
  assert.equal(reply.body.id, id);
  return reply.body;
}

export async function filesSound(t: Tester, org = 0): Promise<void> {
  for (const [d, drive] of t.org(org).drives.entries()) {
    for (const [f, file] of drive.files.entries()) fileSound(await t.get(f, d, org), file.id);
  }
}

export async function serversSound(t: Tester, org = 0): Promise<any[]> {
  const reply = await t.call('GET', '/mcp-servers', { org });
  assert.equal(reply.status, 200);
  assert.ok(Array.isArray(reply.body));
  listed(reply.body, SERVER, t.org(org).mcpServers);
  foreign(reply.body, t.org(1 - org).mcpServers);
  assert.ok(new Set(reply.body.map((server: any) => server.organizationId)).size <= 1);
  return reply.body;
}

/** Looks like the id of an MCP server, and is none: ids are random, so their end is looked at. */
export function unknownServer(t: Tester, org = 0): string {
  const { id = '' } = t.org(org).mcpServers[0] ?? {};
  return `${id.slice(0, -2)}${id.endsWith('zz') ? 'yy' : 'zz'}`;
}

export async function toolsSound(t: Tester, org = 0): Promise<void> {
  for (const index of t.org(org).mcpServers.keys()) {
    const reply = await t.tools(index, org);
    assert.equal(reply.status, 200);
    assert.ok(Array.isArray(reply.body?.tools));
    for (const tool of reply.body.tools) {
      complete(tool, ['name', 'description']);
      conforms(tool, { name: 'string', description: 'string' });
    }
  }
  const unknown = unknownServer(t, org);
  assert.equal((await t.call('GET', `/mcp-servers/${unknown}/tools`, { org })).status, 404);
}

export function driveMade(reply: Reply, name: string): any {
  assert.ok(ok(reply), `status ${reply.status}: ${reply.text}`);
  conforms(reply.body, DRIVE);
  complete(reply.body, Object.keys(DRIVE));
  assert.equal(reply.body.name, name);
  return reply.body;
}

export async function driveCreation(t: Tester, name = 'Fresh drive', org = 0): Promise<void> {
  const made = driveMade(await t.newDrive(name, org), name);
  await t.settle();
  const found = (await t.drives(org)).filter((drive) => drive.id === made.id);
  assert.equal(found.length, 1);
  for (const key of ['name', 'organizationId', 'createdAt']) assert.equal(found[0][key], made[key]);
  assert.ok(!(await t.drives(1 - org)).some((drive) => drive.id === made.id));
}

export const GOOD_URL = 'https://tools.example.com/mcp';

export function serverMade(reply: Reply, name: string, url: string): any {
  assert.ok(ok(reply), `status ${reply.status}: ${reply.text}`);
  conforms(reply.body, SERVER);
  complete(reply.body, Object.keys(SERVER));
  assert.equal(reply.body.name, name);
  assert.equal(reply.body.url, url);
  return reply.body;
}

export async function serverCreation(t: Tester, name = 'Fresh server', url = GOOD_URL, org = 0) {
  const made = serverMade(await t.newServer(name, url, org), name, url);
  await t.settle();
  const found = (await t.servers(org)).filter((server) => server.id === made.id);
  assert.equal(found.length, 1);
  for (const key of ['name', 'url', 'type', 'organizationId', 'createdAt']) assert.equal(found[0][key], made[key]);
  assert.ok(!(await t.servers(1 - org)).some((server) => server.id === made.id));
}

export async function moving(t: Tester, path: string, f = 0, d = 0, org = 0): Promise<void> {
  const id = t.fileId(f, d, org);
  const shown = fileSound(await t.move(path, f, d, org), id);
  if ('path' in shown) assert.equal(shown.path, path);
  await t.settle();
  assert.equal(fileSound(await t.get(f, d, org), id).path, path);
}

export function deletionSound(reply: Reply): void {
  assert.ok(ok(reply), `status ${reply.status}: ${reply.text}`);
  conforms(reply.body, { message: 'string', jobId: 'string', documentCount: 'integer' });
  complete(reply.body, ['message', 'jobId', 'documentCount']);
}

/** Files at `paths` (in the first drive): after the deletion those below `tree`, and only those, are gone. */
export async function deleting(t: Tester, paths: readonly string[], tree: string): Promise<void> {
  const left = await t.left(paths, tree);
  assert.deepEqual(
    left,
    paths.filter((path) => !path.startsWith(`${tree}/`)),
  );
}

export async function publishing(t: Tester, agent = 0, revision = 0, org = 0): Promise<void> {
  const reply = await t.publish(agent, revision, org);
  assert.ok(ok(reply), `status ${reply.status}: ${reply.text}`);
  await t.settle();
  const agents = await agentsSound(t, org);
  const found = agents.find((item) => item.id === t.org(org).agents[agent]?.id);
  assert.ok(found.isPublished !== false, 'not published');
}

/** A fault is shown when what holds on every correct server does not hold. */
export function breaks(check: (t: Tester) => Promise<unknown>): Demo {
  return async (t) => {
    try {
      await check(t);
      return false;
    } catch (error) {
      if (error instanceof assert.AssertionError) return true;
      throw error;
    }
  };
}

/** A well-formed request for each operation; harmless things are used for the ones that write. */
export function callOp(t: Tester, op: Op, options: CallOptions = {}): Promise<Reply> {
  const { org = 0 } = options;
  const file = `/drives/${t.driveId(1, org)}/files/${t.fileId(1, 1, org)}`;
  const agent = t.org(org).agents[0];
  const server = t.org(org).mcpServers[0];
  const post = (body: unknown): CallOptions => ({ body, ...options });
  const tree = query({ [t.facts.treePathParameter]: '/no such tree' });
  const requests: Record<Op, () => Promise<Reply>> = {
    listAgents: () => t.call('GET', '/agents', options),
    publish: () => t.call('POST', `/agents/${agent?.id}/publish`, post({ revisionId: agent?.revisionIds[1] })),
    createDrive: () => t.call('POST', '/drives', post({ name: 'Probe drive' })),
    listDrives: () => t.call('GET', '/drives?limit=5', options),
    getFile: () => t.call('GET', file, options),
    moveFile: () => t.call('PATCH', file, post({ path: '/probe/moved.txt' })),
    deleteTree: () => t.call('DELETE', `/drives/${t.driveId(1, org)}/items/tree${tree}`, options),
    createServer: () => t.call('POST', '/mcp-servers', post({ name: 'Probe server', url: GOOD_URL })),
    listServers: () => t.call('GET', '/mcp-servers', options),
    listTools: () => t.call('GET', `/mcp-servers/${server?.id}/tools`, options),
  };
  return requests[op]();
}

/** Every way of having no valid key is answered with 401, every way of having one is not. */
export async function authSound(t: Tester, ops: readonly Op[] = OPS): Promise<void> {
  for (const op of ops) {
    for (const bad of badKeys(t)) {
      assert.equal((await callOp(t, op, bad)).status, 401, `${op} ${JSON.stringify(bad)}`);
    }
    for (const via of ['x', 'bearer'] as const) {
      assert.notEqual((await callOp(t, op, { via })).status, 401, `${op} ${via}`);
    }
  }
}

export function badKeys(t: Tester): CallOptions[] {
  const key = t.org().apiKey;
  const wrong = `${key.slice(0, -4)}0000`;
  return [{ via: 'none' }, { key: wrong }, { key: wrong, via: 'bearer' }, { key: key.slice(0, -1) }];
}
