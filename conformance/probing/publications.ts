import { own, say } from '../../lib/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { oncePerRun } from '../once.ts';
import type { CallOptions, Session } from '../session.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { publishableAgent } from './fixtures.ts';
import { findById, readList } from './lists.ts';

/** Publishes the declared revision, accepts any result, and records that it may be active. */
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
  return isClientError(reply) && ![401, 405, 429].includes(reply.status);
}

/** Whether a publication after the first was refused because the revision is active, not because of its key. */
export async function isRefusedAsActive(session: Session, again: Reply): Promise<boolean> {
  if (!mayBeActive(again) || ![403, 404].includes(again.status)) return mayBeActive(again);
  // These may be about the key or the agent: then the key that published the revision does not get them.
  const { reply } = await firstPublication(session);
  return reply.isSuccess && (await sendPublication(session)).status === again.status;
}

/** The publication of a run, and what the list of agents showed before it. */
interface Publication {
  before: unknown[];
  /** What the list showed to the other organization. Throws {@link Inconclusive} if it could not be read. */
  othersBefore(): unknown[];
  wasPublished: unknown;
  reply: Reply;
}

/** Publishes the declared revision, once per run. */
export const firstPublication = oncePerRun(async (session: Session): Promise<Publication> => {
  session.requireWrites();
  const { id } = publishableAgent(session);
  const { items: before } = await readList(session, 'listAgents');
  const othersBefore = await othersAgents(session);
  const reply = await sendPublication(session);
  return { before, othersBefore, wasPublished: member(findById({ items: before }, id), 'isPublished'), reply };
});

// Whether the other organization's list can be read concerns only the check that compares it.
async function othersAgents(session: Session): Promise<() => unknown[]> {
  if (session.settings.otherApiKey === undefined) return () => [];
  const fail = (error: unknown) => () => {
    throw error;
  };
  return readList(session, 'listAgents', session.other).then(
    ({ items }) =>
      () =>
        items,
    fail,
  );
}

/** What the lists of both organizations show once the run's publication is visible, or the time to settle is up. */
export const agentsAfterwards = oncePerRun(
  async (session: Session): Promise<{ own: unknown[]; others(): unknown[] }> => {
    await successfulPublication(session);
    await awaitPublished(session);
    const { items: own } = await readList(session, 'listAgents');
    return { own, others: await othersAgents(session) };
  },
);

/** The publication of the run. Throws `Inconclusive` if it did not succeed. */
export async function successfulPublication(session: Session): Promise<Publication> {
  const publication = await firstPublication(session);
  requireSuccess(publication.reply, 'publishAgentRevision.is-served');
  return publication;
}

/** Reads the agent until the list shows it as published, or the time to settle is up. */
export function awaitPublished(session: Session): Promise<{ seen: unknown; isThere: boolean }> {
  const { id } = publishableAgent(session);
  return session.patience.settle(
    'published',
    async () => findById(await readList(session, 'listAgents'), id),
    (agent) => member(agent, 'isPublished') === true,
  );
}

/** The last list of agents that a valid caller got, as evidence. */
export function lastAgents(session: Session): Reply[] {
  return session.successesOf('listAgents').slice(-1);
}
