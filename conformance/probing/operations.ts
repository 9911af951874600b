import { own, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Phase } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { oncePerRun } from '../once.ts';
import type { Demands, Effects } from '../plan/demands.ts';
import { unmet } from '../plan/needs.ts';
import type { CallInput, CallOptions, Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import type { AuthHeaderName } from '../target/credentials.ts';
import type { Reply } from '../target/reply.ts';
import { attemptSharedCreation, type CreateOperation, sendNewCreation } from './creations.ts';
import { awaitPath, movableFile, newPath, readFile, sendMove, sendMoveWithRetry } from './file-moves.ts';
import { mcpServerIds, readableFile, unknownId } from './fixtures.ts';
import { initialReadings } from './initial-files.ts';
import { readList, walkDrives } from './lists.ts';
import type { MovableFile } from './movable-file.ts';
import { firstPublication, sendPublication } from './publications.ts';
import { guardTree, usualDeletedTree } from './shared-trees.ts';
import { sendDeletion } from './tree-deletions.ts';

/** How the suite uses one operation. Needs and effects are those of a valid request. */
interface OperationUse extends Demands {
  /** The phase in which valid requests are sent. */
  phase: Phase;
  /** Phase, needs and effects of requests that must be refused for their key, if different. */
  refused?: Partial<Demands> & { phase?: Phase };
  /** Effects of a further valid request with the key in one auth header, if different. */
  byAuthHeader?: Partial<Record<AuthHeaderName, Effects>>;
  /** Sends one valid request, and records what it leaves behind. */
  send(session: Session, options: CallOptions): Promise<Reply>;
  /** The input for resources that do not exist, so that even a broken target does nothing; absent for creations. */
  harmless?(session: Session): CallInput;
  /** The input for one resource that does not exist; for reads of a resource whose error status is open. */
  unknown?(session: Session): CallInput;
  /** Sends as many valid requests as are needed to judge the operation. */
  sample(session: Session): Promise<unknown>;
  /** What the sample does, as one sentence. */
  does: string;
  /** The fields by which a resource of the caller is recognised when another organization reads its id. */
  recognisedBy?: readonly string[];
}

/** How the suite uses each operation. */
export const operationUses: Readonly<Record<OperationId, OperationUse>> = {
  listAgents: simpleList('listAgents', 'Lists the agents six times.'),
  listDrives: simpleList('listDrives', 'Lists the drives six times, and walks through the pages.', async (session) => {
    await repeat(() => session.call('listDrives'));
    await readList(session, 'listDrives').catch(() => undefined);
    await walkDrives(session, { limit: 2, pages: 10 }).catch(() => undefined);
  }),
  listMcpServers: simpleList('listMcpServers', 'Lists the MCP servers six times.'),
  getDriveFile: {
    phase: 'read',
    needs: ['file'],
    effects: {},
    does: 'Reads every declared file, and one of them six more times.',
    recognisedBy: ['path', 'size', 'modifiedAt'],
    unknown: (session) => ({ path: { driveId: readableFile(session).driveId, fileId: unknownId(session) } }),
    send: (session, options) => readFile(session, readableFile(session), options),
    sample: async (session) => {
      readableFile(session);
      await initialReadings(session);
      await repeat(() => readFile(session, readableFile(session)));
    },
  },
  listMcpServerTools: {
    phase: 'read',
    needs: [],
    effects: { perhaps: ['firstMcpServer'] },
    does: 'Lists the tools of every MCP server, and those of one six more times.',
    send: async (session, options) => listTools(session, (await mcpServerIds(session))[0] ?? '', options),
    sample: async (session) => {
      const [first = '', ...others] = await mcpServerIds(session);
      await listTools(session, first);
      await repeat(() => listTools(session, first));
      await inParallel(others, (other) => listTools(session, other));
    },
  },
  createDrive: {
    ...creation('createDrive', { shared: ['firstDrive', 'secondDrive'] }, { drives: 1 }),
    does: 'Creates two drives.',
  },
  createMcpServer: {
    ...creation('createMcpServer', { shared: ['firstMcpServer', 'secondMcpServer'] }, { mcpServers: 1 }),
    does: 'Registers two MCP servers.',
  },
  publishAgentRevision: {
    phase: 'publish',
    needs: ['writes', 'agent'],
    effects: { shared: ['publication'] },
    // A publication is visible only once, so requests that must not publish come before it.
    refused: { phase: 'list', needs: [], effects: {} },
    does: 'Publishes the declared revision.',
    send: sendPublication,
    harmless: (session) => ({ path: { agentId: unknownId(session) }, json: { revisionId: unknownId(session) } }),
    sample: firstPublication,
  },
  updateDriveFile: {
    phase: 'move',
    needs: ['writes', 'movableFile'],
    effects: { moves: true },
    refused: { needs: [], effects: {} },
    does: 'Moves a file within its directory.',
    send: async (session, options) => {
      const file = await movableFile(session);
      const send = options.credentials?.isValid === false ? sendMove : sendMoveWithRetry;
      return send(session, file, newPath(session, file), options);
    },
    harmless: (session) => ({
      path: { driveId: unknownId(session), fileId: unknownId(session) },
      json: { path: `/${session.newName()}` },
    }),
    sample: async (session) => {
      const { file } = await firstMove(session);
      await sendMoveWithRetry(session, file, newPath(session, file));
    },
  },
  deleteDriveTree: {
    phase: 'delete',
    needs: ['writes', 'deletions', 'treeParameter', 'disposableFiles'],
    effects: { shared: ['deletedTree'] },
    refused: { needs: [] },
    byAuthHeader: { bearer: { shared: ['deletedTreeByBearer'] } },
    does: 'Deletes a tree of disposable files.',
    send: async (session, options) => {
      const { driveId, path } = await guardTree(session);
      return sendDeletion(session, driveId, path, options);
    },
    harmless: (session) => ({
      path: { driveId: unknownId(session) },
      query: { [session.settings.treePathParameter ?? 'path']: `/${session.newName()}` },
    }),
    sample: usualDeletedTree,
  },
};

function simpleList(
  operation: OperationId,
  does: string,
  sample: OperationUse['sample'] = (session) => repeat(() => session.call(operation)),
): OperationUse {
  return {
    phase: 'read',
    needs: [],
    effects: {},
    does,
    send: (session, options) => session.call(operation, options),
    sample,
  };
}

function creation(operation: CreateOperation, effects: Effects, one: Effects): Omit<OperationUse, 'does'> {
  return {
    phase: 'create',
    needs: ['writes'],
    effects,
    refused: { effects: {} },
    byAuthHeader: { header: one, bearer: one },
    send: async (session, options) => (await sendNewCreation(session, operation, options)).reply,
    sample: async (session) => {
      for (const which of ['first', 'second'] as const) await attemptSharedCreation(session, operation, which);
    },
  };
}

const repetitions = 6;

// A safe request is repeated to catch intermittent faults.
async function repeat(send: () => Promise<Reply>): Promise<void> {
  for (let count = 0; count < repetitions; count++) await send();
}

function listTools(session: Session, mcpServerId: string, options: CallOptions = {}): Promise<Reply> {
  return session.call('listMcpServerTools', { path: { mcpServerId }, ...options });
}

/** Sends one valid request of an operation. A tree deletion is aimed at the guard tree. */
export function sendValid(session: Session, operation: OperationId, options: CallOptions): Promise<Reply> {
  return operationUses[operation].send(session, options);
}

/** The reply to a request with credentials under test, and whether a broken target could have acted on the request. */
export interface Probe {
  reply: Reply;
  /** False if the request named only nonexistent resources. */
  couldAct: boolean;
}

/** Sends a request that is valid except for its credentials, and harmless if the run may not change what it names. */
export async function probe(session: Session, operation: OperationId, options: CallOptions): Promise<Probe> {
  const { needs, harmless } = operationUses[operation];
  const isRead = session.operations.get(operation)?.isRead === true;
  if (isRead || unmet(needs, session.settings).length === 0) {
    return { reply: await sendValid(session, operation, options), couldAct: true };
  }
  if (harmless === undefined)
    throw new Inconclusive('WRITES', say`A creation might succeed, and this run may only read.`);
  return { reply: await session.call(operation, { ...harmless(session), ...options }), couldAct: false };
}

/** The replies to valid requests of an operation, as many as are needed to judge it. They are sent once per run. */
export const repliesTo = oncePerRun(async (session, operation: OperationId): Promise<Reply[]> => {
  const { replies, error } = await session.collect(() => operationUses[operation].sample(session));
  if (error !== undefined) {
    const hung = session
      .repliesOf(operation)
      .filter(({ request, failure }) => request.isAuthenticated && failure === 'timeout');
    if (hung.length === 0) throw error;
    return hung;
  }
  const initial = operation === 'getDriveFile' ? (await initialReadings(session)).map(({ reply }) => reply) : [];
  return [...new Set([...initial, ...replies.filter(({ request }) => request.operation === operation)])];
});

/** Every successful reply of an operation to a valid caller so far, at least those of its sample. */
export async function successfulReplies(session: Session, operation: OperationId): Promise<Reply[]> {
  await repliesTo(session, operation);
  const successes = session.successesOf(operation);
  if (successes.length > 0) return successes;
  throw new Inconclusive('PREREQUISITE', say`No ${own(operation)} request succeeded.`, `${operation}.is-served`);
}

/** The first move of the run. */
interface FirstMove {
  file: MovableFile;
  path: string;
  /** The reading of the file at the start of the run, the only one that shows what earlier moves lost. */
  before: Reply;
  reply: Reply;
  /** The reading afterwards; absent if the move did not succeed. */
  after: { reply: Reply; isThere: boolean } | undefined;
}

/** Moves a file to a plain path in the same directory, once per run, and reads it until it shows that path. */
export const firstMove = oncePerRun(async (session: Session): Promise<FirstMove> => {
  session.requireWrites();
  const file = await movableFile(session);
  const path = newPath(session, file);
  const initial = (await initialReadings(session)).find(
    ({ driveId, id }) => driveId === file.driveId && id === file.id,
  );
  const before = initial?.reply ?? (await readFile(session, file));
  const reply = await sendMoveWithRetry(session, file, path);
  const after = reply.isSuccess ? await awaitPath(session, file, path) : undefined;
  return { file, path, before, reply, after };
});
