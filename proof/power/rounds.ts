import { Agent } from 'node:http';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Mock } from '../../src/index.ts';
import { fixturesOf } from '../../test/support/fixtures.ts';
import { placesOf } from '../../test/support/state.ts';
import { ask, type Question, type Reply } from './ask.ts';

/** What a server answered to one request of the round. */
export interface Told {
  operationId: OperationId;
  /** The answer as one text: code, declared type and encoding, bytes. */
  text: string;
}

type Step = Question & { operationId: OperationId };

/** The same round of requests, accepted and refused ones of every operation, on one connection. */
export async function runRound(baseUrl: string, mock: Mock): Promise<Told[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const told: Told[] = [];
  for (const { operationId, ...question } of stepsFor(mock)) {
    told.push({ operationId, text: toText(await ask(agent, baseUrl, question)) });
  }
  agent.destroy();
  return told;
}

// A new id depends on how many were made before it.
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function toText(reply: Reply): string {
  if ('failure' in reply) return reply.failure;
  const { status, headers } = reply;
  const body = reply.body.toString('latin1').replaceAll(uuid, 'some-id');
  return [status, headers['content-type'], headers['content-encoding'], body].join(' | ');
}

// What is written comes last: by then every list has been read.
function stepsFor(mock: Mock): Step[] {
  const { drive = '', agent = '', revision = '', file = '' } = placesOf(mock);
  const [own] = mock.engine.store.organizations;
  const { files = [], disposableFiles = [] } = fixturesOf(mock);
  const headers = { 'x-api-key': mock.keys[0] ?? '' };
  const read = (operationId: OperationId, path: string): Step => ({ operationId, method: 'GET', path, headers });
  const readings = [
    read('listAgents', '/agents'),
    { ...read('listAgents', '/agents'), headers: { AUTHORIZATION: `Bearer ${mock.keys[0]}` } },
    ...['', '?limit=1&offset=1', '?limit=2', '?limit=0', '?limit=1&limit=2'].map((query) =>
      read('listDrives', `/drives${query}`),
    ),
    ...Array.from({ length: 3 }, () => read('listMcpServers', '/mcp-servers')),
    ...[...(own?.mcpServersById.keys() ?? []), 'unknown'].map((id) =>
      read('listMcpServerTools', `/mcp-servers/${id}/tools`),
    ),
    ...[...files, ...disposableFiles].map((one) => read('getDriveFile', `/drives/${one.driveId}/files/${one.id}`)),
    read('getDriveFile', `/drives/${drive}/files/unknown`),
  ];
  const steps = [...readings, ...writings({ drive, file, agent, revision }, headers)];
  return [...steps, ...withoutKeys(steps)];
}

// The first step of each operation once more, on the same connection, without a key.
function withoutKeys(steps: readonly Step[]): Step[] {
  return [...Map.groupBy(steps, ({ operationId }) => operationId).values()].flatMap(([first]) =>
    first === undefined ? [] : [{ ...first, headers: {} }],
  );
}

/** The same body with a parameter of its media type, and without its last brace. */
function spelledOtherwise(step: Step): Step[] {
  const { json, ...rest } = step;
  const raw = JSON.stringify(json);
  const withCharset = { ...rest.headers, 'content-type': 'application/json; charset=utf-8' };
  return [
    { ...rest, raw, headers: withCharset },
    { ...rest, raw: raw.slice(0, -1) },
  ];
}

function writings(
  ids: Record<'drive' | 'file' | 'agent' | 'revision', string>,
  headers: Record<string, string>,
): Step[] {
  const { drive, file, agent, revision } = ids;
  const post = (operationId: OperationId, path: string, json: unknown): Step => ({
    ...{ operationId, method: 'POST', path, headers, json },
  });
  const moved = { method: 'PATCH', path: `/drives/${drive}/files/${file}`, headers, json: { path: '/moved/a.txt' } };
  const deleted = { operationId: 'deleteDriveTree', method: 'DELETE', headers } as const;
  const deleteTree = (id: string, path: string) => ({ ...deleted, path: `/drives/${id}/items/tree?path=${path}` });
  const url = 'https://mcp.example.com/new';
  return [
    post('publishAgentRevision', `/agents/${agent}/publish`, { revisionId: revision }),
    post('publishAgentRevision', `/agents/${agent}/publish`, { revisionId: 'unknown' }),
    ...['New', 'New 🚀'].map((name) => post('createDrive', '/drives', { name })),
    ...['New', 'Newer'].map((name) => post('createMcpServer', '/mcp-servers', { name, url })),
    ...spelledOtherwise(post('createDrive', '/drives', { name: 'Other' })),
    ...spelledOtherwise(post('createMcpServer', '/mcp-servers', { name: 'Other', url })),
    { ...moved, operationId: 'updateDriveFile' },
    ...spelledOtherwise({ ...moved, operationId: 'updateDriveFile' }),
    { ...moved, operationId: 'updateDriveFile', json: { path: ['/moved/b.txt'] } },
    ...['/campaigns/2026/spring', '/campaigns'].map((path) => deleteTree(drive, path)),
    deleteTree('unknown', '/campaigns'),
  ];
}
