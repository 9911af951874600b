import type { Check } from '../check.ts';
import { findCounterexample, illegalPathArbitrary } from '../scene/generated-paths.ts';
import { isGone, readFile } from '../scene/moves.ts';
import { encodedPath, type IllegalPath, illegalPaths } from '../scene/path-vectors.ts';
import { deletedTree, type GuardTree, guardTree } from '../scene/tree-scenarios.ts';
import { sendDeletion, watchStaying } from '../scene/trees.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { expectRefusal, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The path rule for tree deletions (4.7). The illegal paths are aimed at a guard tree; its legal twin was deleted before. */
export const treePathChecks: readonly Check[] = [
  ...[...illegalPaths, encodedPath].map((vector) =>
    check(vector.rule, `Deletes a tree by ${vector.does}.`, (session) => expectRefused(session, vector)),
  ),
  check(
    'dot-dot-segment.generated',
    'Deletes trees by generated paths that break the rule; the smallest that is taken is shown.',
    expectGeneratedRefused,
  ),
  {
    ...check(
      'refused-path-deletes-nothing',
      'Deletes by every illegal path, and reads a file after each.',
      expectNothingDeleted,
    ),
    phase: 'guard',
  },
];

function check(rule: string, does: string, run: Check['run']): Check {
  return { id: `deleteDriveTree.${rule}`, operation: 'deleteDriveTree', phase: 'delete', does, run };
}

async function controlledGuard(session: Session): Promise<GuardTree> {
  const guard = await guardTree(session);
  presume((await deletedTree(session, session.carrier)).reply, 'deleteDriveTree.is-served');
  return guard;
}

// Aimed at the guard: where a target resolves the path, the tree is hit.
function pathsOf(vector: IllegalPath, guard: GuardTree): string[] {
  return vector.paths(guard.base, 'tree');
}

function send(session: Session, guard: GuardTree, vector: IllegalPath, path: string): Promise<Reply> {
  if (!vector.isRawQuery) return sendDeletion(session, guard.driveId, path);
  const parameter = session.requireDestruction();
  return session.call('deleteDriveTree', { path: { driveId: guard.driveId }, query: `${parameter}=${path}` });
}

async function expectRefused(session: Session, vector: IllegalPath): Promise<void> {
  const guard = await controlledGuard(session);
  for (const path of pathsOf(vector, guard)) {
    const reply = await send(session, guard, vector, path);
    expectRefusal(reply, `a deletion of ${JSON.stringify(path)} was accepted`, 'no success: the path breaks the rule');
  }
}

async function expectGeneratedRefused(session: Session): Promise<void> {
  const guard = await controlledGuard(session);
  const wrong = await findCounterexample(
    illegalPathArbitrary(guard.base),
    session.settings.randomSeed,
    (path) => sendDeletion(session, guard.driveId, path),
    (reply) => !reply.isSuccess,
  );
  if (wrong === undefined) return;
  const path = JSON.stringify(wrong.path);
  throw new Violated('no success: the path breaks the rule', `a deletion of ${path} was accepted`, [wrong.reply], path);
}

// Read after each, and once more for as long as a deletion takes here.
async function expectNothingDeleted(session: Session): Promise<void> {
  const guard = await controlledGuard(session);
  let last: Reply | undefined;
  for (const { vector, path } of allPaths(guard)) {
    last = await send(session, guard, vector, path);
    if (last.isSuccess)
      throw new Unverified('PREREQUISITE', `${JSON.stringify(path)} was not refused. See ${vector.rule}.`);
    const now = await readFile(session, guard.file);
    if (isGone(now)) throw lost(last, now);
  }
  const { reply, isGone: gone } = await watchStaying(session, guard.file);
  if (gone && last !== undefined) throw lost(last, reply);
}

function allPaths(guard: GuardTree): { vector: IllegalPath; path: string }[] {
  return [...illegalPaths, encodedPath].flatMap((vector) => pathsOf(vector, guard).map((path) => ({ vector, path })));
}

function lost(refusal: Reply, reading: Reply): Violated {
  return new Violated('the file is still there', `status ${reading.status}: it is gone`, [refusal, reading]);
}
