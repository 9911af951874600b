import type { OperationId } from '../../openapi/contract/operations.ts';
import type { How, Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';
import { creationBody, sendCreation } from './creations.ts';
import { movableFile, newPath, readFile, sendMove, sendPlainMove } from './moves.ts';
import { sendPublication } from './publications.ts';
import { harmlessInput, listedServers, readableFile, writing } from './subjects.ts';
import { guardTree } from './tree-scenarios.ts';
import { sendDeletion } from './trees.ts';

/** A request with credentials under test, and whether a broken target could have done something by it. */
export interface Probe {
  reply: Reply;
  /** False when it named only things that do not exist. */
  couldAct: boolean;
}

/** Sends a request that is valid but for its credentials. Where the run may not write, it names nothing that exists. */
export async function probe(session: Session, operation: OperationId, how: How): Promise<Probe> {
  if (mayAct(session, operation)) return { reply: await act(session, operation, how), couldAct: true };
  const reply = await session.call(operation, { ...harmlessInput(session, operation), ...how });
  return { reply, couldAct: false };
}

function mayAct({ settings }: Session, operation: OperationId): boolean {
  const { allowWrites, allowDestructive, treePathParameter, fixtures } = settings;
  if (!writing.includes(operation)) return true;
  if (!allowWrites) return false;
  if (operation === 'publishAgentRevision') return fixtures.agent !== undefined;
  if (operation === 'updateDriveFile') return isNamed(fixtures.files);
  if (operation !== 'deleteDriveTree') return true;
  return allowDestructive && treePathParameter !== undefined && isNamed(fixtures.disposableFiles);
}

function isNamed(files: readonly unknown[] = []): boolean {
  return files.length > 0;
}

/** Sends one valid request of an operation. What it leaves behind is noted; a tree deletion is aimed at the guard tree. */
export async function act(session: Session, operation: OperationId, how: How): Promise<Reply> {
  switch (operation) {
    case 'createDrive':
    case 'createMcpServer':
      return sendCreation(session, operation, creationBody(operation, session.newName()), how);
    case 'publishAgentRevision':
      return sendPublication(session, how);
    case 'updateDriveFile':
      return sendOwnMove(session, how);
    case 'deleteDriveTree':
      return sendGuardedDeletion(session, how);
    case 'getDriveFile':
      return readFile(session, readableFile(session), how);
    case 'listMcpServerTools':
      return session.call(operation, { path: { mcpServerId: (await listedServers(session))[0] ?? '' }, ...how });
    default:
      return session.call(operation, how);
  }
}

async function sendOwnMove(session: Session, how: How): Promise<Reply> {
  const file = await movableFile(session);
  const send = how.credentials?.isValid === false ? sendMove : sendPlainMove;
  return send(session, file, newPath(session, file), how);
}

async function sendGuardedDeletion(session: Session, how: How): Promise<Reply> {
  const { driveId, path } = await guardTree(session);
  return sendDeletion(session, driveId, path, how);
}
