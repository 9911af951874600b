import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import {
  awaitPath,
  movableFile,
  newPath,
  pathIn,
  requireMove,
  sendMove,
  sendMoveWithRetry,
} from '../probing/file-moves.ts';
import { dottedNames, findCounterexample, illegalPathArbitrary } from '../probing/generated-paths.ts';
import { expectGuardKept, guardAfterDeletion } from '../probing/guarded.ts';
import { requireLeftAlone, requirePlaced } from '../probing/misplaced.ts';
import { directoryOf, extensionOf, type MovableFile } from '../probing/movable-file.ts';
import { pairOfTwoDrives } from '../probing/movable-files.ts';
import {
  encodedPath,
  forEffects,
  type IllegalPath,
  illegalPaths,
  legalDots,
  plainTwin,
} from '../probing/path-vectors.ts';
import type { GuardTree } from '../probing/shared-trees.ts';
import { sendDeletion } from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { describeReply, expectRefusal, isBusy, requireAnswered, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const moving = checksOf('updateDriveFile', 'move');
const deleting = checksOf('deleteDriveTree', 'delete');

/** The path rule for moves (4.6). */
export const movePathChecks: readonly Check[] = [
  ...illegalPathChecks('updateDriveFile', illegalPaths, aimMove),
  moving(
    'dot-dot-segment.other-drive',
    'Moves a file of another drive to one illegal path of each kind.',
    expectRefusedElsewhere,
    { needs: ['writes', 'movableFile', 'filesOfTwoDrives'] },
  ),
  moving('refused-path-moves-nothing', 'Moves a file to every illegal path, and reads it after each.', movesNothing),
  ...legalDots.map(({ rule, does, paths }) =>
    moving(rule, `Moves a file to ${does}.`, (session) => expectAccepted(session, rule, (_, name) => paths(name))),
  ),
  moving(
    'legal-dots.generated',
    'Moves a file to names with dots before, inside and behind them, but no .. segment.',
    (session) =>
      expectAccepted(session, 'legal-dots.generated', (directory, name) =>
        dottedNames(name).map((one) => `${directory}/${one}`),
      ),
  ),
];

/** The path rule for tree deletions (4.7). */
export const treePathChecks: readonly Check[] = [
  ...illegalPathChecks('deleteDriveTree', [...illegalPaths, encodedPath], aimDeletion),
  deleting(
    'refused-path-deletes-nothing',
    'Deletes trees with every illegal path, and reads a file after each.',
    deletesNothing,
    { phase: 'guard' },
  ),
];

/** An existing directory, a new name in it, and a way to send a path to the target. */
interface Aim {
  directory: string;
  name: string;
  send(path: string, isRawQuery?: boolean): Promise<Reply>;
  /** What an accepted path means. */
  accepted(path: string): Sentence;
}

export const refused = say`any non-2xx status: the path breaks the rule`;

// A legal path is accepted before each illegal one, so an illegal path was refused for the one difference.
function illegalPathChecks(
  operation: OperationId,
  vectors: readonly IllegalPath[],
  aim: (session: Session) => Promise<Aim>,
): Check[] {
  const [check, one, many] =
    operation === 'updateDriveFile'
      ? [moving, 'Moves a file to', 'Moves a file to']
      : [deleting, 'Deletes a tree with', 'Deletes trees with'];
  return [
    ...vectors.map((vector) =>
      check(vector.rule, `${one} ${vector.does}.`, async (session) => expectRefused(await aim(session), vector)),
    ),
    check(
      'dot-dot-segment.generated',
      `${many} generated paths that break the rule, and shows the smallest accepted one.`,
      async (session) => expectGeneratedRefused(await aim(session), session.settings.randomSeed),
    ),
  ];
}

// The headers for the key alternate; a single path is sent twice.
async function expectRefused({ directory, name, send, accepted }: Aim, vector: IllegalPath): Promise<void> {
  const paths = vector.paths(directory, name);
  await expectEachRefused(paths.length === 1 ? [...paths, ...paths] : paths, {
    send: (path) => send(path, vector.isRawQuery),
    accepted,
  });
}

// An accepted path is more serious than one without a response.
async function expectEachRefused(paths: readonly string[], { send, accepted }: Pick<Aim, 'send' | 'accepted'>) {
  const replies = await inParallel(paths, async (path) => ({ path, reply: await send(path) }));
  const inOrder = replies.sort((a, b) => Number(b.reply.isSuccess) - Number(a.reply.isSuccess));
  for (const { path, reply } of inOrder) expectRefusal(reply, accepted(JSON.stringify(path)), refused);
}

async function expectGeneratedRefused({ directory, send, accepted }: Aim, randomSeed: number): Promise<void> {
  const wrong = await findCounterexample(illegalPathArbitrary(directory), randomSeed, {
    send: async (path) => requireAnswered(await send(path)),
    isRight: (reply) => !reply.isSuccess,
  });
  if (wrong === undefined) return;
  const path = JSON.stringify(wrong.path);
  throw new Violated(refused, accepted(path), [wrong.reply], path);
}

async function expectRefusedElsewhere(session: Session): Promise<void> {
  session.requireWrites();
  const [, file] = await pairOfTwoDrives(session);
  const { directory, name, send, accepted } = await aimMove(session, file);
  const paths = illegalPaths.map((vector) => vector.paths(directory, name)[0] ?? '');
  await expectEachRefused(paths, { send, accepted });
}

async function aimMove(session: Session, chosen?: MovableFile): Promise<Aim> {
  const { file, directory } = await moveLegally(session, chosen);
  return {
    directory,
    name: session.newName(),
    send: (path) => sendMove(session, file, path),
    accepted: (path) => say`the file was moved to ${path}`,
  };
}

// Aims at the guard tree: a target that resolves the path deletes that tree.
async function aimDeletion(session: Session): Promise<Aim> {
  const guard = await guardAfterDeletion(session);
  return {
    directory: guard.base,
    name: guard.name,
    send: (path, isRawQuery) => sendTreePath(session, guard, path, isRawQuery),
    accepted: (path) => say`a deletion of ${path} was accepted`,
  };
}

export function sendTreePath(
  session: Session,
  { driveId }: GuardTree,
  path: string,
  isRawQuery = false,
): Promise<Reply> {
  if (!isRawQuery) return sendDeletion(session, driveId, path);
  const parameter = session.requireDestruction();
  return session.call('deleteDriveTree', { path: { driveId }, query: `${parameter}=${path}` });
}

/** A file after a legal move. */
interface MovedFile {
  file: MovableFile;
  path: string;
  directory: string;
}

export async function moveLegally(session: Session, chosen?: MovableFile): Promise<MovedFile> {
  session.requireWrites();
  const file = chosen ?? (await movableFile(session));
  const path = newPath(session, file);
  await requireMove(session, file, path);
  await awaitPath(session, file, path);
  return { file, path, directory: directoryOf(path) };
}

// In parallel; only if the file is elsewhere afterwards, one after the other.
async function movesNothing(session: Session): Promise<void> {
  const moved = await moveLegally(session);
  const vectors = illegalPaths.flatMap((one) =>
    forEffects(one, moved.directory, session.newName()).map((illegal) => ({ rule: one.rule, illegal })),
  );
  await inParallel(vectors, ({ rule, illegal }) => requireRefused(session, moved, illegal, rule));
  if ((await awaitStill(session, moved)).isStill) return;
  await requireLeftAlone(session, moved.file);
  for (const { rule, illegal } of vectors) await expectStill(session, illegal, rule);
}

// The file is moved anew before each path.
async function expectStill(session: Session, illegal: string, rule: string): Promise<void> {
  await requirePlaced(session, async () => {
    const moved = await moveLegally(session);
    const refusal = await requireRefused(session, moved, illegal, rule);
    const { now, isStill } = await awaitStill(session, moved);
    if (isStill) return undefined;
    const actual = say`at ${pathIn(now) ?? own('no path')}`;
    return { file: moved.file, violation: new Violated(say`the file at ${moved.path}`, actual, [refusal, now]) };
  });
}

function notRefused(operation: OperationId, path: string, rule: string): Inconclusive {
  return new Inconclusive('PREREQUISITE', say`${asJson(path)} was not refused.`, `${operation}.${rule}`);
}

async function requireRefused(session: Session, { file }: MovedFile, illegal: string, rule: string): Promise<Reply> {
  const refusal = await sendMove(session, file, illegal);
  if (refusal.isSuccess) throw notRefused('updateDriveFile', illegal, rule);
  return refusal;
}

// A replica may lag: the file must be at its path within the time to settle.
async function awaitStill(session: Session, { file, path }: MovedFile) {
  const { reply: now, isThere } = await awaitPath(session, file, path);
  if (isBusy(now) || now.failure !== undefined) throw new Inconclusive('TARGET', say`The file cannot be read now.`);
  return { now, isStill: isThere };
}

function deletesNothing(session: Session): Promise<void> {
  const vectors = [...illegalPaths, encodedPath].flatMap((one) =>
    forEffects(one, '', '').map((_, index) => ({ one, index })),
  );
  return expectGuardKept(session, vectors, ({ one, index }, guard) => {
    const path = forEffects(one, guard.base, guard.name)[index] ?? '';
    return requireTreeRefused(session, guard, { rule: one.rule, path, isRawQuery: one.isRawQuery });
  });
}

async function requireTreeRefused(
  session: Session,
  guard: GuardTree,
  { rule, path, isRawQuery }: { rule: string; path: string; isRawQuery?: boolean | undefined },
): Promise<Reply> {
  const reply = await sendTreePath(session, guard, path, isRawQuery);
  if (reply.isSuccess) throw notRefused('deleteDriveTree', path, rule);
  return reply;
}

async function expectAccepted(
  session: Session,
  rule: string,
  pathsIn: (directory: string, name: string) => string[],
): Promise<Sentence | undefined> {
  const { file, directory } = await moveLegally(session);
  const paths = pathsIn(directory, session.newName());
  // A new directory must be accepted too.
  if (paths.some((path) => path.lastIndexOf('/') > 0 && !path.startsWith(`${directory}/`)))
    await requireMove(session, file, `/${session.newName()}/x${extensionOf(file.originalPath)}`);
  for (const path of paths) {
    const reply = await sendMoveWithRetry(session, file, path);
    if (reply.isSuccess) continue;
    if (isBusy(reply)) requireSuccess(reply, `updateDriveFile.${rule}`);
    if (await isTwinRefused(session, file, path, directory)) return refusedForAnotherReason(path);
    throw new Violated(say`${asJson(path)} is accepted: it has no .. segment`, describeReply(reply), [reply]);
  }
  return undefined;
}

// Which other paths a target accepts is open: at the root, with a percent sign, without an extension.
async function isTwinRefused(session: Session, file: MovableFile, path: string, directory: string): Promise<boolean> {
  const twin = requireAnswered(await sendMoveWithRetry(session, file, plainTwin(path, directory)));
  return !twin.isSuccess;
}

function refusedForAnotherReason(path: string): Sentence {
  return say`${asJson(path)} is refused, and so is the same path without dots, which is open.`;
}
