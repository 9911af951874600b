import { isDeepStrictEqual } from 'node:util';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import type { SchemaObject } from '../../openapi/contract/document.ts';
import { msBetween } from '../../openapi/reading/timestamps.ts';
import { listedIn, sentObject, successesFor } from '../probing/creations.ts';
import {
  awaitPath,
  declaredFiles,
  firstMove,
  initialPaths,
  initialReadings,
  type Misplaced,
  movableFile,
  newPath,
  pathIn,
  readableFile,
  readFile,
  requireMove,
  requirePlaced,
  saysNoSuchFile,
  sendPath,
  setByProcessing,
} from '../probing/files.ts';
import { hasPlainForm, isNumber, nearIds, strangeIds, unknownLike } from '../probing/fixtures.ts';
import type { ListOperation } from '../probing/lists.ts';
import { sendValid, successfulReplies } from '../probing/operations.ts';
import { variedFilesOfOneDrive } from '../probing/placed-files.ts';
import { leftToModel } from '../rules/left-to-model.ts';
import { inParallel } from '../run/once.ts';
import type { FileFixture } from '../run/settings.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { fileKey, type MovableFile } from '../safety/receipt.ts';
import { expectSeenAt } from '../scenarios/carry-out.ts';
import { currentClock, poll } from '../target/clock.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import {
  areSame,
  expectRefusal,
  idOf,
  inconclusive,
  judgesShape,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

const reading = checksOf('getDriveFile', 'read');
const moving = checksOf('updateDriveFile', 'move');

