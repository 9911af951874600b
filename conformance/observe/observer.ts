import type { OperationId } from '../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../openapi/contract/profile.ts';
import type { Seen as Sighted } from '../../openapi/reading/learned.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import type { Phase } from '../check.ts';
import type { Effects } from '../plan/demands.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { carries } from '../target/credentials.ts';
import { inconclusive } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { SessionReading } from './session-reading.ts';

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

/** The result of `look`; undefined if it was inconclusive. */
export function ifSeen<T>(look: Promise<T>): Promise<T | undefined> {
  return look.catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  });
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
