// A small client for the proofs: two organizations, two ways to send the key, and callers without a valid key.
import { setTimeout as pause } from 'node:timers/promises';
import type { Facts, OrganizationFacts } from '../catalogue.ts';

export interface Answer {
  status: number;
  ok: boolean;
  body: any;
  text: string;
  type: string;
  headers: Headers;
  json: boolean;
}
export type Via = 'x-api-key' | 'bearer' | 'none';

export class Caller {
  base: string;
  facts: Facts;
  key: string;
  via: Via;
  extra: Record<string, string>;
  constructor(base: string, facts: Facts, key: string, via: Via, extra: Record<string, string> = {}) {
    this.base = base;
    this.facts = facts;
    this.key = key;
    this.via = via;
    this.extra = extra;
  }
  with(extra: Record<string, string>): Caller {
    return new Caller(this.base, this.facts, this.key, this.via, extra);
  }
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = { ...this.extra };
    if (this.via === 'x-api-key') headers['x-api-key'] = this.key;
    if (this.via === 'bearer') headers.authorization = `Bearer ${this.key}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(this.base + path, {
      method,
      headers,
      redirect: 'manual',
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    let value: any,
      json = true;
    try {
      value = JSON.parse(text);
    } catch {
      json = false;
    }
    return {
      status: response.status,
      ok: response.status >= 200 && response.status < 300,
      body: value,
      text,
      json,
      type: response.headers.get('content-type') ?? '',
      headers: response.headers,
    };
  }
  agents(): Promise<Answer> {
    return this.send('GET', '/agents');
  }
  publish(agent: string, revisionId: string): Promise<Answer> {
    return this.send('POST', `/agents/${encodeURIComponent(agent)}/publish`, { revisionId });
  }
  makeDrive(name: string, more: object = {}): Promise<Answer> {
    return this.send('POST', '/drives', { name, ...more });
  }
  drives(query = '?limit=100'): Promise<Answer> {
    return this.send('GET', `/drives${query}`);
  }
  file(drive: string, file: string): Promise<Answer> {
    return this.send('GET', `/drives/${encodeURIComponent(drive)}/files/${encodeURIComponent(file)}`);
  }
  move(drive: string, file: string, path: unknown, more: object = {}): Promise<Answer> {
    return this.send('PATCH', `/drives/${encodeURIComponent(drive)}/files/${encodeURIComponent(file)}`, {
      path,
      ...more,
    });
  }
  removeTree(drive: string, path: string): Promise<Answer> {
    return this.send(
      'DELETE',
      `/drives/${encodeURIComponent(drive)}/items/tree?${encodeURIComponent(this.facts.treePathParameter)}=${encodeURIComponent(path)}`,
    );
  }
  makeMcp(name: string, url: string, more: object = {}): Promise<Answer> {
    return this.send('POST', '/mcp-servers', { name, url, ...more });
  }
  mcps(): Promise<Answer> {
    return this.send('GET', '/mcp-servers');
  }
  tools(id: string): Promise<Answer> {
    return this.send('GET', `/mcp-servers/${encodeURIComponent(id)}/tools`);
  }
}

type Three<T> = readonly [T, T, T, ...T[]];

// What an organization has at the start, as the seeds count it.
export interface Side {
  agents: readonly [Agent, Agent, Agent, Agent, Agent];
  drives: Three<{ id: string; files: Three<{ id: string }> }>;
  mcps: readonly [{ id: string }, { id: string }];
}
interface Agent {
  id: string;
  revisionIds: Three<string>;
}

export class Bench {
  facts: Facts;
  a: Caller;
  aBearer: Caller;
  b: Caller;
  bBearer: Caller;
  nobody: Caller;
  stranger: Caller;
  A: Side;
  B: Side;
  base: string;
  constructor(base: string, facts: Facts) {
    this.base = base;
    this.facts = facts;
    const [one, two] = facts.organizations;
    const side = ({ agents, drives, mcpServers: mcps }: OrganizationFacts) =>
      ({ agents, drives, mcps }) as unknown as Side;
    this.A = side(one);
    this.B = side(two);
    this.a = new Caller(base, facts, one.apiKey, 'x-api-key');
    this.aBearer = new Caller(base, facts, one.apiKey, 'bearer');
    this.b = new Caller(base, facts, two.apiKey, 'x-api-key');
    this.bBearer = new Caller(base, facts, two.apiKey, 'bearer');
    this.nobody = new Caller(base, facts, '', 'none');
    this.stranger = new Caller(base, facts, 'not-a-valid-key', 'x-api-key');
  }
  as(key: string, via: Via = 'x-api-key'): Caller {
    return new Caller(this.base, this.facts, key, via);
  }
  wait(ms: number): Promise<unknown> {
    return pause(ms);
  }
  settle(): Promise<unknown> {
    return pause(this.facts.settleMs + 60);
  }
  async allDrives(caller: Caller = this.a): Promise<any[]> {
    const found: any[] = [];
    for (let offset = 0; offset < 1000; ) {
      const page = await caller.drives(`?limit=100&offset=${offset}`);
      const data = page.body?.data;
      if (!Array.isArray(data) || data.length === 0) return found;
      found.push(...data);
      offset += data.length;
    }
    return found;
  }
  // All files of a drive that can be read now, by path.
  async paths(drive = 0, caller: Caller = this.a, side: Side = this.A): Promise<Map<string, any>> {
    const found = new Map<string, any>();
    for (const { id } of side.drives[drive]!.files) {
      const answer = await caller.file(side.drives[drive]!.id, id);
      if (answer.ok) found.set(answer.body.path, answer.body);
    }
    return found;
  }
  // The id of the file that has this path at the start.
  async fileAt(path: string, drive = 0, caller: Caller = this.a, side: Side = this.A): Promise<string> {
    const hit = (await this.paths(drive, caller, side)).get(path);
    if (!hit) throw new Error(`no file at ${path}`);
    return hit.id;
  }
}
