import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { deletionsOf, hasTakenAll, type SentDeletion } from '../probing/deletion-record.ts';
import { missingTree } from '../probing/missing-tree.ts';
import { directoryOf } from '../probing/movable-file.ts';
import { markIn } from '../probing/names.ts';
import { successfulReplies } from '../probing/operations.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('deleteDriveTree', 'judge');

/** Every response to a tree deletion in the run, whatever its purpose (4.7). */
export const deletionAnswerChecks: readonly Check[] = [
  check(
    'count-of-nothing',
    'Deletes a directory of an empty drive, and looks at documentCount.',
    expectNothingCounted,
    { needs: ['writes', 'deletions', 'treeParameter'], effects: { shared: ['firstDrive'] } },
  ),
  check(
    'count-fits',
    'Compares documentCount of every response with the files and directories that the run put below the path.',
    expectFittingCount,
  ),
  check('job-ids-differ', 'Compares the jobIds of different tree deletions.', expectDifferentJobIds),
];

function countIn({ json }: Reply): number | undefined {
  const count = member(json, 'documentCount');
  return typeof count === 'number' ? count : undefined;
}

async function expectNothingCounted(session: Session): Promise<Sentence | undefined> {
  const reply = await missingTree(session);
  const count = countIn(reply);
  if (!reply.isSuccess || count === undefined) return say`Refused, which is open (open point treePath.missing).`;
  if (count !== 0) throw new Violated(say`an error response, or a documentCount of 0`, say`${count}`, [reply]);
  return undefined;
}

// Whether directories count is open (open point `documentCount`).
async function expectFittingCount(session: Session): Promise<void> {
  await successfulReplies(session, 'deleteDriveTree');
  for (const deletion of successful(session)) {
    const { path, below, reply } = deletion;
    const count = countIn(reply);
    const isKnown = markIn(path, session.runId) !== undefined && below.length > 0;
    // Another client may have moved a file out of the tree.
    if (!isKnown || count === undefined || !hasTakenAll(session, deletion)) continue;
    const most = below.length + directoriesIn(path, below);
    if (count >= below.length && count <= most) continue;
    const expected = say`a documentCount from ${below.length} (files only) to ${most} (with directories)`;
    throw new Violated(expected, say`${count}`, [reply]);
  }
}

function successful(session: Session): SentDeletion[] {
  return deletionsOf(session).filter(({ reply }) => reply.isSuccess && reply.request.isAuthenticated);
}

/** How many directories a tree has, itself included. */
function directoriesIn(tree: string, files: readonly string[]): number {
  const found = new Set<string>();
  for (const file of files) {
    for (let directory = directoryOf(file); directory.length >= tree.length; directory = directoryOf(directory))
      found.add(directory);
  }
  return found.size;
}

// A repeated deletion may return the job in progress.
async function expectDifferentJobIds(session: Session): Promise<void> {
  await successfulReplies(session, 'deleteDriveTree');
  const first = new Map<unknown, SentDeletion>();
  for (const deletion of successful(session)) {
    const jobId = member(deletion.reply.json, 'jobId');
    const earlier = first.get(jobId) ?? deletion;
    if (jobId !== undefined) first.set(jobId, earlier);
    if (earlier.path === deletion.path && earlier.driveId === deletion.driveId) continue;
    throw new Violated(say`a different jobId for each deletion`, say`both have ${asJson(jobId)}`, [
      earlier.reply,
      deletion.reply,
    ]);
  }
}
