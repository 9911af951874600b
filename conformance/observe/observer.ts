import { decodeQuery } from '../../lib/query.ts';
import { joined, own, say } from '../../lib/sentence.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../openapi/contract/profile.ts';
import type { Seen as Sighted } from '../../openapi/reading/learned.ts';
import { type AnswerView, parseBody, type RequestView } from '../../openapi/reading/messages.ts';
import { largestPage } from '../../openapi/reading/pages.ts';
import { Reading } from '../../openapi/reading/reading.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import type { Effects, Phase } from '../checks/check.ts';
import { newBody, sendCreation, sharedCreation } from '../probing/creations.ts';
import { firstMove, movableFile, pathIn, readFile, sendMove, sendMoveWithRetry } from '../probing/files.ts';
import { sendPublication, successfulPublication } from '../probing/fixtures.ts';
import { readPage } from '../probing/paging.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive, orNone } from '../run/signals.ts';
import { directoryOf, type MovableFile } from '../safety/receipt.ts';
import { carries } from '../target/credentials.ts';
import { inconclusive, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallInput, Session } from '../target/session.ts';

/** An observed choice; `other` with a sample if it is not a listed choice; undefined if nothing was seen. */
export type Seen = Sighted | undefined;

/**
 * How one open point is observed. Most observers only send requests: the choice is read from all replies. Those with
 * `see` compare states over time. An observer never judges: it throws `Inconclusive` if it cannot tell.
 */
export interface Observer {
  openPoint: OpenPointId;
  phase: Phase;
  /** The maximum changes on a legal target; absent if it only reads. */
  effects?: Effects;
  /** Sends requests that reveal the open point. */
  ask?: (session: Session) => Promise<unknown>;
  see?: (session: Session, reading: SessionReading) => Promise<Seen>;
}

/** Whether the target accepted a request. Throws `Inconclusive` if it was refused for anything but its input. */
export function isAccepted(reply: Reply): boolean {
  if (reply.isSuccess) return true;
  if (isInputRefused(reply)) return false;
  throw inconclusive(reply);
}

/** Whether a value shown before and after is still the same. */
export function keptOrTouched(was: unknown, is: unknown): Seen {
  if (was === undefined || is === undefined) return undefined;
  return was === is ? 'kept' : 'touched';
}

/** The replies so far to the first key, in either header. */
export function ownReplies({ replies, settings }: Session): Reply[] {
  return replies.filter(
    ({ request: { headers, isAuthenticated } }) => isAuthenticated && carries(headers, settings.apiKey),
  );
}

/** Successful requests with the first key, each with the request of the second operation sent right after it. */
export function pairsOf(session: Session, first: OperationId, second: OperationId): { reply: Reply; next: Reply }[] {
  const own = new Set(ownReplies(session));
  return session.replies.flatMap((reply, index) => {
    const next = session.replies[index + 1];
    if (next === undefined || !own.has(reply) || !own.has(next) || !reply.isSuccess) return [];
    if (next.sentAtMs < reply.receivedAtMs) return [];
    return reply.request.operation === first && next.request.operation === second ? [{ reply, next }] : [];
  });
}

/** Where a file is, and a plain new path in the same, existing directory. */
interface Place {
  path: string;
  directory: string;
  beside: string;
}

/** A move that was sent, and the path that it asked for. */
export interface SentMove {
  file: MovableFile;
  path: string;
  reply: Reply;
}

/** Where the movable file is. Throws unless a plain move of it succeeds. */
export async function placeOf(session: Session): Promise<{ file: MovableFile; place: Place }> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await movableFile(session);
  const path = pathIn(await readFile(session, file));
  if (path === undefined) throw new Inconclusive('PREREQUISITE', say`The file shows no path.`);
  const directory = directoryOf(path);
  return { file, place: { path, directory, beside: `${directory}/${session.newName()}` } };
}

/** Moves the movable file with a path or body that differs from a plain move in one way. */
export async function moveOf(
  session: Session,
  pathFor: (place: Place) => string,
  how: Omit<CallInput, 'path'> = {},
): Promise<SentMove> {
  const { file, place } = await placeOf(session);
  const path = pathFor(place);
  return { file, path, reply: await sendMoveWithRetry(session, file, path, how) };
}