/** Reading and moving files (4.5, 4.6), except the path rule. */
export const fileChecks: readonly Check[] = [
  reading('file-of-another-drive', 'Reads a file under the id of another drive.', expectHiddenInOtherDrive, {
    needs: ['filesOfTwoDrives'],
  }),
  reading(
    'strange-id',
    'Reads a file under ids that must not match: the drive id, capitals, a pattern, a long id of odd characters. Then uses such ids for the drive.',
    expectNoStranger,
  ),
  reading(
    'near-id',
    'Reads a file with the last character of its id removed and with one added. Then does the same to the drive id.',
    expectNoNeighbour,
  ),
  moving(
    'path-taken-over',
    'Moves a file to a plain path, and looks for the path in the response.',
    expectPathTakenOver,
  ),
  moving('read-shows-new-path', 'Moves a file, and reads it until it shows the new path.', expectNewPathShown),
  moving('other-fields-kept', 'Compares a file before and after a move.', expectOtherFieldsKept),
  moving(
    'other-file-untouched',
    'Moves a file, and compares the paths of the others before and after.',
    expectOthersUntouched,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
  // After the check of files that were not moved.
  moving(
    'other-fields-kept.other-file',
    'Compares a second file, which differs from the first in most fields, before and after a move.',
    expectUnlikeFileKept,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
  moving('unknown-file', 'Moves a file that does not exist, in a drive that does.', expectUnknownRefused, {
    needs: ['writes', 'file'],
    effects: {},
  }),
  moving('file-of-another-drive', 'Moves a file under the id of another drive.', expectRefusedInOtherDrive, {
    needs: ['writes', 'movableFile', 'filesOfTwoDrives'],
    effects: {},
  }),
  ...withoutValidKey.map(({ prefix, who, credentials }) =>
    moving(`${prefix}-moves-nothing`, `Moves a file ${who}, and reads it.`, (session) =>
      expectNotMoved(session, credentials(session.runId, 'bearer')),
    ),
  ),
];

async function expectNoStranger(session: Session): Promise<void> {
  const { driveId, id } = readableFile(session);
  requireSuccess(await readFile(session, { driveId, id }), 'getDriveFile.is-served');
  const files = strangeIds(session, id, driveId).map((strange) => ({ driveId, id: strange }));
  const drives = strangeIds(session, driveId, id).slice(0, 2);
  for (const stranger of [...files, ...drives.map((strange) => ({ driveId: strange, id }))]) {
    expectRefusal(
      await session.call('getDriveFile', { path: { driveId: stranger.driveId, fileId: stranger.id } }),
      say`a file was returned`,
    );
  }
}

// A different file may have the near id, but then it shows that id.
async function expectNoNeighbour(session: Session): Promise<void> {
  const plain = declaredFiles(session).find((file) => hasPlainForm(file.id));
  const { driveId, id } = plain ?? readableFile(session);
  requireSuccess(await readFile(session, { driveId, id }), 'getDriveFile.is-served');
  for (const near of nearIds(id)) {
    const reply = await session.call('getDriveFile', { path: { driveId, fileId: near } });
    if (member(reply.json, 'id') !== near) expectRefusal(reply, say`a file with a different id was returned`);
  }
  for (const near of isNumber(driveId) ? [] : nearIds(driveId)) {
    const reply = await session.call('getDriveFile', { path: { driveId: near, fileId: id } });
    expectRefusal(reply, say`a file from another drive was returned`);
  }
}

async function expectUnknownRefused(session: Session): Promise<void> {
  session.requireWrites();
  const { driveId, id } = readableFile(session);
  for (const unknown of [session.unknownId(), unknownLike(session, id)]) {
    const reply = await sendPath(session, { driveId, id: unknown }, `/${session.newName()}`);
    expectRefusal(reply, say`a file that does not exist was moved`);
  }
}

/** A file of one drive, and its id with another drive. */
interface MixedPair {
  file: FileFixture;
  mixed: FileFixture;
  reply: Reply;
  /** Whether the other drive has its own file with this id, which is legal: ids may be unique within a drive only. */
  isOwnFile: boolean;
}

const sameId = say`The other drive has a file with the same id.`;

async function readMixedPair(session: Session): Promise<MixedPair> {
  const file = readableFile(session);
  const other = declaredFiles(session).find(({ driveId }) => driveId !== file.driveId);
  if (other === undefined) throw new Inconclusive('FILES', say`All declared files are in one drive.`);
  requireSuccess(await readFile(session, file), 'getDriveFile.is-served');
  const mixed = { driveId: other.driveId, id: file.id };
  if (declaredFiles(session).some(({ driveId, id }) => driveId === mixed.driveId && id === mixed.id)) {
    throw new Inconclusive('FILES', sameId);
  }
  const reply = await readFile(session, mixed);
  return { file, mixed, reply, isOwnFile: reply.isSuccess && !(await isSameFile(session, file, reply)) };
}

async function isSameFile(session: Session, file: FileFixture, shown: Reply): Promise<boolean> {
  const { json } = await readFile(session, file);
  return areSame(json, shown.json, ['path', 'size', 'modifiedAt', 'contentType']);
}

async function expectHiddenInOtherDrive(session: Session): Promise<Sentence | undefined> {
  const { reply, isOwnFile } = await readMixedPair(session);
  if (isOwnFile) return sameId;
  expectRefusal(reply, say`the file was returned under another drive`);
  return undefined;
}

// A file that is not declared must not be moved.
async function expectRefusedInOtherDrive(session: Session): Promise<void> {
  session.requireWrites();
  const { mixed, isOwnFile } = await readMixedPair(session);
  if (isOwnFile) throw new Inconclusive('FILES', sameId);
  const reply = await sendPath(session, mixed, newPath(session, await movableFile(session)));
  expectRefusal(reply, say`the file was moved`, say`any non-2xx status: the file is in another drive`);
}

async function expectPathTakenOver(session: Session): Promise<void> {
  const { reply, path } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  const shown = member(reply.json, 'path');
  if (shown === undefined)
    throw new Inconclusive('PREREQUISITE', say`The response shows no path.`, ...judgesShape('updateDriveFile'));
  if (shown !== path) throw new Violated(say`path: ${asJson(path)}`, asJson(shown), [reply]);
}

async function expectNewPathShown(session: Session): Promise<void> {
  const move = await firstMove(session);
  requireSuccess(move.reply, 'updateDriveFile.is-served');
  await expectSeenAt(session, move);
}

// Compared with the start of the run, since an earlier move may have moved other files.
async function expectOthersUntouched(session: Session): Promise<void> {
  session.requireWrites();
  await initialReadings(session);
  const { file, reply } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  const others = initialPaths(session).filter(
    (other) => other.driveId === file.driveId && !session.files.isMoved(other),
  );
  if (others.length === 0) throw new Inconclusive('FILES', say`No other file of the same drive is declared.`);
  await requirePlaced(session, async (isAgain) =>
    isAgain ? displacedByMoveOf(session, file, others) : displacedFrom(session, others, reply),
  );
}

type Placed = FileFixture & { path: string };

/** The first file that is no longer at its path after a move of a different one. */
async function displacedFrom(session: Session, places: readonly Placed[], move: Reply): Promise<Misplaced | undefined> {
  const readings = await inParallel(places, async (place) => ({ place, now: await readFile(session, place) }));
  for (const { place, now } of readings) {
    if (!saysNoSuchFile(now)) requireSuccess(now, 'getDriveFile.is-served');
    if (pathIn(now) === place.path) continue;
    const actual = say`at ${pathIn(now) ?? own('no path')}`;
    const violation = new Violated(say`${place.id} at ${place.path}`, actual, [move, now]);
    if (saysNoSuchFile(now)) throw violation;
    return { file: place, violation };
  }
  return undefined;
}

async function displacedByMoveOf(
  session: Session,
  file: MovableFile,
  others: readonly FileFixture[],
): Promise<Misplaced | undefined> {
  const places = await inParallel(others, async (other) => {
    const path = pathIn(await readFile(session, other));
    return path === undefined ? [] : [{ ...other, path }];
  });
  const path = newPath(session, file);
  const move = await requireMove(session, file, path);
  await awaitPath(session, file, path);
  return displacedFrom(session, places.flat(), move);
}

// Only the sent path counts: an earlier move may become visible late, and other clients may move the file.
async function expectNotMoved(session: Session, credentials: Credentials): Promise<void> {
  const file = await movableFile(session);
  await firstMove(session);
  const reply = await sendValid(session, 'updateDriveFile', { credentials });
  const { path: sent } = sentObject(reply);
  // The operation hung before with a different body, and was not called again.
  if (typeof sent !== 'string') throw inconclusive(reply);
  const delayMs = session.learned.delaysMs.move;
  const { seen, isThere } = await poll(
    delayMs < 20 ? 0 : delayMs * 1.5,
    () => readFile(session, file),
    (now) => pathIn(now) === sent,
  );
  if (isThere) throw new Violated(say`the file where it was`, say`at ${sent}, which was sent`, [reply, seen]);
  if (!saysNoSuchFile(seen)) requireSuccess(seen, 'getDriveFile.is-served');
}

const keptFields = ['kind', 'id', ...setByProcessing];

// Whether the response to a move has a field may be open, but later readings must keep the fields of earlier ones.
async function expectOtherFieldsKept(session: Session): Promise<void> {
  const { file, before, reply, after } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  requireSuccess(before, 'getDriveFile.is-served');
  const stable = await stableFields(session, file, [before]);
  const answered = stable.filter((name) => member(reply.json, name) !== undefined);
  expectSameFields(before, reply, answered);
  if (after?.isThere) expectSameFields(before, after.reply, stable);
}

/** Compares a file that differs from the first one in most fields before and after a move. */
async function expectUnlikeFileKept(session: Session): Promise<void> {
  const first = await firstMove(session);
  requireSuccess(first.reply, 'updateDriveFile.is-served');
  const { file, before } = await fileUnlike(session, first.file, first.before);
  const path = newPath(session, file);
  const reply = await requireMove(session, file, path);
  const { reply: after, isThere } = await awaitPath(session, file, path);
  const stable = await stableFields(session, file, [before, reply, after]);
  const answered = stable.filter((name) => member(reply.json, name) !== undefined);
  expectSameFields(before, reply, answered);
  if (isThere) expectSameFields(before, after, stable);
}

// Compared with the reading at the start of the run, the only one that shows what earlier moves lost.
async function fileUnlike(session: Session, first: MovableFile, shown: Reply) {
  const readings = await initialReadings(session);
  const differences = (reply: Reply) =>
    comparedFields(reply)
      .filter((name) => member(reply.json, name) !== undefined)
      .filter((name) => !areSame(reply.json, shown.json, [name])).length;
  const others = (await variedFilesOfOneDrive(session, mostCompared)).flatMap((file) => {
    const before = readings.find((one) => fileKey(one) === fileKey(file))?.reply;
    return before?.isSuccess && fileKey(file) !== fileKey(first) ? [{ file, before }] : [];
  });
  const [best] = others.sort((a, b) => differences(b.before) - differences(a.before));
  if (best !== undefined) return best;
  throw new Inconclusive('FILES', say`No other file of the same drive can be moved.`);
}

const mostCompared = 30;

// A field that changes with every reading, or is set by processing, says nothing about the move.
async function stableFields(session: Session, file: MovableFile, around: readonly Reply[]): Promise<string[]> {
  const [one, other] = [await readFile(session, file), await readFile(session, file)];
  return comparedFields(...around).filter((name) => areSame(one.json, other.json, [name]));
}

// Fields that processing sets may change while it goes on.
function comparedFields(...replies: readonly Pick<Reply, 'json'>[]): string[] {
  const isProcessing = replies.some(({ json }) => member(json, 'status') === 'processing');
  return keptFields.filter((name) => !isProcessing || !setByProcessing.includes(name));
}

function expectSameFields(before: Reply, later: Reply, names: readonly string[]): void {
  const shown = names.filter((name) => member(before.json, name) !== undefined);
  const field = shown.find((name) => !areSame(before.json, later.json, [name]));
  if (field === undefined) return;
  const expected = say`${own(field)}: ${asJson(member(before.json, field))}`;
  throw new Violated(expected, asJson(member(later.json, field)), [before, later]);
}

const lists = { listAgents: 'Agent', listDrives: 'Drive', listMcpServers: 'McpServer' } as const satisfies Partial<
  Record<ListOperation, string>
>;

/** Reading changes nothing, whoever reads and how often (2, 4.1, 4.4, 4.5, 4.9). */
export const readingChecks: readonly Check[] = [
  checksOf('getDriveFile', 'read')(
    'reading-changes-nothing',
    'Reads declared files repeatedly, and compares every field except metadata.',
    async (session) => {
      readableFile(session);
      return expectReadingHarmless(session, 'DriveFile', {
        earliest: async () => toReading((await initialReadings(session)).map(({ reply }) => reply)),
        again: () => readFiles(session),
      });
    },
    { isLast: true },
  ),
  ...(Object.keys(lists) as ListOperation[]).flatMap((list) => [
    checksOf(list, 'read')(
      'reading-changes-nothing',
      'Reads the list repeatedly, and compares every field of every item.',
      (session) =>
        expectReadingHarmless(session, lists[list], {
          earliest: async () => {
            await successfulReplies(session, list);
            return itemsIn(successesFor(session, list, 'own')[0]);
          },
          again: async () => itemsIn(await session.call(list)),
        }),
      { isLast: true },
    ),
    leftToModel(
      list,
      'created-at-stays',
      'Compares the createdAt of every item in all lists of the run, and in the responses to creations.',
    ),
  ]),
];

/** What was read at about the same time, by id, each with the reply that shows it. */
type Reading = ReadonlyMap<string, { value: unknown; reply: Reply }>;

function itemsIn(reply: Reply | undefined): Reading {
  const items = reply === undefined ? [] : listedIn(reply).map((value) => ({ value, reply }));
  return new Map(items.map((one) => [idOf(one.value) ?? '', one]));
}

function toReading(replies: readonly Reply[]): Reading {
  const successes = replies.filter(({ isSuccess }) => isSuccess);
  return new Map(successes.map((reply) => [reply.request.path, { value: reply.json, reply }]));
}

/** How the same resources are read: for the first time in the run, and now. */
interface Readings {
  earliest(): Promise<Reading>;
  again(): Promise<Reading>;
}

const mostFiles = 6;

// Files to move and files to delete: another client that uses one kind hardly uses the other as well.
async function readFiles(session: Session): Promise<Reading> {
  const { files = [] } = session.settings.fixtures;
  const declared = declaredFiles(session);
  const chosen = [...declared.slice(0, mostFiles / 2), ...declared.slice(files.length).slice(0, mostFiles / 2)];
  return toReading(await inParallel(new Set(chosen), (file) => readFile(session, file)));
}

/** The fields of a resource. The inner shape of metadata is open: a re-signed link does not change the file. */
function fieldsOf({ contract }: Session, schemaName: string): string[] {
  const schema = contract.components?.schemas?.[schemaName] as SchemaObject | undefined;
  return Object.keys(schema?.properties ?? {}).filter((name) => name !== 'metadata');
}

const attempts = 5;
const secondMs = 1_000;

// Times may be shown in whole seconds: a change on each reading shows after a second.
async function expectReadingHarmless(session: Session, schemaName: string, readings: Readings): Promise<void> {
  const fields = fieldsOf(session, schemaName);
  const first = await readings.earliest();
  const [one] = [...first.values()];
  if (one === undefined) throw new Inconclusive('DATA', say`There is nothing to read again.`);
  const clock = currentClock();
  await clock.sleep(secondMs + 50 - (clock.nowMs() - one.reply.sentAtMs));
  const change = changeBetween(fields, first, await readings.again());
  if (change !== undefined) await confirm(fields, change, readings.again);
}

/**
 * Throws {@link Violated} if one field of all resources changes with each reading, and {@link Inconclusive} for any
 * other change: other clients may be at work.
 */
async function confirm(fields: readonly string[], change: Change, read: () => Promise<Reading>): Promise<never> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = await read();
    if (attempt % 2 === 0) await currentClock().sleep(secondMs + 50);
    const again = changeBetween(fields, before, await read());
    const isSame = again !== undefined && isDeepStrictEqual(again.fields, change.fields);
    // Without a pause, a time in whole seconds stays the same.
    if (!isSame && (attempt % 2 === 0 || again !== undefined)) throw changedByOthers();
  }
  const [field = ''] = change.fields;
  if (change.fields.size > 1 || !change.isEverywhere) throw changedByOthers();
  const { before, after } = change;
  const expected = say`${own(field)}: ${asJson(member(before.value, field))}, as read before`;
  throw new Violated(expected, asJson(member(after.value, field)), [before.reply, after.reply]);
}

