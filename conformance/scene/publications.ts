import type { CallInput, How, Session } from '../session.ts';
import { member, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { find, readList } from './lists.ts';
import { publishableAgent } from './subjects.ts';

/** The publication of the revision that the user vouches for. */
function revisionInput(session: Session): CallInput {
  session.requireWrites();
  const { id, revisionId } = publishableAgent(session);
  return { path: { agentId: id }, json: { revisionId } };
}

/** Sends the publication of the revision that the user vouches for, whatever comes of it, and notes that it may be active. */
export async function sendPublication(session: Session, how: How = {}): Promise<Reply> {
  const input = revisionInput(session);
  const { id } = publishableAgent(session);
  const reply = await session.call('publishAgentRevision', { ...input, ...how });
  const isLost = reply.failure !== undefined || reply.status >= 500;
  if (reply.isSuccess)
    session.receipt.note({ kind: 'publication', id, note: 'its named revision is the active one now' });
  else if (isLost && !session.receipt.has('publication', id))
    session.receipt.note({ kind: 'publication', id, note: 'its named revision may be the active one now' });
  return reply;
}

/** The one publication of the run, and what the list of agents showed before it. */
export interface Publication {
  before: unknown[];
  wasPublished: unknown;
  reply: Reply;
}

/** Publishes the revision that the user vouches for, once in a run. */
export function published(session: Session): Promise<Publication> {
  return session.once('publication', async () => {
    session.requireWrites();
    const { id } = publishableAgent(session);
    const before = await readList(session, 'listAgents');
    const reply = await sendPublication(session);
    return { before: before.items, wasPublished: member(find(before, id), 'isPublished'), reply };
  });
}

/** The publication, which must have succeeded to go on with. */
export async function publishedWell(session: Session): Promise<Publication> {
  const publication = await published(session);
  presume(publication.reply, 'publishAgentRevision.is-served');
  return publication;
}
