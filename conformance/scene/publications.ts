import type { CallInput, Session } from '../session.ts';
import { member, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { find, readList } from './lists.ts';
import { publishableAgent } from './subjects.ts';

/** The publication of the revision that the user vouches for. */
export function revisionInput(session: Session): CallInput {
  session.requireWrites();
  const { id, revisionId } = publishableAgent(session);
  return { path: { agentId: id }, json: { revisionId } };
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
    const input = revisionInput(session);
    const { id } = publishableAgent(session);
    const before = await readList(session, 'listAgents');
    const reply = await session.call('publishAgentRevision', input);
    if (reply.isSuccess)
      session.receipt.note({ kind: 'publication', id, note: 'its named revision is the active one now' });
    return { before: before.items, wasPublished: member(find(before, id), 'isPublished'), reply };
  });
}

/** The publication, which must have succeeded to go on with. */
export async function publishedWell(session: Session): Promise<Publication> {
  const publication = await published(session);
  presume(publication.reply, 'publishAgentRevision.is-served');
  return publication;
}
