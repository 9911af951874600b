import type { Fixtures } from '../../conformance/run/settings.ts';
import type { Mock } from '../../src/index.ts';
import type { Answer } from '../model/call.ts';
import { createWire } from '../model/wire.ts';

/** The resources of a server that the traffic is about. */
export interface Subjects {
  key: string;
  treePathParameter: string;
  /** Missing resources are left out. */
  agent?: { id: string; revisionId: string } | undefined;
  /** A file that is moved and then deleted. */
  file?: FileIds | undefined;
  /** Files that are read; the last one is also moved and deleted. */
  others?: readonly FileIds[] | undefined;
  mcpServers: readonly string[];
}

interface FileIds {
  driveId: string;
  id: string;
}

/** One request of the traffic, and its result. */
export interface Exchanged {
  /** What identifies it in a failure. */
  line: string;
  answer: Answer;
}

interface Step {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/** Sends requests for all operations, one after the other: correct ones, and many that are wrong in one way. */
export async function sendTraffic(url: string, subjects: Subjects): Promise<Exchanged[]> {
  const wire = createWire(url);
  const exchanged: Exchanged[] = [];
  try {
    for (const { method, target, headers, body } of stepsFor(subjects)) {
      const answer = await wire.sendRaw(method, target, headers, body);
      exchanged.push({
        line: `${method} ${target} ${body ?? ''} -> ${answer.status} ${answer.text.slice(0, 200)}`,
        answer,
      });
    }
  } finally {
    wire.close();
  }
  return exchanged;
}

function stepsFor(subjects: Subjects): Step[] {
  return [
    ...readings(subjects),
    ...creations(subjects),
    ...publications(subjects),
    ...moves(subjects),
    ...deletions(subjects),
  ];
}

function readings({ key, mcpServers, file, others = [] }: Subjects): Step[] {
  const plain = { 'x-api-key': key };
  const bearer = { authorization: `Bearer ${key}` };
  const get = (target: string, headers: Record<string, string> = plain): Step => ({ method: 'GET', target, headers });
  return [
    get('/agents'),
    get('/agents', bearer),
    get('/agents?colour=red'),
    get('/drives'),
    get('/drives?limit=2', bearer),
    get('/drives?limit=2&offset=1'),
    get('/drives?limit=100&offset=3'),
    get('/drives?limit=101'),
    get('/drives?limit=0'),
    get('/drives?offset=-1'),
    get('/drives?limit=many'),
    get('/drives?limit='),
    get('/drives?limit=many', {}),
    get('/drives?limit=0', {}),
    get('/drives', { 'x-api-key': 'nobody' }),
    get('/drives', {}),
    get('/mcp-servers'),
    get('/mcp-servers?colour=red'),
    ...mcpServers.flatMap((id) => [get(tools(id)), get(tools(id), {})]),
    get(tools('none')),
    ...(file === undefined ? [] : [get(fileAt(file)), get(fileAt({ ...file, id: file.driveId }))]),
    ...others.map((other) => get(fileAt(other))),
    get('/runs'),
    { method: 'HEAD', target: '/agents', headers: plain },
  ];
}

const tools = (id: string) => `/mcp-servers/${encodeURIComponent(id)}/tools`;
const fileAt = ({ driveId, id }: FileIds) => `/drives/${encodeURIComponent(driveId)}/files/${encodeURIComponent(id)}`;

function creations({ key }: Subjects): Step[] {
  const json = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = (target: string, body: string, headers: Record<string, string> = json): Step => {
    return { method: 'POST', target, headers, body };
  };
  return [
    post('/drives', '{"name":"Proxied one"}'),
    post('/drives', '{"name":"Proxied two"}', { ...json, authorization: `Bearer ${key}` }),
    post('/drives', '{"name":"Proxied one"}'),
    post('/drives', '{"name":42}'),
    post('/drives', '{"name":"Proxied three","colour":"red"}'),
    post('/drives', '{}'),
    post('/drives', 'null'),
    post('/drives', '{"name":'),
    post('/drives', '{"name":"Proxied four"}', { ...json, 'content-type': 'text/plain' }),
    post('/drives', '{"name":"Proxied five"}', { 'content-type': 'application/json' }),
    post('/mcp-servers', '{"name":"Proxied server","url":"https://mcp.example.com/proxied"}'),
    post('/mcp-servers', '{"name":"Second server","url":"https://mcp.example.com/second"}'),
    post('/mcp-servers', '{"name":"Third server","url":"https://mcp.example.com/third"}'),
    post('/mcp-servers', '{"name":"Proxied server"}'),
    post('/mcp-servers', '{"name":"Odd server","url":"HTTPS://MCP.Example.com"}'),
    { method: 'GET', target: '/drives', headers: json },
    { method: 'GET', target: '/drives?limit=3&offset=2', headers: json },
    { method: 'GET', target: '/mcp-servers', headers: json },
  ];
}

function publications({ key, agent }: Subjects): Step[] {
  if (agent === undefined) return [];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const publish = (id: string, body: object): Step => {
    return { method: 'POST', target: `/agents/${encodeURIComponent(id)}/publish`, headers, body: JSON.stringify(body) };
  };
  const { id, revisionId } = agent;
  return [publish(id, { revisionId: 'none' }), publish('none', { revisionId }), publish(id, { revisionId })];
}

function moves({ key, file }: Subjects): Step[] {
  if (file === undefined) return [];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const target = fileAt(file);
  const patch = (body: object): Step => ({ method: 'PATCH', target, headers, body: JSON.stringify(body) });
  return [
    patch({ path: '/proxied/moved.txt' }),
    patch({ path: '/../moved.txt' }),
    patch({ path: 'moved.txt' }),
    patch({ path: '/proxied/line\nbreak.txt' }),
    patch({ path: '/proxied//./deeper/' }),
    patch({ path: '/proxied/last.txt' }),
    { method: 'GET', target, headers },
  ];
}

function deletions({ key, treePathParameter, file, others = [] }: Subjects): Step[] {
  if (file === undefined) return [];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const last = others.at(-1) ?? file;
  const deletion = (query: string, { driveId }: FileIds = file): Step => {
    return { method: 'DELETE', target: `/drives/${encodeURIComponent(driveId)}/items/tree${query}`, headers };
  };
  return [
    deletion(`?${treePathParameter}=/proxied`),
    deletion(`?${treePathParameter}=/proxied/%2e%2e`),
    deletion(`?${treePathParameter}=proxied`),
    deletion(`?${treePathParameter}=/not/there`),
    deletion(''),
    { method: 'PATCH', target: fileAt(last), headers, body: '{"path":"/again/last.txt"}' },
    deletion(`?${treePathParameter}=/again`, last),
  ];
}

/** The resources of a mock that the traffic can be about, for its first key. */
export function subjectsOf(
  { keys, engine, profile }: Mock,
  { agent, files = [], disposableFiles = [], mcpServer }: Fixtures,
): Subjects {
  const [key = ''] = keys;
  const [file, ...others] = files;
  const mcpServers = engine.store.organizationOf(key)?.mcpServers.all() ?? [];
  // The id of a fixture is as the server shows it, also where the mock behind it has another.
  const ids = [...(mcpServer === undefined ? [] : [mcpServer.id]), ...mcpServers.map(({ id }) => id)];
  return {
    key,
    treePathParameter: profile.treePathParameter,
    agent,
    file,
    others: [...others, ...disposableFiles],
    mcpServers: [...new Set(ids)],
  };
}
