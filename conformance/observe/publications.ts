import { oncePerRun } from '../once.ts';
import { publishableAgent } from '../probing/fixtures.ts';
import { findById } from '../probing/lists.ts';
import { awaitPublished, sendPublication, successfulPublication } from '../probing/publications.ts';
import { unknownLike } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { member } from '../target/expectations.ts';
import { isAccepted, keptOrTouched, type Seen } from './observer.ts';

/** A second publication of the same revision, with any result. */
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

/** A publication by an agent that does not exist, and the same without a revision. */
const ofUnknownAgent = oncePerRun(async (session) => {
  session.requireWrites();
  await successfulPublication(session);
  const { id, revisionId } = publishableAgent(session);
  const path = { agentId: unknownLike(session, id) };
  const whole = await session.call('publishAgentRevision', { path, json: { revisionId } });
  const empty = await session.call('publishAgentRevision', { path, json: {} });
  return { whole, empty };
});

export async function seeUnknownAgent(session: Session): Promise<Seen> {
  const { whole } = await ofUnknownAgent(session);
  return isAccepted(whole) ? undefined : whole.status;
}

// An existing agent might publish a revision that nobody named. The body may also be judged for an unknown agent.
export async function seeRequiredRevision(session: Session): Promise<Seen> {
  const { whole, empty } = await ofUnknownAgent(session);
  if (isAccepted(whole) || isAccepted(empty)) return undefined;
  return empty.status === whole.status ? undefined : 'all';
}

/** The agent before its publication, and as soon as the list shows it as published. */
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

// Whether the revision is the newest is unknown, so only a flag that changes from false to true identifies a choice.
export async function seeFlags(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return member(before, 'hasChanges') === false && member(after, 'hasChanges') === true ? 'derived' : undefined;
}
