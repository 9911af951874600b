import { own, type Sentence, say } from '../openapi/reading/sentence.ts';
import { isInputRefused } from '../openapi/reading/statuses.ts';
import { isUsual } from './probing/names.ts';
import { sentObject } from './probing/recorded.ts';
import { isServerError } from './server-errors.ts';
import type { Session } from './session.ts';
import { requestLine } from './target/expectations.ts';
import type { Reply } from './target/reply.ts';

/** When a target failed, if that tells more than the request does. */
export interface Circumstances {
  /** A failure that shows it. */
  failure: Reply;
  /** Follows the status. */
  words: Sentence;
  /** What was sent before, if that matters. */
  before: Reply[];
}

/**
 * Why requests may have failed that hold no reason themselves, since others like them succeeded: several were in progress
 * at once, or a refusal came before. Undefined if there are no such requests.
 */
export function circumstancesOf(session: Session, failed: readonly Reply[]): Circumstances | undefined {
  const innocent = failed.filter((reply) => isInnocent(session, reply));
  return besideOthers(session, innocent) ?? afterRefusal(session, failed);
}

/**
 * Whether all failed while other requests of the operation were in progress, and some succeeded without that. Readings are
 * sent at the same time all along, which says nothing.
 */
function besideOthers(session: Session, innocent: readonly Reply[]): Circumstances | undefined {
  const [failure] = innocent;
  if (failure === undefined || failure.request.method === 'GET') return undefined;
  const isApart = (reply: Reply) => isAlone(session, reply);
  if (innocent.some(isApart) || !successesLike(session, failure).some(isApart)) return undefined;
  const { operation } = failure.request;
  const words = say` to requests that were sent at the same time as others of ${own(operation)}; requests like them succeed alone`;
  return { failure, words, before: [] };
}

/** Whether most failures came after a refusal, and took requests with them that hold no reason. */
function afterRefusal(session: Session, failed: readonly Reply[]): Circumstances | undefined {
  const all = failed.map((failure) => ({ failure, ...seriesOf(session, failure) }));
  const innocent = all.filter(({ series }) => series.some((reply) => isInnocent(session, reply)));
  const found = innocent.filter(({ previous }) => previous?.request.isAuthenticated && isInputRefused(previous));
  const [first] = found;
  if (first?.previous === undefined || found.length * 2 <= innocent.length) return undefined;
  const { failure, previous } = first;
  const words = say`. The failures began after ${requestLine(previous)} was refused with status ${previous.status}: requests that otherwise succeed failed as well`;
  return { failure, words, before: [previous] };
}

/** The failures in a row to which one belongs, and the answer before them. */
function seriesOf({ replies }: Session, failure: Reply): { series: Reply[]; previous: Reply | undefined } {
  const place = replies.indexOf(failure);
  const start = replies.slice(0, place).findLastIndex((reply) => !isServerError(reply));
  const length = replies.slice(place).findIndex((reply) => !isServerError(reply));
  const end = length === -1 ? replies.length : place + length;
  return { series: replies.slice(start + 1, end), previous: replies[start] };
}

/** Whether other requests like one succeeded, so that it holds no reason to fail. */
export function isInnocent(session: Session, reply: Reply): boolean {
  return successesLike(session, reply).length > 0;
}

function isAlone(session: Session, reply: Reply): boolean {
  const { sentAtMs, receivedAtMs } = reply;
  const isBeside = (other: Reply) => other !== reply && other.sentAtMs < receivedAtMs && other.receivedAtMs > sentAtMs;
  return !session.repliesOf(reply.request.operation).some(isBeside);
}

function successesLike(session: Session, reply: Reply): Reply[] {
  const likeness = likenessOf(session, reply);
  if (likeness === undefined || meetsOther(session, reply)) return [];
  return session.successesOf(reply.request.operation).filter((other) => likenessOf(session, other) === likeness);
}

/** Paths that no server has a reason to refuse. */
const plainPath = /^(\/[a-z0-9-]+){1,4}(\.[a-z0-9]+)?$/;

/**
 * Whether a move leads to where another file was sent as well, or above or below it. Whether the path is taken then may be a
 * reason to refuse it (4.6 does not say). A server may tell letters apart by less than their case and Unicode form.
 */
function meetsOther(session: Session, reply: Reply): boolean {
  const { request } = reply;
  if (request.operation !== 'updateDriveFile') return false;
  const placeOf = (body: Reply) => `${String(sentObject(body).path).normalize().toLowerCase()}/`;
  const driveOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
  return session.repliesOf('updateDriveFile').some((other) => {
    if (other.request.path === request.path || driveOf(other.request.path) !== driveOf(request.path)) return false;
    const [one, two] = [placeOf(reply), placeOf(other)];
    return one.startsWith(two) || two.startsWith(one);
  });
}

/** What is the same in valid requests that hold nothing to tell them apart; undefined for all others. */
function likenessOf({ runId }: Session, reply: Reply): string | undefined {
  const { isAuthenticated, method, operation, path } = reply.request;
  if (!isAuthenticated) return undefined;
  if (method === 'GET') return path;
  const { name, url = '', path: sentPath } = sentObject(reply);
  // A file may be moved to any plain path, and a revision be published again.
  if (operation === 'updateDriveFile') return plainPath.test(String(sentPath)) ? path : undefined;
  if (operation === 'publishAgentRevision') return path + reply.request.body;
  const isPlain = isUsual(name, runId) && (url === '' || String(url).endsWith(`/${String(name)}`));
  return isPlain ? operation : undefined;
}
