import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import {
  awaitPath,
  fileToMove,
  newPath,
  pathIn,
  requireLeftAlone,
  requireMove,
  requirePlaced,
  sendMove,
  sendMoveWithRetry,
} from '../probing/files.ts';
import {
  dottedNames,
  encodedPath,
  findCounterexample,
  forEffects,
  type IllegalPath,
  illegalPathArbitrary,
  illegalPaths,
  legalDots,
  plainTwin,
} from '../probing/illegal-paths.ts';
import { pairOfTwoDrives } from '../probing/placed-files.ts';
import { sendDeletion, sendDeletionWithRetry } from '../probing/tree-deletions.ts';
import { expectGuardKept, type GuardTree, guardAfterDeletion } from '../probing/trees.ts';
import { inParallel, onceTogether } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { directoryOf, extensionOf, type MovableFile } from '../safety/receipt.ts';
import { expectKept } from '../scenarios/carry-out.ts';
import {
  describeReply,
  expectRefusal,
  isBusy,
  judgesShape,
  requireAnswered,
  requireConclusive,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { encodeName } from '../target/request-parts.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

const moving = checksOf('updateDriveFile', 'move');
const movingOne = checksOf('updateDriveFile', 'move', 'moves');
const deleting = checksOf('deleteDriveTree', 'delete');
const movingToIllegal = checksOf('updateDriveFile', 'move', 'refusedPaths');
const deletingIllegal = checksOf('deleteDriveTree', 'delete', 'refusedPaths');

/** The path rule for moves (4.6). */
export const movePathChecks: readonly Check[] = [
  ...illegalPathChecks('updateDriveFile', illegalPaths, aimMove),
  movingToIllegal(
    'dot-dot-segment.other-drive',
    'Moves a file of another drive to one illegal path of each kind.',
    expectRefusedElsewhere,
    { needs: ['writes', 'movableFile', 'filesOfTwoDrives'] },
  ),
  moving('refused-path-moves-nothing', 'Moves a file to every illegal path, and reads it after each.', movesNothing),
  ...legalDots.map(({ rule, does, paths }) =>
    movingOne(rule, `Moves a file to ${does}.`, (session) => expectAccepted(session, rule, (_, name) => paths(name))),
  ),
  movingOne(
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

const refused = say`any non-2xx status: the path breaks the rule`;

// A legal path is accepted before each illegal one, so an illegal path was refused for the one difference.
function illegalPathChecks(
  operation: OperationId,
  vectors: readonly IllegalPath[],
  aim: (session: Session) => Promise<Aim>,
): Check[] {
  const [check, one, many] =
    operation === 'updateDriveFile'
      ? [movingToIllegal, 'Moves a file to', 'Moves a file to']
      : [deletingIllegal, 'Deletes a tree with', 'Deletes trees with'];
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
  const { file, directory } = await (chosen === undefined ? movedLegally(session) : moveLegally(session, chosen));
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

function sendTreePath(session: Session, { driveId }: GuardTree, path: string, isRawQuery = false): Promise<Reply> {
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

async function moveLegally(session: Session, chosen?: MovableFile): Promise<MovedFile> {
  session.requireWrites();
  const file = chosen ?? (await fileToMove(session));
  const path = newPath(session, file);
  await requireMove(session, file, path);
  await awaitPath(session, file, path);
  return { file, path, directory: directoryOf(path) };
}

const movedLegally = onceTogether((session) => moveLegally(session));

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
  return say`${asJson(path)} is refused, and so is the same path without dots, which the specification leaves open.`;
}

const guarding = checksOf('deleteDriveTree', 'guard');

/** The path rule, however a request spells its path: not as a string, with escapes, twice, in odd bytes (4.6, 4.7). */
export const pathSpellingChecks: readonly Check[] = [
  movingOne(
    'path-is-no-string',
    'Sends numbers, booleans, null, arrays and objects as the path of a move.',
    expectStringsOnly,
  ),
  movingOne('path-escaped', 'Moves a file to illegal paths whose characters are escaped in JSON.', expectEscapesRead),
  movingOne('path-twice', 'Moves a file with a legal and an illegal path in one body, in both orders.', expectOneMove),
  movingOne(
    'path-kept.near-dot-dot',
    'Moves a file to names that careless code mistakes for a .. segment.',
    expectNearDotsKept,
  ),
  guarding('path-twice', 'Deletes trees with a legal and an illegal path in one query, in both orders.', expectOneTree),
  guarding(
    'file-beside-is-kept.odd-bytes',
    'Deletes trees with paths that are escaped twice, are not UTF-8 or almost contain a .. segment, and reads a file after each.',
    (session) =>
      expectGuardKept(session, nearDotsInQueries, (spell, guard) =>
        sendTreePath(session, guard, spell(guard.base, guard.name), true),
      ),
  ),
];

/** JSON values that are not strings, some of which contain a legal path. */
const noStrings: readonly ((legal: string) => unknown)[] = [
  ...[0, 7, -1, 1.5, true, false].map((value) => () => value),
  (legal) => [legal],
  (legal) => [[legal]],
  (legal) => [legal, legal],
  () => [],
  () => ({}),
  (legal) => ({ path: legal }),
  (legal) => ({ 0: legal, length: 1 }),
];

// A legal move precedes them. A number is never a path: even as text it does not start with a slash.
async function expectStringsOnly(session: Session): Promise<Sentence | undefined> {
  const { file, directory } = await moveLegally(session);
  await inParallel(noStrings, async (make) => {
    const legal = `${directory}/${session.newName()}${extensionOf(file.originalPath)}`;
    const value = make(legal);
    const reply = await sendMove(session, file, legal, { json: { path: value } });
    expectRefusal(reply, say`the path ${asJson(value)} was accepted`, say`any non-2xx status: path is a string`);
  });
  return expectNullMovesNothing(session);
}

// Other clients may move the file meanwhile, so it is tried again.
async function expectNullMovesNothing(session: Session): Promise<Sentence | undefined> {
  let isAccepted = false;
  await requirePlaced(session, async () => {
    const { file, path } = await moveLegally(session);
    const reply = await sendMove(session, file, path, { json: { path: null } });
    requireConclusive(reply);
    if (!reply.isSuccess) return undefined;
    isAccepted = true;
    const violation = await elsewhere(session, file, [path], reply);
    return violation && { file, violation };
  });
  return isAccepted ? say`null is accepted like a missing path, which the specification leaves open.` : undefined;
}

// In JSON, \u002e and a dot mean the same. A raw line break is not JSON, and must not hide what follows.
const escaped: readonly ((directory: string, name: string) => string)[] = [
  (directory, name) => escapedAll(`${directory}/x/../${name}`),
  (_, name) => escapedAll(`/../${name}`),
  (directory, name) => escapedAll(`${directory}/${name}`.slice(1)),
  (_, name) => escapedAll(`\\${name}`),
  (directory, name) => `${inJson(`${directory}/x/`)}\\u002e\\u002E/${inJson(name)}`,
  (directory, name) => `${inJson(`${directory}/x/`)}.\\u002e\\/${inJson(name)}`,
  (directory, name) => `\\u0020${inJson(`${directory}/${name}`)}`,
  (directory, name) => `${inJson(directory)}/x\n/../${inJson(name)}`,
];

async function expectEscapesRead(session: Session): Promise<void> {
  const { file, directory } = await moveLegally(session);
  await inParallel(escaped, async (spell) => {
    const name = session.newName();
    const body = `{"path":"${spell(directory, name)}"}`;
    const reply = await sendMove(session, file, `${directory}/${name}`, { raw: { body, contentType } });
    expectRefusal(reply, say`the file was moved by ${body}`, refused);
  });
}

const contentType = 'application/json';

function escapedAll(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** A text as a JSON string, without the quotes. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Illegal paths that would each lead to a different place if they were resolved or completed. */
const illegalBeside: readonly ((directory: string, name: string) => string)[] = [
  (directory, name) => `${directory}/x/../${name}`,
  (directory, name) => `${directory}/${name}`.slice(1),
  (directory, name) => ` ${directory}/${name}`,
];

const orders = [
  (legal: string, illegal: string) => [legal, illegal],
  (legal: string, illegal: string) => [illegal, legal],
] as const;

// Which of two paths counts is open, but not that the illegal one does.
async function expectOneMove(session: Session): Promise<void> {
  for (const illegalIn of illegalBeside) {
    for (const inOrder of orders) {
      await requirePlaced(session, async () => {
        const { file, directory, path } = await moveLegally(session);
        const legal = `${directory}/${session.newName()}${extensionOf(file.originalPath)}`;
        const paths = inOrder(legal, illegalIn(directory, session.newName()));
        const body = `{${paths.map((one) => `"path":${JSON.stringify(one)}`).join(',')}}`;
        const reply = await sendMove(session, file, legal, { raw: { body, contentType } });
        requireConclusive(reply);
        const violation = reply.isSuccess ? await elsewhere(session, file, [legal, path], reply) : undefined;
        return violation && { file, violation };
      });
    }
  }
}

/** The violation if a file is at none of some paths, in the response to its move or later. */
async function elsewhere(
  session: Session,
  file: MovableFile,
  legal: readonly [string, ...string[]],
  reply: Reply,
): Promise<Violated | undefined> {
  const { reply: later } = await awaitPath(session, file, pathIn(reply) ?? legal[0]);
  for (const shown of [reply, later]) {
    const path = pathIn(shown);
    if (path === undefined || legal.includes(path)) continue;
    const expected = say`the file at ${asJson(legal[0])}, or where it was: the body contains no other legal path`;
    return new Violated(expected, say`at ${asJson(path)}`, [...new Set([reply, shown])]);
  }
  if (pathIn(later) !== undefined) return undefined;
  throw new Inconclusive('PREREQUISITE', say`The file shows no path.`, ...judgesShape('getDriveFile'));
}

// A legal path that names nothing: if it is refused alone, a success is about the other one.
async function expectOneTree(session: Session): Promise<void> {
  const guard = await guardAfterDeletion(session);
  const legal = `${guard.base}/${session.newName()}`;
  const isRefusedAlone = !(await sendDeletionWithRetry(session, guard.driveId, legal)).isSuccess;
  const pairs = illegalBeside.flatMap((illegalIn) => orders.map((inOrder) => ({ illegalIn, inOrder })));
  await expectGuardKept(session, pairs, async ({ illegalIn, inOrder }, next) => {
    const reply = await sendTwice(session, next, inOrder(legal, illegalIn(next.base, next.name)));
    requireConclusive(reply);
    if (!reply.isSuccess || !isRefusedAlone) return reply;
    throw new Violated(refused, say`status ${reply.status}, although the legal path alone is refused`, [reply]);
  });
}

function sendTwice(session: Session, guard: GuardTree, paths: readonly string[]): Promise<Reply> {
  const parameter = encodeName(session.requireDestruction());
  const [first = '', second = ''] = paths.map(encodeURIComponent);
  return sendTreePath(session, guard, `${first}&${parameter}=${second}`, true);
}

/** Names that look like a `..` segment, but are not. */
const nearDots = ['..;', 'x\\..\\y', '%2e%2e', '%252e%252e', '..%00', '.. .', '..%2f..'];

async function expectNearDotsKept(session: Session): Promise<Sentence | undefined> {
  for (const near of nearDots) {
    const { file, directory } = await moveLegally(session);
    const refusal = await expectKept(
      session,
      file,
      `${directory}/x/${near}/${session.newName()}${extensionOf(file.originalPath)}`,
    );
    if (refusal !== undefined) return say`${own(near)}: ${refusal}`;
  }
  return undefined;
}

/** Queries with paths that are legal or not UTF-8, and lead to the guard tree only if decoded or cut once too often. */
const nearDotsInQueries: readonly ((base: string, name: string) => string)[] = [
  ...[
    '..;',
    'x%5C..%5C..',
    '%252e%252e',
    '%25252e%25252e',
    '%u002e%u002e',
    '..%00',
    '..%20',
    '..%09',
    '..%3F',
    '..%23',
  ].map((near) => (base: string, name: string) => `${base}/x/${near}/${name}`),
  (base, name) => `${base}%5Cx%5C..%5C${name}`,
  (base, name) => `${base}/x/..%252f${name}`,
  (base, name) => `${base}/x/%c0%ae%c0%ae/${name}`,
  (base, name) => `${base}/x/%e0%80%ae%e0%80%ae/${name}`,
  (base, name) => `${base}/x%c0%af..%c0%af${name}`,
  (base, name) => `${base}/${name}%00`,
  (base, name) => `${base}/${name}%00.txt`,
  (base, name) => `${base}/${name}%2500`,
  (base, name) => `${base}/${name}%0a`,
];
