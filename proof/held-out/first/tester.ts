import assert from 'node:assert/strict';
import type { Facts } from './base/facts.ts';

export interface Answer {
  status: number;
  ok: boolean;
  headers: Headers;
  text: string;
  body: any;
}

/** The ten operations as one caller sees them. */
export class Api {
  baseUrl: string;
  treePathParameter: string;
  headers: Record<string, string>;

  constructor(baseUrl: string, treePathParameter: string, headers: Record<string, string>) {
    this.baseUrl = baseUrl;
    this.treePathParameter = treePathParameter;
    this.headers = headers;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, ok: response.ok, headers: response.headers, text, body: parse(text) };
  }

  agents(): Promise<Answer> {
    return this.send('GET', '/agents');
  }
  publish(agentId: string, revisionId: string): Promise<Answer> {
    return this.send('POST', `/agents/${encode(agentId)}/publish`, { revisionId });
  }
  createDrive(name: string): Promise<Answer> {
    return this.send('POST', '/drives', { name });
  }
  drives(query = ''): Promise<Answer> {
    return this.send('GET', `/drives${query}`);
  }
  file(driveId: string, id: string): Promise<Answer> {
    return this.send('GET', `/drives/${encode(driveId)}/files/${encode(id)}`);
  }
  move(driveId: string, id: string, path: unknown): Promise<Answer> {
    return this.send('PATCH', `/drives/${encode(driveId)}/files/${encode(id)}`, { path });
  }
  deleteTree(driveId: string, path: string): Promise<Answer> {
    return this.send(
      'DELETE',
      `/drives/${encode(driveId)}/items/tree?${encode(this.treePathParameter)}=${encode(path)}`,
    );
  }
  createServer(name: string, url: string): Promise<Answer> {
    return this.send('POST', '/mcp-servers', { name, url });
  }
  servers(): Promise<Answer> {
    return this.send('GET', '/mcp-servers');
  }
  tools(serverId: string): Promise<Answer> {
    return this.send('GET', `/mcp-servers/${encode(serverId)}/tools`);
  }
}

export interface FileReference {
  driveId: string;
  id: string;
  path: string;
}

/** What a demonstration works with: callers with every kind of key, and the facts in handy form. */
export class Tester {
  baseUrl: string;
  facts: Facts;
  one: Api;
  two: Api;
  oneBearer: Api;
  twoBearer: Api;
  anonymous: Api;
  stranger: Api;

  constructor(baseUrl: string, facts: Facts) {
    this.baseUrl = baseUrl;
    this.facts = facts;
    const [first, second] = facts.organizations;
    this.one = this.caller({ 'x-api-key': first.apiKey });
    this.two = this.caller({ 'x-api-key': second.apiKey });
    this.oneBearer = this.caller({ authorization: `Bearer ${first.apiKey}` });
    this.twoBearer = this.caller({ authorization: `Bearer ${second.apiKey}` });
    this.anonymous = this.caller({});
    this.stranger = this.caller({ 'x-api-key': 'no-such-key' });
  }

  caller(headers: Record<string, string>): Api {
    return new Api(this.baseUrl, this.facts.treePathParameter, headers);
  }

  get key(): string {
    return this.facts.organizations[0].apiKey;
  }

  /** The files of a drive; the first organization's first drive unless told. */
  files(drive = 0, organization: 0 | 1 = 0): FileReference[] {
    const { id, files } = given(this.facts.organizations[organization].drives[drive]);
    return files.map((file) => ({ driveId: id, ...file }));
  }

  file(index = 0, drive = 0, organization: 0 | 1 = 0): FileReference {
    return given(this.files(drive, organization)[index]);
  }
  fileAt(path: string, drive = 0): FileReference {
    return given(this.files(drive).find((file) => file.path === path));
  }
  driveId(index = 0, organization: 0 | 1 = 0): string {
    return given(this.facts.organizations[organization].drives[index]).id;
  }
  agent(index = 0, organization: 0 | 1 = 0): { id: string; revisionIds: string[] } {
    return given(this.facts.organizations[organization].agents[index]);
  }
  revision(index = 0, agent = 0, organization: 0 | 1 = 0): string {
    return given(this.agent(agent, organization).revisionIds[index]);
  }
  serverId(index = 0, organization: 0 | 1 = 0): string {
    return given(this.facts.organizations[organization].mcpServers[index]).id;
  }

  /** Metadata of a file of the first organization. */
  async read(file: FileReference): Promise<Answer['body']> {
    const answer = await this.one.file(file.driveId, file.id);
    assert.ok(answer.ok, `reading ${file.path}: ${answer.status}`);
    return answer.body;
  }

  async gone(file: FileReference): Promise<boolean> {
    return !(await this.one.file(file.driveId, file.id)).ok;
  }

  /** Moves files of the first drive to these paths. */
  async place(...paths: string[]): Promise<FileReference[]> {
    const placed: FileReference[] = [];
    for (const [index, path] of paths.entries()) {
      const file = this.file(index);
      const answer = await this.one.move(file.driveId, file.id, path);
      assert.ok(answer.ok, `placing ${path}: ${answer.status}`);
      placed.push({ ...file, path });
    }
    return placed;
  }

  /** Ids of all the drives that the caller's list shows, page by page. */
  async allDriveIds(api: Api = this.one, limit = 100): Promise<string[]> {
    const ids: string[] = [];
    for (let offset = 0; ; offset += limit) {
      const { body } = await api.drives(`?limit=${limit}&offset=${offset}`);
      ids.push(...body.data.map((drive: { id: string }) => drive.id));
      if (body.data.length < limit) return ids;
    }
  }
}

export function given<T>(value: T | undefined): T {
  assert.notEqual(value, undefined, 'the facts lack something that a demonstration needs');
  return value as T;
}

export const byId = (items: { id: string }[], id: string) => items.find((item) => item.id === id) as Answer['body'];
export const ids = (items: { id: string }[]): string[] => items.map((item) => item.id);
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const encode = encodeURIComponent;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
