import { publishableAgent } from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { sendPublication, successfulPublication } from '../probing/publications.ts';
import type { Session } from '../session.ts';
import { member, poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isAccepted, type Observer, type Seen } from './observer.ts';
import { unknownLike } from './unknown.ts';

/** What a publication answers, and what it changes. */
export const publicationObservers: readonly Observer[] = [
  asking('publishStatus', successfulPublication),
  asking('publishBody', successfulPublication),
  asking('republish', publishedAgain),
  publishing('publishUnknownRevision', seeUnknownRevision),
  publishing('updatedAtAfterPublish', seeUpdatedAt),
  publishing('flagsAfterPublish', seeFlags),
];

function asking(openPoint: Observer['openPoint'], ask: NonNullable<Observer['ask']>): Observer {
  return { openPoint, phase: 'publish', effects: {}, ask };
}

function publishing(openPoint: Observer['openPoint'], see: NonNullable<Observer['see']>): Observer {
  return { openPoint, phase: 'publish', effects: {}, see };
}

/** A second publication of the same revision, with any result. It is sent once per run. */
export function publishedAgain(session: Session): Promise<Reply> {
  return session.once('published again', async () => {
    await successfulPublication(session);
    return sendPublication(session);
  });
}

async function seeUnknownRevision(session: Session): Promise<Seen> {
  session.requireWrites();
  await successfulPublication(session);
  const { id, revisionId } = publishableAgent(session);
  const json = { revisionId: unknownLike(session, revisionId) };
  const reply = await session.call('publishAgentRevision', { path: { agentId: id }, json });
  return isAccepted(reply) ? undefined : reply.status;
}

/** The agent before and after its publication, the latter as soon as the list shows that it is published. */
function shownPublication(session: Session): Promise<{ before: unknown; after: unknown }> {
  return session.once('shown publication', async () => {
    const { id } = publishableAgent(session);
    const { before } = await successfulPublication(session);
    const { seen } = await poll(
      session.settings.settleMs,
      async () => findById(await readList(session, 'listAgents'), id),
      (agent) => member(agent, 'isPublished') === true,
    );
    return { before: findById({ items: before }, id), after: seen };
  });
}

async function seeUpdatedAt(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  const [was, is] = [member(before, 'updatedAt'), member(after, 'updatedAt')];
  if (was === undefined || is === undefined) return undefined;
  return was === is ? 'kept' : 'touched';
}

// Whether the revision is the newest is unknown. Only a flag that changes from false to true identifies one choice.
async function seeFlags(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return member(before, 'hasChanges') === false && member(after, 'hasChanges') === true ? 'derived' : undefined;
}
