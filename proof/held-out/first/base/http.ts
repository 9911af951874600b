import type { IncomingHttpHeaders } from 'node:http';

export type OperationName =
  | 'listAgents'
  | 'publishRevision'
  | 'createDrive'
  | 'listDrives'
  | 'getFile'
  | 'updateFile'
  | 'deleteTree'
  | 'createMcpServer'
  | 'listMcpServers'
  | 'listTools';

export interface Context {
  method: string;
  /** The path behind the version segment, still percent-encoded. */
  path: string;
  rawQuery: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** Identity of the connection that carries the request. */
  connection: object;
  /** Set by the routing middleware. */
  operation: OperationName;
  params: Record<string, string>;
  /** Set by the authentication middleware. */
  organizationId: string;
  /** Set by the body middleware: the fields of the JSON object sent, if any. */
  input: Record<string, unknown>;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** `undefined` for no body at all. */
  body: unknown;
}

export type Handler = (context: Context) => Reply | Promise<Reply>;
export interface Middleware {
  name: string;
  run: (context: Context, next: () => Promise<Reply>) => Reply | Promise<Reply>;
}

export function reply(status: number, body?: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers, body };
}
