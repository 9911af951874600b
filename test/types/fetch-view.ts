/** What a user of `openapi-fetch` sends and gets, by operation: the checked-in types as that client shows them. */
import type { Client, FetchOptions, MethodResponse } from 'openapi-fetch';
import type { paths } from '../../openapi/contract/types.gen.ts';

type Sent<Operation> = FetchOptions<Operation>;
type Parameters<Operation> = NonNullable<Sent<Operation>['params']>;

interface Seen<Operation, Success> {
  path: 'path' extends keyof Parameters<Operation> ? Parameters<Operation>['path'] : never;
  query: 'query' extends keyof Parameters<Operation> ? Parameters<Operation>['query'] : never;
  body: Sent<Operation>['body'];
  success: Success;
}

type Api = Client<paths>;

export interface FetchView {
  listAgents: Seen<paths['/agents']['get'], MethodResponse<Api, 'get', '/agents'>>;
  publishAgentRevision: Seen<
    paths['/agents/{agentId}/publish']['post'],
    MethodResponse<Api, 'post', '/agents/{agentId}/publish'>
  >;
  createDrive: Seen<paths['/drives']['post'], MethodResponse<Api, 'post', '/drives'>>;
  listDrives: Seen<paths['/drives']['get'], MethodResponse<Api, 'get', '/drives'>>;
  getDriveFile: Seen<
    paths['/drives/{driveId}/files/{fileId}']['get'],
    MethodResponse<Api, 'get', '/drives/{driveId}/files/{fileId}'>
  >;
  updateDriveFile: Seen<
    paths['/drives/{driveId}/files/{fileId}']['patch'],
    MethodResponse<Api, 'patch', '/drives/{driveId}/files/{fileId}'>
  >;
  deleteDriveTree: Seen<
    paths['/drives/{driveId}/items/tree']['delete'],
    MethodResponse<Api, 'delete', '/drives/{driveId}/items/tree'>
  >;
  createMcpServer: Seen<paths['/mcp-servers']['post'], MethodResponse<Api, 'post', '/mcp-servers'>>;
  listMcpServers: Seen<paths['/mcp-servers']['get'], MethodResponse<Api, 'get', '/mcp-servers'>>;
  listMcpServerTools: Seen<
    paths['/mcp-servers/{mcpServerId}/tools']['get'],
    MethodResponse<Api, 'get', '/mcp-servers/{mcpServerId}/tools'>
  >;
}
