import { Refusal, unknown } from '../shared/refusal.ts';
import { directoryIn, nameIn, type Repository } from '../shared/repository.ts';
import type { Row, ToJson } from '../shared/rows.ts';
import { type Connections, isDuplicate, type Query, type Values } from './connections.ts';
import type { Statements } from './statements.ts';

/** What the repository stands on. A mistake changes it before the server starts. */
export interface PostgresAccess {
  connections: Connections;
  sql: Statements;
  toJson: ToJson;
  /** Whether a text can be the id of anything: the column is a uuid, and a comparison with another text fails. */
  isId(text: string): boolean;
}

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The data in PostgreSQL. */
export function createRepository(access: PostgresAccess): Repository {
  const { sql, toJson } = access;
  const rows = async (statement: keyof Statements, values: Values) =>
    (await access.connections.query(sql[statement], values)).rows;
  const one = async (statement: keyof Statements, values: Values, what: string) =>
    found((await rows(statement, values))[0], what);
  return {
    organizationOf: async (key) => (await rows('organizationOf', { key }))[0]?.organization_id as string | undefined,

    listAgents: async (organizationId) => (await rows('listAgents', { organizationId })).map(toJson.agent),

    publish: (organizationId, agentId, revisionId) => publish(access, { organizationId, agentId, revisionId }),

    createDrive: async (organizationId, input) =>
      toJson.drive(await one('createDrive', { ...input, organizationId }, 'drive')),

    listDrives: async (organizationId, page) => {
      const drives = await rows('listDrives', { organizationId, ...page });
      const [counted] = await rows('countDrives', { organizationId });
      return { drives: drives.map(toJson.drive), total: counted?.total };
    },

    getFile: async (organizationId, driveId, fileId) => {
      requireIds(access, { driveId, fileId });
      return toJson.file(await one('getFile', { organizationId, driveId, fileId }, 'file'));
    },

    moveFile: (organizationId, driveId, fileId, path) => moveFile(access, { organizationId, driveId, fileId }, path),

    deleteTree: (organizationId, driveId, path) => deleteTree(access, { organizationId, driveId }, path),

    createMcpServer: async (organizationId, input) =>
      toJson.mcpServer(await one('createMcpServer', { ...input, organizationId }, 'MCP server')),

    listMcpServers: async (organizationId) => (await rows('listMcpServers', { organizationId })).map(toJson.mcpServer),

    listTools: async (organizationId, mcpServerId) => {
      requireIds(access, { mcpServerId });
      await one('mcpServer', { organizationId, mcpServerId }, 'MCP server');
      return rows('listTools', { mcpServerId });
    },
  };
}

function publish(access: PostgresAccess, ids: Record<'organizationId' | 'agentId' | 'revisionId', string>) {
  const { connections, sql } = access;
  const { agentId, revisionId } = ids;
  requireIds(access, { agentId, revisionId });
  return connections.transaction(async (query) => {
    await lock(query, sql.lockAgent, ids, 'agent');
    await lock(query, sql.revision, ids, 'revision');
    await query(sql.publish, ids);
    await query(sql.touchAgent, ids);
    return { agentId, revisionId };
  });
}

async function moveFile(
  access: PostgresAccess,
  ids: Record<'organizationId' | 'driveId' | 'fileId', string>,
  path: string,
) {
  const { connections, sql, toJson } = access;
  requireIds(access, { driveId: ids.driveId, fileId: ids.fileId });
  return connections.transaction(async (query) => {
    await lock(query, sql.lockDrive, ids, 'drive');
    const { rows } = await query(sql.moveFile, { ...ids, path, name: nameIn(path) }).catch((error: unknown) => {
      throw isDuplicate(error) ? new Refusal(409, 'another file has this path') : error;
    });
    await query(sql.touchDrive, ids);
    return toJson.file(found(rows[0], 'file'));
  });
}

async function deleteTree(access: PostgresAccess, ids: Record<'organizationId' | 'driveId', string>, path: string) {
  const { connections, sql } = access;
  const { driveId } = ids;
  requireIds(access, { driveId });
  return connections.transaction(async (query) => {
    await lock(query, sql.lockDrive, ids, 'drive');
    const { count: documentCount } = await query(sql.deleteFiles, { driveId, directory: directoryIn(path) });
    if (documentCount === 0) throw unknown('directory');
    const { rows } = await query(sql.addJob, { driveId, path, documentCount });
    return { jobId: rows[0]?.id, documentCount };
  });
}

// What is not there cannot be locked.
async function lock(query: Query, statement: string, ids: Values, what: string): Promise<Row> {
  const { rows } = await query(statement, ids);
  return found(rows[0], what);
}

function found(row: Row | undefined, what: string): Row {
  if (row === undefined) throw unknown(what);
  return row;
}

function requireIds({ isId }: PostgresAccess, ids: Record<string, string>): void {
  const [wrong] = Object.keys(ids).filter((name) => !isId(ids[name] ?? ''));
  if (wrong !== undefined) throw unknown(wrong.replace(/Id$/, ''));
}
