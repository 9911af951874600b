import type { Session } from '../session.ts';
import { noKey } from '../target/credentials.ts';
import type { Reply } from '../target/reply.ts';
import type { Observer } from './observer.ts';

/** What refusals look like; a request without a key is refused for certain. */
export const refusalObservers: readonly Observer[] = [
  { openPoint: 'errorBody', phase: 'judge', ask: refusedForKey },
  { openPoint: 'wwwAuthenticate', phase: 'judge', ask: refusedForKey },
];

/** A request without a key, sent once in a run. */
export function refusedForKey(session: Session): Promise<Reply> {
  return session.once('refused for its key', () => session.call('listAgents', { credentials: noKey }));
}
