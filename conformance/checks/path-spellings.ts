import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { awaitPath, pathIn, sendMove } from '../probing/file-moves.ts';
import { expectGuardKept, guardAfterDeletion } from '../probing/guarded.ts';
import { requirePlaced } from '../probing/misplaced.ts';
import { extensionOf, type MovableFile } from '../probing/movable-file.ts';
import type { GuardTree } from '../probing/shared-trees.ts';
import { expectStillThere, sendDeletionWithRetry } from '../probing/tree-deletions.ts';
import { encodeName } from '../request-parts.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { expectRefusal, judgesShape, requireConclusive } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { expectKept } from './moves.ts';
import { moveLegally, refused, sendTreePath } from './path-rule.ts';

const moving = checksOf('updateDriveFile', 'move');
const guarding = checksOf('deleteDriveTree', 'guard');

/** The path rule, however a request spells its path: not as a string, with escapes, twice, in odd bytes (4.6, 4.7). */
export const pathSpellingChecks: readonly Check[] = [
  moving(
    'path-is-no-string',
    'Sends numbers, booleans, null, arrays and objects as the path of a move.',
    expectStringsOnly,
  ),
  moving('path-escaped', 'Moves a file to illegal paths whose characters are escaped in JSON.', expectEscapesRead),
  moving('path-twice', 'Moves a file with a legal and an illegal path in one body, in both orders.', expectOneMove),
  moving(
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
  return isAccepted ? say`null is accepted like a missing path, which is open.` : undefined;
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
  for (const illegalIn of illegalBeside) {
    for (const inOrder of orders) {
      const next = await guardAfterDeletion(session);
      const reply = await sendTwice(session, next, inOrder(legal, illegalIn(next.base, next.name)));
      requireConclusive(reply);
      if (reply.isSuccess && isRefusedAlone) {
        throw new Violated(refused, say`status ${reply.status}, although the legal path alone is refused`, [reply]);
      }
      await expectStillThere(session, next.file, reply);
    }
  }
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
