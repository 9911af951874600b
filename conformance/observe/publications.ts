import { oncePerRun } from '../once.ts';
import { publishableAgent } from '../probing/fixtures.ts';
import { findById } from '../probing/lists.ts';
import { awaitPublished, sendPublication, successfulPublication } from '../probing/publications.ts';
import { unknownLike } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { member } from '../target/expectations.ts';
import { isAccepted, keptOrTouched, type Seen } from './observer.ts';

/** A publication of what was just published, whatever came of it. */
export const publishedAgain = oncePerRun(async (session) => {
  await successfulPublication(session);
  return sendPublication(session);
});

export async function seeUnknownRevision(session: Session): Promise<Seen> {
  session.requireWrites();
  await successfulPublication(session);
  const { id, revisionId } = publishableAgent(session);
  const json = { revisionId: unknownLike(session, revisionId) };
  const reply = await session.call('publishAgentRevision', { path: { agentId: id }, json });
  return isAccepted(reply) ? undefined : reply.status;
}

/** The agent before and after its publication, the latter as soon as the list shows that it is published. */
const shownPublication = oncePerRun(async (session: Session): Promise<{ before: unknown; after: unknown }> => {
  const { id } = publishableAgent(session);
  const { before } = await successfulPublication(session);
  const { seen: after } = await awaitPublished(session);
  return { before: findById({ items: before }, id), after };
});

export async function seeUpdatedAt(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return keptOrTouched(member(before, 'updatedAt'), member(after, 'updatedAt'));
}

// Whether the revision is the newest one is not known. Only a flag that was false and is true tells of one choice alone.
export async function seeFlags(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return member(before, 'hasChanges') === false && member(after, 'hasChanges') === true ? 'derived' : undefined;
}