function changedByOthers(): Inconclusive {
  return new Inconclusive(
    'QUIET',
    say`The data changed, but not between all readings: another client may have changed it.`,
  );
}

interface Change {
  fields: ReadonlySet<string>;
  /** Whether everything that both readings show has changed. */
  isEverywhere: boolean;
  before: { value: unknown; reply: Reply };
  after: { value: unknown; reply: Reply };
}

function changeBetween(fields: readonly string[], one: Reading, other: Reading): Change | undefined {
  const pairs = [...one].flatMap(([id, before]) => {
    const after = other.get(id);
    if (after === undefined || isProcessing(before) || isProcessing(after)) return [];
    return [{ before, after, changed: changedIn(fields, before.value, after.value) }];
  });
  const changed = pairs.filter((pair) => pair.changed.length > 0);
  const [first] = changed;
  if (first === undefined) return undefined;
  const { before, after } = first;
  const all = new Set(changed.flatMap((pair) => pair.changed));
  const isShown = ({ value }: { value: unknown }) => [...all].some((name) => member(value, name) !== undefined);
  const affected = pairs.filter((pair) => isShown(pair.before) && isShown(pair.after));
  return { fields: all, isEverywhere: changed.length === affected.length, before, after };
}

// While a file is processed, any of its fields may change.
function isProcessing({ value }: { value: unknown }): boolean {
  return member(value, 'status') === 'processing';
}

