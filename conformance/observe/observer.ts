import type { Choice } from '../../openapi/contract/open-points.ts';
import type { OpenPointId } from '../../openapi/contract/profile.ts';
import { joined, own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import type { Phase } from '../check.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { describeReply, requestLine } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { SessionReading } from './session-reading.ts';

/**
 * What a target was seen to do: a choice; `other` with a sample if it is not a listed choice; undefined where
 * it was not seen.
 */
export type Seen = Choice | { other: Sentence } | undefined;

/** The most that an observer changes on a legal target, besides what the checks change anyway. */
export interface ObserverEffects {
  drives?: number;
  mcpServers?: number;
  /** Disposable files that are deleted. */
  deletions?: number;
  /** Whether it moves files, which are moved back. */
  moves?: boolean;
}

/**
 * How one open point becomes visible. Most observers only send requests, and the reading of all replies tells the
 * choice. Those with `see` compare states over time. An observer never judges: it throws `Unverified` where it cannot
 * tell.
 */
export interface Observer {
  openPoint: OpenPointId;
  phase: Phase;
  effects?: ObserverEffects;
  /** Sends what makes the open point visible. */
  ask?: (session: Session) => Promise<unknown>;
  see?: (session: Session, reading: SessionReading) => Promise<Seen>;
}

/** Whether the target accepted a request. Throws `Unverified` unless it accepted it, or refused it for what it says. */
export function isAccepted(reply: Reply): boolean {
  if (reply.isSuccess) return true;
  if (isInputRefused(reply)) return false;
  throw new Unverified('TARGET', say`${requestLine(reply)}: ${describeReply(reply)}.`);
}

/** What `look` gives; undefined where that could not be seen. */
export function ifSeen<T>(look: Promise<T>): Promise<T | undefined> {
  return look.catch((error: unknown) => {
    if (error instanceof Unverified) return undefined;
    throw error;
  });
}

/** The value on which all sightings but the undefined ones agree; if they disagree, what each one shows. */
export function agreed(seen: Readonly<Record<string, Choice | undefined>>): Seen {
  const known = Object.entries(seen).filter(([, value]) => value !== undefined);
  const values = new Set(known.map(([, value]) => value));
  if (values.size <= 1) return known[0]?.[1];
  return { other: joined(known.map(([what, value]) => say`${own(what)}: ${own(String(value))}`)) };
}

/** The replies so far to the own key alone, in whichever header. */
export function ownReplies({ replies, settings }: Session): Reply[] {
  const { apiKey } = settings;
  return replies.filter(({ request: { headers, isAuthenticated } }) => {
    const isOwn = headers['X-API-Key'] === apiKey || headers.Authorization === `Bearer ${apiKey}`;
    return isOwn && isAuthenticated;
  });
}
