/** What a user of `openapi-fetch` sends and gets, by operation: the checked-in types as that client shows them. */
import type { Client, ClientPathsWithMethod, FetchOptions, MethodResponse } from 'openapi-fetch';
import type { paths } from '../../openapi/contract/types.gen.ts';

type Sent<Operation> = FetchOptions<Operation>;
type Parameters<Operation> = NonNullable<Sent<Operation>['params']>;

type Api = Client<paths>;

/** One operation, by its method and path. */
interface Seen<
  Method extends 'get' | 'post' | 'patch' | 'delete',
  Path extends ClientPathsWithMethod<Api, Method>,
  Operation = paths[Path][Method & keyof paths[Path]],
> {
  path: 'path' extends keyof Parameters<Operation> ? Parameters<Operation>['path'] : never;
  query: 'query' extends keyof Parameters<Operation> ? Parameters<Operation>['query'] : never;
  body: Sent<Operation>['body'];
  success: MethodResponse<Api, Method, Path>;
}

export interface FetchView {
  listAgents: Seen<'get', '/agents'>;
  publishAgentRevision: Seen<'post', '/agents/{agentId}/publish'>;
  createDrive: Seen<'post', '/drives'>;
  listDrives: Seen<'get', '/drives'>;
  getDriveFile: Seen<'get', '/drives/{driveId}/files/{fileId}'>;
  updateDriveFile: Seen<'patch', '/drives/{driveId}/files/{fileId}'>;
  deleteDriveTree: Seen<'delete', '/drives/{driveId}/items/tree'>;
  createMcpServer: Seen<'post', '/mcp-servers'>;
  listMcpServers: Seen<'get', '/mcp-servers'>;
  listMcpServerTools: Seen<'get', '/mcp-servers/{mcpServerId}/tools'>;
}