/** The fields that both values have and in which they differ. */
function changedIn(fields: readonly string[], before: unknown, after: unknown): string[] {
  return fields.filter((name) => {
    const [was, is] = [member(before, name), member(after, name)];
    if (was === undefined || is === undefined || isDeepStrictEqual(was, is)) return false;
    return !name.endsWith('At') || msBetween(String(was), String(is)) !== 0;
  });
}

/** The fields of a file that neither processing nor time changes: readings must agree with the response to a move. */
const steadyFields = ['kind', 'id', 'name', 'size', 'contentType'];

/** The response to a move is the updated file: it shows what later readings show, until the file changes again (4.6). */
export const moveAnswerCheck: Check = checksOf('updateDriveFile', 'judge')(
  'answer-is-what-is-read',
  'Compares the response to every move with the readings of the file at its new path.',
  expectAnswersRead,
);

async function expectAnswersRead(session: Session): Promise<void> {
  const moves = await successfulReplies(session, 'updateDriveFile');
  let isCompared = false;
  for (const move of moves) {
    const readings = readingsOf(session, move);
    const latest = readings.at(-1);
    if (latest === undefined) continue;
    isCompared = true;
    const isUnderWork = [move, ...readings].some(({ json }) => member(json, 'status') === 'processing');
    const fields = steadyFields.filter((name) => !isUnderWork || !['size', 'contentType'].includes(name));
    // A lagging replica may show an old value, but a value that no reading shows is not explained by time.
    const wrong = fields.find((name) => {
      const shown = member(move.json, name);
      return shown !== undefined && readings.every(({ json }) => isOther(shown, member(json, name)));
    });
    if (wrong === undefined) continue;
    const expected = say`${own(wrong)}: ${asJson(member(latest.json, wrong))}, as the file is read at its new path`;
    throw new Violated(expected, asJson(member(move.json, wrong)), [latest, move]);
  }
  if (!isCompared)
    throw new Inconclusive(
      'PREREQUISITE',
      say`No file was read at its new path.`,
      'updateDriveFile.read-shows-new-path',
    );
}

function isOther(shown: unknown, read: unknown): boolean {
  return read !== undefined && !isDeepStrictEqual(shown, read);
}

/** The readings of a file at the path of a move, until it was moved again. */
function readingsOf(session: Session, move: Reply): Reply[] {
  const { path } = move.request;
  const next = session
    .repliesOf('updateDriveFile')
    .find(({ request, sentAtMs }) => request.path === path && sentAtMs > move.sentAtMs);
  return session
    .successesOf('getDriveFile')
    .filter(({ request, sentAtMs }) => request.path === path && sentAtMs >= move.receivedAtMs)
    .filter(({ receivedAtMs }) => next === undefined || receivedAtMs <= next.sentAtMs)
    .filter((reading) => pathIn(move) !== undefined && pathIn(reading) === pathIn(move));
}
