import type { Check } from '../check.ts';
import { findCounterexample, illegalPathArbitrary, legalPathArbitrary } from '../scene/generated-paths.ts';
import type { MovableFile } from '../scene/movable-file.ts';
import {
  awaitPath,
  directoryOf,
  extensionOf,
  movableFile,
  move,
  newPath,
  pathIn,
  sendMove,
  sendPlainMove,
} from '../scene/moves.ts';
import { type IllegalPath, illegalPaths, legalDots, plainTwin } from '../scene/path-vectors.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { expectRefusal, isBusy, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The path rule for moves (4.6). Each illegal path has its legal twin: a plain name in the same directory, which must be accepted. */
export const movePathChecks: readonly Check[] = [
  ...illegalPaths.map((vector) =>
    check(vector.rule, `Moves a file to ${vector.does}.`, (session) => expectRefused(session, vector)),
  ),
  check(
    'dot-dot-segment.generated',
    'Moves a file to generated paths that break the rule; the smallest that is taken is shown.',
    expectGeneratedRefused,
  ),
  check(
    'refused-path-moves-nothing',
    'Moves a file to every illegal path, and reads it after each.',
    expectNothingMoved,
  ),
  ...legalDots.map(({ rule, does, paths }) =>
    check(rule, `Moves a file to ${does}.`, (session) => expectAccepted(session, rule, paths)),
  ),
  check(
    'legal-dots.percent-encoded',
    'Moves a file to a segment %2e%2e, which in a body is a name like any other.',
    (session) => expectAccepted(session, 'legal-dots.percent-encoded', (name) => [`/%2e%2e/${name}`]),
  ),
  check(
    'legal-dots.generated',
    'Moves a file to generated names with dots that make no .. segment.',
    expectGeneratedAccepted,
  ),
];

function check(rule: string, does: string, run: Check['run']): Check {
  return { id: `updateDriveFile.${rule}`, operation: 'updateDriveFile', phase: 'move', does, run };
}

/** The file after a legal move: whoever accepts that refuses the illegal path for its own sake. */
async function controlled(session: Session) {
  const file = await movableFile(session);
  const path = newPath(session, file);
  await move(session, file, path);
  await awaitPath(session, file, path);
  return { file, path, directory: directoryOf(path) };
}

const refused = 'no success: the path breaks the rule';

async function expectRefused(session: Session, vector: IllegalPath): Promise<void> {
  session.requireWrites();
  const { file, directory } = await controlled(session);
  for (const path of vector.paths(directory, session.newSegment())) {
    expectRefusal(await sendMove(session, file, path), `the file was moved to ${JSON.stringify(path)}`, refused);
  }
}

async function expectGeneratedRefused(session: Session): Promise<void> {
  session.requireWrites();
  const { file, directory } = await controlled(session);
  const wrong = await findCounterexample(
    illegalPathArbitrary(directory),
    session.settings.randomSeed,
    (path) => sendMove(session, file, path),
    (reply) => !reply.isSuccess,
  );
  if (wrong === undefined) return;
  const path = JSON.stringify(wrong.path);
  throw new Violated(refused, `the file was moved to ${path}`, [wrong.reply], path);
}

async function expectNothingMoved(session: Session): Promise<void> {
  session.requireWrites();
  let place = await controlled(session);
  for (const vector of illegalPaths) {
    for (const illegal of vector.paths(place.directory, session.newSegment())) {
      if ((await sendRefused(session, place, illegal, vector.rule)).isStill) continue;
      // Once more, from where it is put now: another client may have moved it.
      place = await controlled(session);
      const { refusal, now, isStill } = await sendRefused(session, place, illegal, vector.rule);
      if (isStill) continue;
      throw new Violated(`the file at ${place.path}`, `at ${pathIn(now) ?? 'no path'}`, [refusal, now]);
    }
  }
}

type Controlled = Awaited<ReturnType<typeof controlled>>;

// A reading may come from a copy that is behind: the file has to be back where it was in time.
async function sendRefused(session: Session, { file, path }: Controlled, illegal: string, rule: string) {
  const refusal = await sendMove(session, file, illegal);
  if (refusal.isSuccess)
    throw new Unverified('PREREQUISITE', `${JSON.stringify(illegal)} was not refused. See ${rule}.`);
  const { reply: now, isThere } = await awaitPath(session, file, path);
  if (isBusy(now) || now.failure !== undefined) throw new Unverified('TARGET', 'The file cannot be read just now.');
  return { refusal, now, isStill: isThere };
}

async function expectAccepted(session: Session, rule: string, paths: (name: string) => string[]): Promise<unknown> {
  session.requireWrites();
  const { file, directory } = await controlled(session);
  if (paths('x').some((path) => path.lastIndexOf('/') > 0))
    await move(session, file, `/${session.newSegment()}/x${extensionOf(file.home)}`);
  for (const path of paths(session.newSegment())) {
    const reply = await sendPlainMove(session, file, path);
    if (reply.isSuccess) continue;
    requireRefusal(reply, rule);
    if (await isTwinRefused(session, file, path, directory)) return refusedForOther(path);
    throw new Violated(`${JSON.stringify(path)} is accepted: it has no .. segment`, `status ${reply.status}`, [reply]);
  }
  return undefined;
}

// Which paths are taken beside the rule is open: those at the root, with a percent sign, without an extension.
async function isTwinRefused(session: Session, file: MovableFile, path: string, directory: string): Promise<boolean> {
  const twin = await sendPlainMove(session, file, plainTwin(path, directory));
  return !twin.isSuccess;
}

function refusedForOther(path: string): string {
  return `Refused, and so is the like without dots, which is open: ${JSON.stringify(path)}.`;
}

function requireRefusal(reply: Reply, rule: string): void {
  if (reply.failure !== undefined || isBusy(reply)) presume(reply, `updateDriveFile.${rule}`);
}

async function expectGeneratedAccepted(session: Session): Promise<unknown> {
  session.requireWrites();
  const { file, directory } = await controlled(session);
  const wrong = await findCounterexample(
    legalPathArbitrary(directory, session.newSegment()),
    session.settings.randomSeed,
    (path) => sendPlainMove(session, file, path),
    (reply) => reply.isSuccess || isBusy(reply) || reply.failure !== undefined,
  );
  if (wrong === undefined) return undefined;
  if (await isTwinRefused(session, file, wrong.path, directory)) return refusedForOther(wrong.path);
  const path = JSON.stringify(wrong.path);
  throw new Violated(
    'accepted: the path has no .. segment',
    `status ${wrong.reply.status} for ${path}`,
    [wrong.reply],
    path,
  );
}
