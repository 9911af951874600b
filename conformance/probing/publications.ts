import { own, say } from '../../openapi/reading/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { oncePerRun } from '../once.ts';
import type { CallOptions, Session } from '../session.ts';
import { member, poll, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { publishableAgent } from './fixtures.ts';
import { findById, readList } from './lists.ts';

/** Publishes the declared revision, accepts any result, and notes that it may be active. */
export async function sendPublication(session: Session, options: CallOptions = {}): Promise<Reply> {
  session.requireWrites();
  const { id, revisionId } = publishableAgent(session);
  const input = { path: { agentId: id }, json: { revisionId }, ...options };
  const reply = await session.call('publishAgentRevision', input);
  const mayHaveSucceeded = reply.failure !== undefined || reply.status >= 500;
  const isNoted = session.receipt.find('publication', id) !== undefined;
  if (reply.isSuccess || (mayHaveSucceeded && !isNoted)) {
    const verb = own(reply.isSuccess ? 'is' : 'may be');
    session.receipt.note({ kind: 'publication', id, note: say`its declared revision ${verb} active now` });
  }
  return reply;
}

/**
 * Whether a publication may have been refused because the revision is active: whether it may be published again is open
 * (open point `republish`).
 */
export function mayBeActive(reply: Reply): boolean {
  return isClientError(reply) && ![401, 403, 404, 405, 429].includes(reply.status);
}

/** The publication of a run, and what the list of agents showed before it. */
interface Publication {
  before: unknown[];
  wasPublished: unknown;
  reply: Reply;
}

/** Publishes the declared revision, once in a run. */
export const firstPublication = oncePerRun(async (session: Session): Promise<Publication> => {
  session.requireWrites();
  const { id } = publishableAgent(session);
  const { items: before } = await readList(session, 'listAgents');
  const reply = await sendPublication(session);
  return { before, wasPublished: member(findById({ items: before }, id), 'isPublished'), reply };
});

/** The publication of the run. Throws `Unverified` if it did not succeed. */
export async function successfulPublication(session: Session): Promise<Publication> {
  const publication = await firstPublication(session);
  requireSuccess(publication.reply, 'publishAgentRevision.is-served');
  return publication;
}

/** Reads the agent until the list shows it as published, or the time to settle is over. */
export function awaitPublished(session: Session): Promise<{ seen: unknown; isThere: boolean }> {
  const { id } = publishableAgent(session);
  return poll(
    session.settings.settleMs,
    async () => findById(await readList(session, 'listAgents'), id),
    (agent) => member(agent, 'isPublished') === true,
  );
}
