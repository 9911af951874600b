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

/** A request: its method and target; its body, if it has one; and headers in place of the usual ones. */
type Step = [line: string, body?: string | object | undefined, headers?: Record<string, string>];

/** Sends requests for all operations, one after the other: correct ones, and many that are wrong in one way. */
export async function sendTraffic(url: string, subjects: Subjects): Promise<Exchanged[]> {
  const wire = createWire(url);
  const exchanged: Exchanged[] = [];
  try {
    for (const [line, sent, own] of stepsFor(subjects)) {
      const [method = '', target = ''] = line.split(' ');
      const body = typeof sent === 'object' ? JSON.stringify(sent) : sent;
      const usual = { 'x-api-key': subjects.key, ...(body === undefined ? {} : json) };
      const answer = await wire.sendRaw(method, target, own ?? usual, body);
      exchanged.push({ line: `${line} ${body ?? ''} -> ${answer.status} ${answer.text.slice(0, 200)}`, answer });
    }
  } finally {
    wire.close();
  }
  return exchanged;
}

const json = { 'content-type': 'application/json' };
const encoded = encodeURIComponent;
const tools = (id: string) => `GET /mcp-servers/${encoded(id)}/tools`;
const pathOf = ({ driveId, id }: FileIds) => `/drives/${encoded(driveId)}/files/${encoded(id)}`;

function stepsFor({ key, treePathParameter, agent, file, others = [], mcpServers }: Subjects): Step[] {
  return [
    ...readings(key),
    ...[...mcpServers, 'none'].flatMap((id): Step[] => [[tools(id)], [tools(id), undefined, {}]]),
    ...[...(file === undefined ? [] : [file, { ...file, id: file.driveId }]), ...others].map(
      (one): Step => [`GET ${pathOf(one)}`],
    ),
    ...creations(key),
    ...(agent === undefined ? [] : publications(agent)),
    ...(file === undefined ? [] : moves(file)),
    ...(file === undefined ? [] : deletions(file, others.at(-1) ?? file, treePathParameter)),
  ];
}

function readings(key: string): Step[] {
  const bearer = { authorization: `Bearer ${key}` };
  const queries = [
    'limit=2&offset=1',
    'limit=100&offset=3',
    'limit=101',
    'limit=0',
    'offset=-1',
    'limit=many',
    'limit=',
  ];
  return [
    ['GET /agents', undefined, bearer],
    ['GET /drives?limit=2', undefined, bearer],
    ...queries.map((query): Step => [`GET /drives?${query}`]),
    ...['', '?limit=many', '?limit=0'].map((query): Step => [`GET /drives${query}`, undefined, {}]),
    ['GET /drives', undefined, { 'x-api-key': 'nobody' }],
    ...['agents', 'agents?colour=red', 'drives', 'mcp-servers', 'mcp-servers?colour=red', 'runs'].map(
      (target): Step => [`GET /${target}`],
    ),
    ['HEAD /agents'],
  ];
}

function creations(key: string): Step[] {
  const bodies = [
    ...['{"name":"Proxied one"}', '{"name":"Proxied two"}', '{"name":"Proxied one"}', '{"name":42}'],
    ...['{"name":"Proxied three","colour":"red"}', '{}', 'null', '{"name":'],
  ];
  return [
    ...bodies.map((body): Step => ['POST /drives', body]),
    ['POST /drives', { name: 'Proxied six' }, { ...json, 'x-api-key': key, authorization: `Bearer ${key}` }],
    ['POST /drives', { name: 'Proxied four' }, { 'x-api-key': key, 'content-type': 'text/plain' }],
    ['POST /drives', { name: 'Proxied five' }, json],
    ...['Proxied', 'Second', 'Third'].map((name): Step => {
      return ['POST /mcp-servers', { name: `${name} server`, url: `https://mcp.example.com/${name}` }];
    }),
    ['POST /mcp-servers', { name: 'Proxied server' }],
    ['POST /mcp-servers', { name: 'Odd server', url: 'HTTPS://MCP.Example.com' }],
    ...['drives', 'drives?limit=3&offset=2', 'mcp-servers'].map((target): Step => [`GET /${target}`]),
  ];
}

function publications({ id, revisionId }: { id: string; revisionId: string }): Step[] {
  const publish = (agentId: string, revision: string): Step => {
    return [`POST /agents/${encoded(agentId)}/publish`, { revisionId: revision }];
  };
  return [publish(id, 'none'), publish('none', revisionId), publish(id, revisionId)];
}

function moves(file: FileIds): Step[] {
  const paths = [
    ...['/proxied/moved.txt', '/../moved.txt', 'moved.txt', '/proxied/line\nbreak.txt', '/proxied//./deeper/'],
    '/proxied/last.txt',
  ];
  return [...paths.map((path): Step => [`PATCH ${pathOf(file)}`, { path }]), [`GET ${pathOf(file)}`]];
}

function deletions(file: FileIds, last: FileIds, parameter: string): Step[] {
  const tree = ({ driveId }: FileIds, query: string): Step => [`DELETE /drives/${encoded(driveId)}/items/tree${query}`];
  const paths = ['/proxied', '/proxied/%2e%2e', 'proxied', '/not/there'];
  return [
    ...paths.map((path) => tree(file, `?${parameter}=${path}`)),
    tree(file, ''),
    [`PATCH ${pathOf(last)}`, { path: '/again/last.txt' }],
    tree(last, `?${parameter}=/again`),
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
