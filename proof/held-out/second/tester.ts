import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Facts, OrganizationFacts } from './model.ts';

export interface Reply {
  status: number;
  body: any;
  text: string;
  headers: IncomingHttpHeaders;
}
export interface CallOptions {
  org?: number;
  via?: 'x' | 'bearer' | 'none';
  key?: string;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}
interface Wire {
  method: string;
  url: URL | string;
  headers: Record<string, string>;
  text: string | undefined;
}

function send(wire: Wire): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const out = request(wire.url, { method: wire.method, headers: wire.headers, agent: false });
    out.on('error', reject);
    out.on('response', (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const packed = incoming.headers['content-encoding'] === 'gzip';
        const whole = Buffer.concat(parts);
        const text = (packed ? gunzipSync(whole) : whole).toString('utf8');
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, text, body: parsed(text) });
      });
    });
    out.end(wire.text);
  });
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const ok = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300;
export const query = (values: Record<string, string | number>): string =>
  `?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

export interface Tester {
  baseUrl: string;
  facts: Facts;
  org(index?: number): OrganizationFacts;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  settle(): Promise<void>;
  agents(org?: number): Promise<any[]>;
  publish(agent: number, revision: number, org?: number): Promise<Reply>;
  page(values: Record<string, string | number>, org?: number): Promise<Reply>;
  drives(org?: number): Promise<any[]>;
  newDrive(name: string, org?: number): Promise<Reply>;
  driveId(drive?: number, org?: number): string;
  fileId(file?: number, drive?: number, org?: number): string;
  get(file?: number, drive?: number, org?: number): Promise<Reply>;
  files(drive?: number, org?: number): Promise<any[]>;
  move(path: unknown, file?: number, drive?: number, org?: number): Promise<Reply>;
  del(tree: string, drive?: number, org?: number): Promise<Reply>;
  servers(org?: number): Promise<any[]>;
  newServer(name: string, url: string, org?: number): Promise<Reply>;
  tools(server?: number, org?: number): Promise<Reply>;
  plant(paths: readonly string[], drive?: number, org?: number): Promise<void>;
  left(paths: readonly string[], tree: string): Promise<string[]>;
}

function keyHeaders(key: string, via: 'x' | 'bearer' | 'none'): Record<string, string> {
  if (via === 'none') return {};
  return via === 'x' ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}` };
}

/** Locks and rate limits are told by Retry-After: such an answer is no verdict. */
async function patiently(wire: Wire): Promise<Reply> {
  for (let turn = 0; ; turn += 1) {
    const reply = await send(wire);
    const wait = reply.headers['retry-after'];
    if (!wait || turn > 5 || ![409, 423, 429, 503].includes(reply.status)) return reply;
    await new Promise((resolve) => setTimeout(resolve, Number(wait) * 1000));
  }
}

export function tester(baseUrl: string, facts: Facts): Tester {
  const orgOf = (index = 0) => facts.organizations[index] as OrganizationFacts;
  const call = (method: string, path: string, options: CallOptions = {}) => {
    const { org = 0, via = 'x', key = orgOf(org).apiKey, body, raw, headers } = options;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const typed = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const length = text === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) };
    const all = { ...keyHeaders(key, via), ...typed, ...length, ...headers } as Record<string, string>;
    return patiently({ method, url: `${baseUrl}${path}`, headers: all, text });
  };
  const list = (reply: Reply): any[] => (Array.isArray(reply.body) ? reply.body : []);
  const driveId = (drive = 0, org = 0) => orgOf(org).drives[drive]?.id ?? '';
  const fileId = (file = 0, drive = 0, org = 0) => orgOf(org).drives[drive]?.files[file]?.id ?? '';
  const filePath = (file = 0, drive = 0, org = 0) => `/drives/${driveId(drive, org)}/files/${fileId(file, drive, org)}`;
  const get = (file = 0, drive = 0, org = 0) => call('GET', filePath(file, drive, org), { org });
  const page = (values: Record<string, string | number>, org = 0) => call('GET', `/drives${query(values)}`, { org });
  const move = (path: unknown, file = 0, drive = 0, org = 0) =>
    call('PATCH', filePath(file, drive, org), { org, body: { path } });
  const del = (tree: string, drive = 0, org = 0) => {
    const values = query({ [facts.treePathParameter]: tree });
    return call('DELETE', `/drives/${driveId(drive, org)}/items/tree${values}`, { org });
  };
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, facts.settleMs));
  const plant = async (paths: readonly string[], drive = 0, org = 0) => {
    for (const [index, path] of paths.entries()) await move(path, index, drive, org);
    await settle();
  };
  const drives = async (org = 0) => {
    const all: any[] = [];
    for (let offset = 0; offset < 1000; offset += 100) {
      const found: unknown = (await page({ limit: 100, offset }, org)).body?.data;
      const data = Array.isArray(found) ? found : [];
      all.push(...data);
      if (data.length < 100) break;
    }
    return all;
  };
  return {
    baseUrl,
    facts,
    org: orgOf,
    call,
    settle,
    agents: async (org = 0) => list(await call('GET', '/agents', { org })),
    publish: (agent, revision, org = 0) => {
      const { id = '', revisionIds = [] } = orgOf(org).agents[agent] ?? {};
      const body = { revisionId: revisionIds[revision] };
      return call('POST', `/agents/${id}/publish`, { org, body });
    },
    page,
    drives,
    newDrive: (name, org = 0) => call('POST', '/drives', { org, body: { name } }),
    driveId,
    fileId,
    get,
    files: async (drive = 0, org = 0) => {
      const count = orgOf(org).drives[drive]?.files.length ?? 0;
      const all = Array.from({ length: count }, (_, index) => get(index, drive, org));
      return (await Promise.all(all)).filter(ok).map((reply) => reply.body);
    },
    move,
    del,
    servers: async (org = 0) => list(await call('GET', '/mcp-servers', { org })),
    newServer: (name, url, org = 0) => call('POST', '/mcp-servers', { org, body: { name, url } }),
    tools: (server = 0, org = 0) => call('GET', `/mcp-servers/${orgOf(org).mcpServers[server]?.id}/tools`, { org }),
    plant,
    left: async (paths, tree) => {
      await plant(paths);
      await del(tree);
      await settle();
      const replies = await Promise.all(paths.map((_, index) => get(index)));
      return paths.filter((_, index) => ok(replies[index] as Reply));
    },
  };
}
