import type { Random } from '../../test/model/random.ts';
import type { Client, Reply } from '../../test/support/client.ts';
import { keyIdOf } from '../../test/support/key-id.ts';
import { after, between, type Effect, nothing } from './state-lines.ts';

/** One organization that only one client writes to, as this client knows it. */
export interface Own {
  id: string;
  key: string;
  /** What was acknowledged. */
  lines: string[];
  /** The lines at its start, to which a reset leads. */
  first: readonly string[];
  /** A snapshot that was taken, and its lines. */
  taken: { snapshot: unknown; lines: readonly string[] };
}

/** One write: how it is sent, and what it does, known as far as possible before, and wholly after its answer. */
export interface Write {
  name: string;
  send(): Promise<Reply>;
  /** What it does, where new ids are any. */
  expected: Effect;
  /** What it did, by its answer. */
  effectOf(reply: Reply): Effect;
}

interface Tools {
  own: Own;
  api: Client;
  control: Client;
  random: Random;
  /** A text that nobody used before. */
  fresh(): string;
}

const someId = '00000000-0000-0000-0000-000000000000';

/** The next write of a client. */
export function nextWrite(tools: Tools): Write {
  const makers = [createDrive, createDrive, createServer, createFile, createFile, createFile, move, move, deleteTree];
  const rare = [issueKey, revokeKey, createAgent, reset, putBack];
  const make = tools.random.pick(tools.random.chance(0.75) ? makers : rare);
  return make(tools) ?? createDrive(tools);
}

function createDrive({ api, fresh, own }: Tools): Write {
  const name = fresh();
  const added = (id: string) => [`drive ${id} ${name}`, `listed drives ${id}`];
  return creation('create a drive', () => api('POST', '/drives', { key: own.key, json: { name } }), added);
}

function createServer({ api, fresh, own }: Tools): Write {
  const [name, url] = [fresh(), `https://mcp.example.com/${fresh()}`];
  const added = (id: string) => [`server ${id} ${name} ${url}`, `listed mcpServers ${id}`];
  return creation('create a server', () => api('POST', '/mcp-servers', { key: own.key, json: { name, url } }), added);
}

function createAgent({ control, fresh, own }: Tools): Write {
  const name = fresh();
  const json = { name, revisions: [{}, {}] };
  const added = (id: string) => [`agent ${id} ${name} undefined 2`, `listed agents ${id}`];
  return creation('create an agent', () => control('POST', `/organizations/${own.id}/agents`, { json }), added);
}

function createFile({ control, fresh, own, random }: Tools): Write | undefined {
  const drive = anyOf(random, own, /^drive (\S+)/);
  if (drive === undefined) return undefined;
  const path = `/${random.pick(['docs', 'images', 'docs/deep'])}/${fresh()}`;
  const files = `/organizations/${own.id}/drives/${drive[1]}/files`;
  const added = (id: string) => [`file ${drive[1]} ${id} ${path}`];
  return creation('create a file', () => control('POST', files, { json: { path } }), added);
}

function creation(name: string, send: Write['send'], added: (id: string) => string[]): Write {
  const effectOf = ({ body }: Reply) => ({ removed: [], added: added(body.id) });
  return { name, send, expected: { removed: [], added: added(someId) }, effectOf };
}

function move({ api, fresh, own, random }: Tools): Write | undefined {
  const [line = '', drive, file] = anyOf(random, own, /^file (\S+) (\S+) .*$/) ?? [];
  if (drive === undefined) return undefined;
  const path = `/docs/${fresh()}`;
  const send = () => api('PATCH', `/drives/${drive}/files/${file}`, { key: own.key, json: { path } });
  return fixed('move a file', send, { removed: [line], added: [`file ${drive} ${file} ${path}`] });
}

function deleteTree({ api, own, random }: Tools): Write | undefined {
  const [, drive] = anyOf(random, own, /^file (\S+) \S+ \/docs\//) ?? [];
  if (drive === undefined) return undefined;
  const removed = own.lines.filter((line) => line.startsWith(`file ${drive} `) && / \/docs\//.test(line));
  const send = () => api('DELETE', `/drives/${drive}/items/tree?path=/docs`, { key: own.key });
  return fixed('delete a tree', send, { removed, added: [] });
}

function issueKey({ control, fresh, own }: Tools): Write {
  const key = `key-${fresh()}`;
  const send = () => control('POST', `/organizations/${own.id}/keys`, { json: { key } });
  return fixed('issue a key', send, { removed: [], added: [`key ${key}`] });
}

function revokeKey({ control, own, random }: Tools): Write | undefined {
  const [line = '', key = ''] = anyOf(random, own, /^key (key-.*)$/) ?? [];
  if (line === '') return undefined;
  const send = () => control('DELETE', `/organizations/${own.id}/keys/${keyIdOf(key)}`);
  return fixed('revoke a key', send, { removed: [line], added: [] });
}

function reset({ control, own }: Tools): Write {
  const send = () => control('POST', `/reset?organization=${own.id}`);
  return fixed('reset', send, between(own.lines, own.first));
}

function putBack({ control, own }: Tools): Write {
  const send = () => control('PUT', `/snapshot?organization=${own.id}`, { json: own.taken.snapshot });
  return fixed('put a snapshot back', send, between(own.lines, own.taken.lines));
}

function fixed(name: string, send: Write['send'], expected: Effect = nothing): Write {
  return { name, send, expected, effectOf: () => expected };
}

function anyOf(random: Random, { lines }: Own, pattern: RegExp): RegExpExecArray | undefined {
  const found = lines.map((line) => pattern.exec(line)).filter((match) => match !== null);
  return found.length === 0 ? undefined : random.pick(found);
}

/** What is known when a write was acknowledged. */
export function acknowledge(own: Own, write: Write, reply: Reply): void {
  own.lines = after(own.lines, write.effectOf(reply));
}
