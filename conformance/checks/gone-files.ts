import { excerpt, type Sentence, say } from '../../lib/sentence.ts';
import type { ClearedTree } from '../probing/cleared-trees.ts';
import { tooFewFiles } from '../probing/lost-files.ts';
import { lateDeletion, longestMs, requireDeletionsInTime, usualDeletedTree } from '../probing/shared-trees.ts';
import type { LastReading } from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { idOf, inconclusive, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const noneLeft = say`No disposable file was left in the drive for this case.`;

/** The last reading of a placed file after a deletion that succeeded. */
export function readingOf({ reply, readings }: ClearedTree, role: string): LastReading {
  requireSuccess(reply, 'deleteDriveTree.is-served', 'deleteDriveTree.directory-is-found');
  const reading = readings.get(role);
  if (reading === undefined) throw tooFewFiles(noneLeft);
  if (reading.isGone) return reading;
  if (!reading.reply.isSuccess) throw inconclusive(reading.reply);
  requireFileIn(reading.reply);
  return reading;
}

/** Throws {@link Inconclusive} unless a success shows a file: a body that says otherwise does not replace a status. */
export function requireFileIn(reply: Reply): void {
  if (idOf(reply.json) !== undefined || member(reply.json, 'path') !== undefined) return;
  const shown = excerpt(JSON.stringify(reply.text ?? ''), 80);
  const reason = say`Reading the file returns status ${reply.status} and a body that is not a file: ${shown}.`;
  throw new Inconclusive(
    'PREREQUISITE',
    reason,
    'getDriveFile.id-asked-for',
    'getDriveFile.answer-is-object',
    'getDriveFile.unknown-file',
  );
}

/** The first tree. Throws if its deletion did not show in time. */
export async function usualTreeInTime(session: Session): Promise<ClearedTree> {
  await requireDeletionsInTime(session);
  return usualDeletedTree(session);
}

/** The file in the first tree is gone in time. This decides once whether deletions are late on this target. */
export async function expectFirstGone(session: Session): Promise<void> {
  const tree = await usualDeletedTree(session);
  const { reply, isGone: isDeleted, doubt } = readingOf(tree, 'below');
  if (isDeleted) return;
  if (doubt !== undefined) throw doubt;
  const tookMs = await lateDeletion(session);
  const { settleMs } = session.settings;
  const never = say`it is still there after ${longestMs(settleMs)} ms`;
  const late = say`it was gone after ${Math.round(tookMs ?? 0)} ms: if deletions may take that long, set --settle ${Math.ceil((tookMs ?? 0) / 500) * 1_000}`;
  const actual = say`status ${reply.status} after ${settleMs} ms; ${tookMs === undefined ? never : late}`;
  throw new Violated(goneInTime(session, tree, 'below'), actual, [tree.reply, reply]);
}

function goneInTime({ patience }: Session, tree: ClearedTree, role: string): Sentence {
  return say`the file at ${pathOf(tree, role)} is gone ${patience.lastLimit('deleted')}: it is in ${tree.path}`;
}

/** A file in a deleted tree is gone. */
export function expectGone(session: Session, tree: ClearedTree, role: string): void {
  const { reply, isGone: isDeleted, doubt } = readingOf(tree, role);
  if (isDeleted) return;
  if (doubt !== undefined) throw doubt;
  throw new Violated(goneInTime(session, tree, role), say`status ${reply.status}: it is still there`, [
    tree.reply,
    reply,
  ]);
}

/** Where a file of a tree was placed. */
export const pathOf = ({ paths }: ClearedTree, role: string) => paths.get(role) ?? '';