/** One field of a write, and the value sent in it. */
interface Field {
  name: 'path' | 'name';
  value: string;
}

/** A write that was sent, and whether its response shows the sent value. */
export interface VariedWrite {
  reply: Reply;
  isTakenOver: boolean;
}

/** Sends a write that differs from a valid one in one way: a move, which leaves nothing behind, or a creation. */
export async function variedWrite(
  session: Session,
  vary: (field: Field) => Omit<CallInput, 'path'>,
): Promise<VariedWrite> {
  const found = await orNone(placeOf(session));
  if (found === undefined) {
    await sharedCreation(session, 'createDrive', 'first');
    const body = newBody(session, 'createDrive');
    const reply = await sendCreation(session, 'createDrive', body, vary({ name: 'name', value: body.name }));
    return { reply, isTakenOver: member(reply.json, 'name') === body.name };
  }
  const { file, place } = found;
  const path = place.beside;
  const reply = await sendMove(session, file, path, vary({ name: 'path', value: path }));
  return { reply, isTakenOver: pathIn(reply) === path };
}

/** The reading of all replies of a run, which the proxy would do the same way. */
export class SessionReading {
  readonly #session: Session;
  readonly #reading = new Reading();
  #done = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The choice that the replies so far show, or a sample of something else; undefined if they do not tell. */
  seen(openPoint: OpenPointId): Seen {
    this.#catchUp();
    const conclusion = this.#reading.conclusion(openPoint);
    if (conclusion === undefined || 'choice' in conclusion) return conclusion?.choice;
    const isOne = conclusion.unclear.length === 1;
    const found = conclusion.unclear.map(({ sighting, first }) => {
      const what = typeof sighting === 'object' ? sighting.other : String(sighting);
      return own(isOne ? what : `${what} (${first})`);
    });
    return { other: joined(found) };
  }

  #catchUp(): void {
    const { replies, operations, redact } = this.#session;
    for (const reply of replies.slice(this.#done)) {
      const operation = operations.get(reply.request.operation);
      if (operation === undefined || reply.failure !== undefined) continue;
      const { method, path } = reply.request;
      this.#reading.add(toRequestView(operation, reply), toAnswerView(reply), `${method} ${redact(path)}`, redact);
    }
    this.#done = replies.length;
  }
}

function toRequestView(operation: Operation, { request }: Reply): RequestView {
  const [path = '', query = ''] = request.path.split(/\?(.*)/s, 2);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const body = parseBody(Buffer.from(request.body ?? ''));
  return { operation, path, query: decodeQuery(query), headers, body };
}

function toAnswerView({ status, headers, hasBody, isJson, json, text }: Reply): AnswerView {
  const lengthBytes = text?.length ?? 0;
  if (!hasBody) return { status, headers, body: { kind: 'none' } };
  if (isJson) return { status, headers, body: { kind: 'json', value: json, lengthBytes } };
  return {
    status,
    headers,
    body: { kind: 'text', why: text === undefined ? say`not UTF-8` : say`${text}`, lengthBytes },
  };
}

/** A second publication of the same revision, with any result. */
export const publishedAgain = oncePerRun(async (session) => {
  await successfulPublication(session);
  return sendPublication(session);
});

/** Pages requested with one number out of bounds, whatever the result. */
export const outOfRange = oncePerRun(async (session) => {
  requireSuccess(await readPage(session, { limit: 2, offset: 0 }), 'listDrives.is-served');
  return {
    'limit=0': await readPage(session, { limit: 0, offset: 0 }),
    [`limit=${largestPage + 1}`]: await readPage(session, { limit: largestPage + 1, offset: 0 }),
    'offset=-1': await readPage(session, { limit: 2, offset: -1 }),
  };
});

export const unrulyMove = oncePerRun((session) => moveOf(session, () => session.newName()));

/** The statuses of requests that only break a stated rule: the bounds of a page, or the path rule. */
export async function invalidStatuses(session: Session): Promise<{ pages: number[]; moves: number[] }> {
  const pages = await orNone(outOfRange(session));
  const move = await orNone(unrulyMove(session));
  const refused = (replies: readonly Reply[]) => replies.filter(isInputRefused).map(({ status }) => status);
  return { pages: refused(Object.values(pages ?? {})), moves: refused(move === undefined ? [] : [move.reply]) };
}
