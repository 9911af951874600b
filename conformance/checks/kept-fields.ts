import { asJson, own, say } from '../../lib/sentence.ts';
import { awaitPath, newPath, readFile, requireMove } from '../probing/file-moves.ts';
import { initialReadings } from '../probing/initial-files.ts';
import { fileKey, type MovableFile } from '../probing/movable-file.ts';
import { variedFilesOfOneDrive } from '../probing/movable-files.ts';
import { firstMove, successfulReplies } from '../probing/operations.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { areSame, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The fields of a file that processing may set. */
const setByProcessing = ['size', 'contentType', 'description', 'summary', 'metadata'];
const keptFields = ['kind', 'id', ...setByProcessing];

// Whether the response to a move has a field may be open, but later readings must keep the fields of earlier ones.
export async function expectOtherFieldsKept(session: Session): Promise<void> {
  const { file, before, reply, after } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  requireSuccess(before, 'getDriveFile.is-served');
  const stable = await stableFields(session, file, [before]);
  const answered = stable.filter((name) => member(reply.json, name) !== undefined);
  expectSameFields(before, reply, answered);
  if (after?.isThere) expectSameFields(before, after.reply, stable);
}

/** Compares a file that differs from the first one in most fields before and after a move. */
export async function expectUnlikeFileKept(session: Session): Promise<void> {
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

/** Compares every moved file with its state at the start of the run. */
export async function expectEveryFileKept(session: Session): Promise<void> {
  await initialReadings(session);
  const moves = await successfulReplies(session, 'updateDriveFile');
  for (const { reply: before } of session.files.initial.filter(({ reply }) => reply.isSuccess)) {
    const move = moves.find(({ request }) => request.path === before.request.path);
    if (move !== undefined) expectContentKept(before, move, readingsAfter(session, move));
  }
}

function readingsAfter(session: Session, move: Reply): Reply[] {
  return session
    .successesOf('getDriveFile')
    .filter(({ request, sentAtMs }) => request.path === move.request.path && sentAtMs > move.receivedAtMs);
}

/** Fields that only change with the content. Others may be recomputed at any time in a long run. */
const contentFields = ['kind', 'id', 'size', 'contentType'];

// A field in which two readings differ changes by itself, as may fields set by processing when that ends or restarts.
function expectContentKept(before: Reply, move: Reply, after: readonly Reply[]): void {
  const [first, ...others] = after;
  if (first === undefined || others.length === 0) return;
  const isProcessed = [before, move, ...after].some(({ json }) => member(json, 'status') === 'processing');
  const field = contentFields.find((name) => {
    const isSteady = others.every(({ json }) => areSame(first.json, json, [name]));
    const counts = isSteady && !(isProcessed && setByProcessing.includes(name));
    return counts && member(before.json, name) !== undefined && !areSame(before.json, first.json, [name]);
  });
  if (field === undefined) return;
  const expected = say`${own(field)}: ${asJson(member(before.json, field))}`;
  throw new Violated(expected, asJson(member(first.json, field)), [before, move, first]);
}
