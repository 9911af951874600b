import type { OperationId } from '../../openapi/contract/operations.ts';
import type { FileFixture } from '../config/settings.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import type { Reply } from '../target/reply.ts';
import { attempted, type CreateOperation } from './creations.ts';
import { readList, walkDrives } from './lists.ts';
import { awaitPath, isGone, learnUnknown, movableFile, newPath, pathIn, readFile, sendPlainMove } from './moves.ts';
import { published } from './publications.ts';
import { fileKey, knownFiles, listedServers, readableFile } from './subjects.ts';
import { deletedTree } from './tree-scenarios.ts';

/** How often a safe reading is repeated, to see what happens now and then only. */
const repetitions = 6;
const mostFiles = 30;

/** Valid requests of an operation, as many as are needed to judge it. They are sent once in a run; whatever came is returned. */
export function sampled(session: Session, operation: OperationId): Promise<Reply[]> {
  return session.once(`sample of ${operation}`, async () => {
    const first = session.replies.length;
    const ofOperation = (replies: readonly Reply[]) => replies.filter(({ sending }) => sending.operation === operation);
    try {
      await samplers[operation](session);
    } catch (error) {
      const hung = ofOperation(session.replies).filter(
        ({ sending, failure }) => sending.isAuthenticated && failure === 'timeout',
      );
      if (hung.length === 0) throw error;
      return hung;
    }
    const earlier = operation === 'getDriveFile' ? (await startReadings(session)).map(({ reply }) => reply) : [];
    return [...new Set([...earlier, ...ofOperation(session.replies.slice(first))])];
  });
}

/** Every successful answer of an operation to a valid caller so far, at least those of its sample. */
export async function answers(session: Session, operation: OperationId): Promise<Reply[]> {
  await sampled(session, operation);
  const successes = session.successes(operation);
  if (successes.length > 0) return successes;
  throw new Unverified('PREREQUISITE', `No request of ${operation} succeeded. See ${operation}.is-served.`);
}

const samplers: Record<OperationId, (session: Session) => Promise<unknown>> = {
  listAgents: (session) => repeat(() => session.call('listAgents')),
  listMcpServers: (session) => repeat(() => session.call('listMcpServers')),
  listDrives: sampleDrives,
  createDrive: (session) => createTwo(session, 'createDrive'),
  createMcpServer: (session) => createTwo(session, 'createMcpServer'),
  publishAgentRevision: published,
  getDriveFile: sampleFiles,
  updateDriveFile: sampleMoves,
  deleteDriveTree: (session) => deletedTree(session, session.carrier),
  listMcpServerTools: sampleTools,
};

async function repeat(send: () => Promise<Reply>): Promise<void> {
  for (let count = 0; count < repetitions; count++) await send();
}

async function sampleDrives(session: Session): Promise<void> {
  await repeat(() => session.call('listDrives'));
  await readList(session, 'listDrives').catch(() => undefined);
  await walkDrives(session, { limit: 2, pages: 10 }).catch(() => undefined);
}

async function createTwo(session: Session, operation: CreateOperation): Promise<void> {
  for (const name of ['first', 'second'] as const) await attempted(session, operation, name);
}

async function sampleFiles(session: Session): Promise<void> {
  readableFile(session);
  await startReadings(session);
  await repeat(() => readFile(session, readableFile(session)));
}

/** The name under which a session remembers how files were at the start. */
export const startName = 'files at the start';

/** A file that is vouched for, and how it was read before anything was done to it. */
interface StartReading extends FileFixture {
  reply: Reply;
}

/**
 * Reads the files that are vouched for, before anything is done to them. A disposable one that is gone was deleted by an
 * earlier run: it is left out from then on.
 */
export function startReadings(session: Session): Promise<StartReading[]> {
  return session.once(startName, async () => {
    const readings: StartReading[] = [];
    for (const file of knownFiles(session).slice(0, mostFiles)) {
      const reply = await readFile(session, file);
      if (await isUsedUp(session, file, reply)) session.usedUp.add(fileKey(file));
      else readings.push({ ...file, reply });
    }
    const there = readings.find(({ reply }) => reply.isSuccess);
    if (there !== undefined) await learnUnknown(session, there);
    return readings;
  });
}

// Read twice: a file that is there now and then is no file that was deleted.
async function isUsedUp(session: Session, file: FileFixture, reply: Reply): Promise<boolean> {
  const { disposableFiles = [] } = session.settings.fixtures;
  return disposableFiles.includes(file) && isGone(reply) && isGone(await readFile(session, file));
}

/** Where the files that are vouched for were at the start of the run; those that show no path are left out. */
export async function pathsAtStart(session: Session): Promise<(FileFixture & { path: string })[]> {
  return (await startReadings(session)).flatMap(({ driveId, id, reply }) => {
    const path = pathIn(reply);
    return path === undefined ? [] : [{ driveId, id, path }];
  });
}

// What an earlier move has lost shows only beside the first reading of all.
async function readingAtStart(session: Session, file: FileFixture): Promise<Reply> {
  const known = (await startReadings(session)).find(({ driveId, id }) => driveId === file.driveId && id === file.id);
  return known?.reply ?? readFile(session, file);
}

/** A move to a plain path in the same directory, and whether reading the file shows it. */
export function firstMove(session: Session): Promise<FirstMove> {
  return session.once('first move', async () => {
    session.requireWrites();
    const file = await movableFile(session);
    const path = newPath(session, file);
    const before = await readingAtStart(session, file);
    const reply = await sendPlainMove(session, file, path);
    const after = reply.isSuccess ? await awaitPath(session, file, path) : undefined;
    return { file, path, before, reply, after };
  });
}

interface FirstMove {
  file: { driveId: string; id: string };
  path: string;
  before: Reply;
  reply: Reply;
  /** What reading showed afterwards; absent when the move did not succeed. */
  after: { reply: Reply; isThere: boolean } | undefined;
}

async function sampleMoves(session: Session): Promise<void> {
  await firstMove(session);
  const file = await movableFile(session);
  await sendPlainMove(session, file, newPath(session, file));
}

async function sampleTools(session: Session): Promise<void> {
  const listTools = (mcpServerId: string) => session.call('listMcpServerTools', { path: { mcpServerId } });
  const [first = '', ...others] = await listedServers(session);
  await listTools(first);
  await repeat(() => listTools(first));
  for (const other of others) {
    if ((await listTools(other)).failure !== undefined) return;
  }
}
