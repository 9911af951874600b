import { randomBytes } from 'node:crypto';
import { Refusal, unknown } from '../shared/refusal.ts';
import { directoryIn, nameIn, type Repository } from '../shared/repository.ts';
import type { Row, ToJson } from '../shared/rows.ts';
import { type Connection, isDuplicate, type Values } from './connection.ts';
import type { Statements } from './statements.ts';

/** A new id: a prefix for the kind, then letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}

/** What the repository stands on. A mistake changes it before the server starts. */
export interface SqliteAccess {
  connection: Connection;
  sql: Statements;
  toJson: ToJson;
}

/** The data in SQLite. */
export function createRepository(access: SqliteAccess): Repository {
  const { sql, toJson } = access;
  const get = (statement: keyof Statements, values: Values) => access.connection.get(sql[statement], values);
  const all = (statement: keyof Statements, values: Values) => access.connection.all(sql[statement], values);
  const need = (row: Row | undefined, what: string): Row => {
    if (row === undefined) throw unknown(what);
    return row;
  };
  return {
    organizationOf: async (key) => get('organizationOf', { key })?.organization_id as string | undefined,

    listAgents: async (organizationId) => all('listAgents', { organizationId }).map(toJson.agent),

    publish: async (organizationId, agentId, revisionId) => {
      need(get('revision', { organizationId, agentId, revisionId }), 'revision');
      access.connection.run(sql.publish, { agentId, revisionId });
      return { agentId, revisionId };
    },

    createDrive: async (organizationId, { name }) =>
      toJson.drive(need(get('createDrive', { id: newId('drv'), organizationId, name }), 'drive')),

    listDrives: async (organizationId, page) => ({
      drives: all('listDrives', { organizationId, ...page }).map(toJson.drive),
      total: get('countDrives', { organizationId })?.total,
    }),

    getFile: async (organizationId, driveId, fileId) =>
      toJson.file(need(get('getFile', { organizationId, driveId, fileId }), 'file')),

    moveFile: async (organizationId, driveId, fileId, path) => {
      const ids = { organizationId, driveId, fileId };
      const moved = moveRow(access, { ...ids, path, name: nameIn(path) });
      if (moved === 0) throw unknown('file');
      return toJson.file(need(get('getFile', ids), 'file'));
    },

    deleteTree: async (organizationId, driveId, path) => {
      need(get('drive', { organizationId, driveId }), 'drive');
      return addJob(access, driveId, directoryIn(path));
    },

    createMcpServer: async (organizationId, { name, url }) =>
      toJson.mcpServer(need(get('createMcpServer', { id: newId('mcp'), organizationId, name, url }), 'MCP server')),

    listMcpServers: async (organizationId) => all('listMcpServers', { organizationId }).map(toJson.mcpServer),

    listTools: async (organizationId, mcpServerId) => {
      need(get('mcpServer', { organizationId, mcpServerId }), 'MCP server');
      return all('listTools', { mcpServerId });
    },
  };
}

function moveRow({ connection, sql }: SqliteAccess, values: Values): number {
  try {
    return connection.run(sql.moveFile, values);
  } catch (error) {
    throw isDuplicate(error) ? new Refusal(409, 'another file has this path') : error;
  }
}

// The files are marked now and deleted later, so that a file moved there meanwhile is none of them.
function addJob({ connection, sql }: SqliteAccess, driveId: string, directory: string) {
  const jobId = newId('job');
  return connection.transaction(() => {
    connection.run(sql.addJob, { jobId, driveId });
    return { jobId, documentCount: connection.run(sql.markTree, { jobId, driveId, directory }) };
  });
}
