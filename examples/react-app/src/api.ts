/** The ten operations of the contract as functions. Each rejects with a {@link Failure}. */
import type { components, paths } from 'agent-platform-contract/types/strict';
import createClient, { type ClientOptions } from 'openapi-fetch';
import { Failure } from './failure.ts';

type Schemas = components['schemas'];
export type Agent = Schemas['Agent'];
export type Drive = Schemas['Drive'];
export type DriveFile = Schemas['DriveFile'];
export type McpServer = Schemas['McpServer'];
export type McpTool = Schemas['McpTool'];

/** The most drives that a page may have. */
const longestPage = 100;

/** The name of the query parameter for the path of a tree is open: ask the owner of the server for it. */
const treePathParameter = import.meta.env.VITE_TREE_PATH_PARAMETER ?? 'path';

export type Api = ReturnType<typeof createApi>;

export function createApi(options: ClientOptions) {
  const client = createClient<paths>(options);

  const listAgents = (signal: AbortSignal) => answerOf(client.GET('/agents', { signal }));

  // What the response contains is open. So only its status is read.
  const publish = (agentId: string, revisionId: string, signal: AbortSignal) =>
    successOf(
      client.POST('/agents/{agentId}/publish', {
        signal,
        params: { path: { agentId } },
        body: { revisionId },
        parseAs: 'stream',
      }),
    );

  // Both values are always sent, since their defaults are open.
  const listDrives = async (query: { limit: number; offset: number }, signal: AbortSignal) => {
    const { data } = await answerOf(client.GET('/drives', { signal, params: { query } }));
    return data;
  };

  /** All drives of a name. Only an empty page ends the list: others may have fewer drives than asked for. */
  const findDrives = async (name: string, signal: AbortSignal) => {
    const found: Drive[] = [];
    for (let offset = 0; ; ) {
      const page = await listDrives({ limit: longestPage, offset }, signal);
      if (page.length === 0) return found;
      found.push(...page.filter((drive) => drive.name === name));
      offset += page.length;
    }
  };

  const createDrive = (name: string, signal: AbortSignal) =>
    answerOf(client.POST('/drives', { signal, body: { name } }));

  const getFile = (driveId: string, fileId: string, signal: AbortSignal) =>
    answerOf(client.GET('/drives/{driveId}/files/{fileId}', { signal, params: { path: { driveId, fileId } } }));

  const moveFile = (driveId: string, fileId: string, path: string, signal: AbortSignal) =>
    answerOf(
      client.PATCH('/drives/{driveId}/files/{fileId}', {
        signal,
        params: { path: { driveId, fileId } },
        body: { path },
      }),
    );

  const deleteTree = (driveId: string, path: string, signal: AbortSignal) =>
    answerOf(
      client.DELETE('/drives/{driveId}/items/tree', {
        signal,
        params: { path: { driveId }, query: { [treePathParameter]: path } },
      }),
    );

  const listServers = (signal: AbortSignal) => answerOf(client.GET('/mcp-servers', { signal }));

  const createServer = (server: { name: string; url: string }, signal: AbortSignal) =>
    answerOf(client.POST('/mcp-servers', { signal, body: server }));

  const listTools = async (mcpServerId: string, signal: AbortSignal) => {
    const path = { mcpServerId };
    const { tools } = await answerOf(client.GET('/mcp-servers/{mcpServerId}/tools', { signal, params: { path } }));
    return tools;
  };

  return {
    ...{ listAgents, publish, listDrives, findDrives, createDrive, getFile, moveFile, deleteTree },
    ...{ listServers, createServer, listTools },
  };
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The body of a success: any 2xx, since most codes are open. */
async function answerOf<Data>(call: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await arrived(call);
  if (response.ok && data !== undefined && data !== null) return data;
  throw new Failure(response.status, error);
}

async function successOf(call: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await arrived(call);
  if (!response.ok) throw new Failure(response.status, error);
  await response.body?.cancel();
}

function arrived<Data>(call: Promise<Answer<Data>>): Promise<Answer<Data>> {
  return call.catch(() => {
    throw new Failure();
  });
}
