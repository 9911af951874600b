import { asJson, own, say } from '../../openapi/reading/sentence.ts';
import { initialReadings } from '../probing/initial-files.ts';
import { successfulReplies } from '../probing/operations.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { areSame, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { setByProcessing } from './files.ts';

/** Compares every file that was moved with what it was at the start of the run. */
export async function expectEveryFileKept(session: Session): Promise<void> {
  await initialReadings(session);
  const moves = await successfulReplies(session, 'updateDriveFile');
  for (const { reply: before } of session.files.initial.filter(({ reply }) => reply.isSuccess)) {
    const move = moves.find(({ request }) => request.path === before.request.path);
    if (move !== undefined) expectKept(before, move, readingsAfter(session, move));
  }
}

function readingsAfter(session: Session, move: Reply): Reply[] {
  return session
    .successesOf('getDriveFile')
    .filter(({ request, sentAtMs }) => request.path === move.request.path && sentAtMs > move.receivedAtMs);
}

/** Fields that change with the content only. Others may be worked out anew at any time of a long run. */
const contentFields = ['kind', 'id', 'size', 'contentType'];

// A field on which two readings differ changes by itself. One that processing sets may change when it ends, or starts anew.
function expectKept(before: Reply, move: Reply, after: readonly Reply[]): void {
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
