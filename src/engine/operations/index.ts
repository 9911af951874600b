import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { PathOf } from '../call.ts';
import { type Finder, findDriveHolder, findFile, type Handler } from '../handler.ts';
import { createDrive } from './create-drive.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { deleteDriveTree } from './delete-drive-tree.ts';
import { getDriveFile } from './get-drive-file.ts';
import { listAgents } from './list-agents.ts';
import { listDrives } from './list-drives.ts';
import { findMcpServer, listMcpServerTools } from './list-mcp-server-tools.ts';
import { listMcpServers } from './list-mcp-servers.ts';
import { findAgent, publishAgentRevision } from './publish-agent-revision.ts';
import { updateDriveFile } from './update-drive-file.ts';

/** The handler of each operation. An operation without one does not compile. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  listAgents,
  publishAgentRevision,
  createDrive,
  listDrives,
  getDriveFile,
  updateDriveFile,
  deleteDriveTree,
  createMcpServer,
  listMcpServers,
  listMcpServerTools,
};

type WithPath = { [Id in OperationId]: [PathOf<Id>] extends [never] ? never : Id }[OperationId];

const byPath: { [Id in WithPath]: Finder<Id> } = {
  publishAgentRevision: findAgent,
  getDriveFile: findFile,
  updateDriveFile: findFile,
  deleteDriveTree: ({ driveId }, context) => findDriveHolder(context, driveId),
  listMcpServerTools: findMcpServer,
};

/** How each operation with an id in its path finds the resource. Such an operation without a finder does not compile. */
export const finders: { [Id in OperationId]?: Finder<Id> } = byPath;
