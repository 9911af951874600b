import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../check.ts';
import type { FileFixture } from '../config/settings.ts';
import { isGone, isTouched, movableFile, newPath, pathIn, pathSent, readFile } from '../scene/moves.ts';
import { act } from '../scene/probes.ts';
import { requireQuiet } from '../scene/quiet.ts';
import { answers, firstMove, pathsAtStart } from '../scene/samples.ts';
import { knownFiles, readableFile, unknownId } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import { expectRefusal, member, poll, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** Reading and moving files (4.5, 4.6), the path rule apart. */
export const fileChecks: readonly Check[] = [
  reading('id-asked-for', 'judge', 'Compares the id in every answer with the one that was asked for.', (session) =>
    expectIdAskedFor(session, 'getDriveFile'),
  ),
  reading('unknown-file', 'read', 'Reads a file that does not exist, in a drive that does.', async (session) => {
    const { driveId } = readableFile(session);
    expectRefusal(await readFile(session, { driveId, id: unknownId(session) }), 'a file that does not exist was shown');
  }),
  {
    ...reading('file-of-another-drive', 'read', 'Reads a file under the id of another drive.', expectUnknownElsewhere),
    needs: ['filesOfTwoDrives'],
  },
  moving('id-asked-for', 'judge', 'Compares the id in every answer with the one that was asked for.', (session) =>
    expectIdAskedFor(session, 'updateDriveFile'),
  ),
  moving(
    'path-taken-over',
    'move',
    'Moves a file to a plain path, and looks for it in the answer.',
    expectPathTakenOver,
  ),
  moving('read-shows-new-path', 'move', 'Moves a file, and reads it until it shows the new path.', expectShown),
  moving('other-fields-kept', 'move', 'Compares a file before and after a move.', expectOtherFieldsKept),
  {
    ...moving(
      'other-file-untouched',
      'move',
      'Moves a file, and compares the paths of the others before and after.',
      expectOthersUntouched,
    ),
    needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'],
  },
  {
    ...moving('unknown-file', 'move', 'Moves a file that does not exist, in a drive that does.', expectUnknownRefused),
    needs: ['writes', 'file'],
    effects: {},
  },
  {
    ...moving('file-of-another-drive', 'move', 'Moves a file under the id of another drive.', expectOwnDriveOnly),
    needs: ['writes', 'movableFile', 'filesOfTwoDrives'],
    effects: {},
  },
  moving('no-key-moves-nothing', 'move', 'Moves without a key, and reads the file.', (session) =>
    expectUnmoved(session, noKey),
  ),
  moving('wrong-key-moves-nothing', 'move', 'Moves with a key that is nobody’s, and reads the file.', (session) =>
    expectUnmoved(session, invalidKey(`nobody-${session.runId}`, 'bearer')),
  ),
];

function reading(rule: string, phase: Check['phase'], does: string, run: Check['run']): Check {
  return { id: `getDriveFile.${rule}`, operation: 'getDriveFile', phase, does, run };
}

function moving(rule: string, phase: Check['phase'], does: string, run: Check['run']): Check {
  return { id: `updateDriveFile.${rule}`, operation: 'updateDriveFile', phase, does, run };
}

async function expectIdAskedFor(session: Session, operation: 'getDriveFile' | 'updateDriveFile'): Promise<void> {
  for (const reply of await answers(session, operation)) {
    const id = member(reply.json, 'id');
    if (id === undefined) continue;
    const asked = decodeURIComponent(reply.sending.path.split('/files/')[1] ?? '');
    if (String(id) !== asked) throw new Violated(`id: ${asked}`, JSON.stringify(id), [reply]);
  }
}

/** A file of one drive with the id of another drive, where that pair shows nothing of its own. */
async function mixedPair(session: Session): Promise<{ file: FileFixture; mixed: FileFixture }> {
  const file = readableFile(session);
  const other = knownFiles(session).find(({ driveId }) => driveId !== file.driveId);
  if (other === undefined) throw new Unverified('FILES', 'All files that are named are in one drive.');
  presume(await readFile(session, file), 'getDriveFile.is-served');
  if (knownFiles(session).some(({ driveId, id }) => driveId === other.driveId && id === file.id)) {
    throw new Unverified('FILES', 'The other drive has a file with the same id.');
  }
  return { file, mixed: { driveId: other.driveId, id: file.id } };
}

async function expectUnknownElsewhere(session: Session): Promise<unknown> {
  const { file, mixed } = await mixedPair(session);
  const shown = await readFile(session, mixed);
  if (shown.isSuccess && !(await isSameFile(session, file, shown)))
    return 'The other drive has a file with the same id.';
  expectRefusal(shown, 'the file was shown under another drive');
  return undefined;
}

async function expectUnknownRefused(session: Session): Promise<void> {
  session.requireWrites();
  const { driveId } = readableFile(session);
  const file = { driveId, id: unknownId(session) };
  expectRefusal(await sendPath(session, file, `/${session.newSegment()}`), 'a file that does not exist was moved');
}

// Then the pair names a file that nobody vouches for, which is not moved.
async function expectOwnDriveOnly(session: Session): Promise<void> {
  session.requireWrites();
  const { file, mixed } = await mixedPair(session);
  const shown = await readFile(session, mixed);
  if (shown.isSuccess && !(await isSameFile(session, file, shown)))
    throw new Unverified('FILES', 'The other drive has a file with the same id.');
  const own = await movableFile(session);
  const path = newPath(session, own);
  const reply = await sendPath(session, { ...mixed, id: file.id }, path);
  if (!reply.isSuccess) return expectRefusal(reply, '');
  throw new Violated('no success: the file is of another drive', `status ${reply.status}`, [reply]);
}

// Ids may be unique within a drive only: another file under the same id is legal.
async function isSameFile(session: Session, file: FileFixture, shown: Reply): Promise<boolean> {
  const { json } = await readFile(session, file);
  return ['path', 'size', 'modifiedAt', 'contentType'].every((name) =>
    isDeepStrictEqual(member(json, name), member(shown.json, name)),
  );
}

async function sendPath(session: Session, { driveId, id }: FileFixture, path: string): Promise<Reply> {
  const known = await movableFile(session).catch(() => undefined);
  if (known?.id === id) session.touched.set(JSON.stringify([known.driveId, known.id]), known);
  return session.call('updateDriveFile', { path: { driveId, fileId: id }, json: { path } });
}

async function expectPathTakenOver(session: Session): Promise<void> {
  const { reply, path } = await firstMove(session);
  presume(reply, 'updateDriveFile.is-served');
  const shown = member(reply.json, 'path');
  if (shown === undefined)
    throw new Unverified('PREREQUISITE', 'The answer shows no path. See updateDriveFile.fields-present.');
  if (shown !== path) throw new Violated(`path: ${JSON.stringify(path)}`, JSON.stringify(shown), [reply]);
}

async function expectShown(session: Session): Promise<void> {
  const { reply, path, after } = await firstMove(session);
  presume(reply, 'updateDriveFile.is-served');
  if (after === undefined || after.isThere) return;
  if (after.reply.isSuccess && pathIn(after.reply) === undefined) {
    throw new Unverified('PREREQUISITE', 'The file shows no path. See getDriveFile.fields-present.');
  }
  const expected = `the file at ${path} within ${session.settings.settleMs} ms`;
  throw new Violated(expected, pathIn(after.reply) ?? `status ${after.reply.status}`, [reply, after.reply]);
}

const foundOut = ['size', 'contentType', 'description', 'summary', 'metadata'];
const kept = ['kind', 'id', 'size', 'contentType', 'description', 'summary', 'metadata'];

async function expectOtherFieldsKept(session: Session): Promise<void> {
  const { before, reply, after } = await firstMove(session);
  presume(reply, 'updateDriveFile.is-served');
  presume(before, 'getDriveFile.is-served');
  const steady = await steadyFields(session, before);
  expectSameFields(
    before,
    reply,
    steady.filter((name) => member(reply.json, name) !== undefined),
  );
  if (after?.isThere) expectSameFields(before, after.reply, steady);
}

// What is another with every reading, or was still being found out, says nothing of the move.
async function steadyFields(session: Session, before: Reply): Promise<string[]> {
  const file = await movableFile(session);
  const [one, other] = [await readFile(session, file), await readFile(session, file)];
  const isProcessed = member(before.json, 'status') === 'processing';
  return kept.filter(
    (name) =>
      isDeepStrictEqual(member(one.json, name), member(other.json, name)) && !(isProcessed && foundOut.includes(name)),
  );
}

// Whether a field is in the answer to a move is open for some; what one reading shows, a later one shows as well.
function expectSameFields(before: Reply, later: Reply, names: readonly string[]): void {
  const shown = names.filter((name) => member(before.json, name) !== undefined);
  const field = shown.find((name) => !isDeepStrictEqual(member(before.json, name), member(later.json, name)));
  if (field === undefined) return;
  const was = JSON.stringify(member(before.json, field));
  throw new Violated(`${field}: ${was}`, JSON.stringify(member(later.json, field)) ?? 'absent', [before, later]);
}

// Compared with the start of the run: an earlier move may have done it.
async function expectOthersUntouched(session: Session): Promise<void> {
  session.requireWrites();
  const start = await pathsAtStart(session);
  const { file, reply } = await firstMove(session);
  presume(reply, 'updateDriveFile.is-served');
  const others = start.filter((other) => other.driveId === file.driveId && !isTouched(session, other));
  if (others.length === 0) throw new Unverified('FILES', 'No other file of the same drive is named.');
  for (const other of others) {
    const now = await readFile(session, other);
    if (!isGone(now)) presume(now, 'getDriveFile.is-served');
    if (pathIn(now) === other.path) continue;
    await requireQuietFile(session, other);
    throw new Violated(`${other.id} at ${other.path}`, `at ${pathIn(now) ?? 'no path'}`, [reply, now]);
  }
}

async function requireQuietFile(session: Session, file: FileFixture): Promise<void> {
  await requireQuiet('Files keep moving', async () => pathIn(await readFile(session, file)));
}

// Only the path that was sent tells: an earlier move may show late, and another client may move the file.
async function expectUnmoved(session: Session, credentials: typeof noKey): Promise<void> {
  const file = await movableFile(session);
  await firstMove(session);
  const reply = await act(session, 'updateDriveFile', { credentials });
  const sent = pathSent(reply);
  const { seen, isThere } = await poll(
    session.lags.moveMs < 20 ? 0 : session.lags.moveMs * 1.5,
    () => readFile(session, file),
    (now) => pathIn(now) === sent,
  );
  if (isThere) throw new Violated('the file where it was', `at ${sent}, which was sent`, [reply, seen]);
  if (!isGone(seen)) presume(seen, 'getDriveFile.is-served');
}
