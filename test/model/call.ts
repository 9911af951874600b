import type { OperationId } from '../../src/index.ts';

export type { OperationId };

/** One request for an operation, before it is sent. */
export interface Call {
  operationId: OperationId;
  /** The values of the path parameters, not encoded. */
  params: Readonly<Record<string, string>>;
  /** Names and values of the query, not encoded. */
  query: readonly (readonly [string, string])[];
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** What came back. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Method and path of each operation, as section 4 of the specification lists them. */
export const routes: Record<OperationId, readonly [method: string, path: string]> = {
  listAgents: ['GET', '/agents'],
  publishAgentRevision: ['POST', '/agents/{agentId}/publish'],
  createDrive: ['POST', '/drives'],
  listDrives: ['GET', '/drives'],
  getDriveFile: ['GET', '/drives/{driveId}/files/{fileId}'],
  updateDriveFile: ['PATCH', '/drives/{driveId}/files/{fileId}'],
  deleteDriveTree: ['DELETE', '/drives/{driveId}/items/tree'],
  createMcpServer: ['POST', '/mcp-servers'],
  listMcpServers: ['GET', '/mcp-servers'],
  listMcpServerTools: ['GET', '/mcp-servers/{mcpServerId}/tools'],
};

export function methodOf(call: Call): string {
  return routes[call.operationId][0];
}

/** The path below the base address, encoded. */
export function pathOf(call: Call): string {
  return routes[call.operationId][1].replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(call.params[name] ?? ''));
}

/** The query with its question mark, encoded; nothing when there is none. */
export function queryOf(call: Call): string {
  const pairs = call.query.map((pair) => pair.map(encodeURIComponent).join('='));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A call in one line, for a failure message. */
export function describeCall(call: Call): string {
  const key = ['x-api-key', 'authorization'].flatMap((name) => call.headers[name] ?? []);
  const body = call.body === undefined ? '' : ` ${call.headers['content-type']} ${shortened(call.body)}`;
  return `${methodOf(call)} ${pathOf(call)}${queryOf(call)} [${key.join(' | ')}]${body}`;
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
