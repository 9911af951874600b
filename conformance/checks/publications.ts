import { isDeepStrictEqual } from 'node:util';
import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { publishableAgent, unknownId } from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { sendValid } from '../probing/operations.ts';
import { awaitPublished, lastAgents, successfulPublication } from '../probing/publications.ts';
import { unknownLike } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import { expectRefusal, idOf, judgesShape, member, requireNoOtherClient } from '../target/expectations.ts';
import { poll } from '../target/poll.ts';

const check = checksOf('publishAgentRevision', 'publish');

/** Publications: what they change and what they do not change (4.2). */
export const publicationChecks: readonly Check[] = [
  ...withoutValidKey.map(({ prefix, who, credentials }) =>
    check(
      `${prefix}-publishes-nothing`,
      `Publishes ${who}, and compares the agent before and after.`,
      (session) => expectNotPublished(session, credentials(session.runId, 'header')),
      { phase: 'create', effects: {} },
    ),
  ),
  check('unknown-agent', 'Publishes for an agent that does not exist.', expectUnknownAgentRefused, {
    needs: ['writes'],
    effects: {},
  }),
  check('unknown-revision', 'Publishes a revision that does not exist.', expectUnknownRevisionRefused),
  check('agent-becomes-published', 'Publishes, and reads the list until it shows the agent as published.', expectFlag),
  check('other-agents-unchanged', 'Publishes, and compares all other agents before and after.', expectOthersUnchanged, {
    needs: ['writes', 'agent', 'secondAgent'],
  }),
];

async function expectNotPublished(session: Session, credentials: Credentials): Promise<void> {
  session.requireWrites();
  const { id } = publishableAgent(session);
  const look = async () => documented(findById(await readList(session, 'listAgents'), id));
  const before = await look();
  if (member(before, 'isPublished') !== false) {
    const reason = say`The list does not show the agent as unpublished, so it would not show a publication either.`;
    throw new Inconclusive('AGENT', reason);
  }
  const reply = await sendValid(session, 'publishAgentRevision', { credentials });
  const isChanged = (agent: unknown) => !isDeepStrictEqual(agent, before);
  const { seen, isThere } = await poll(session.longestDelayMs * 1.5, look, isChanged);
  if (!isThere) return;
  if (member(seen, 'isPublished') !== true) await requireNoOtherClient('Agents keep changing', look);
  throw new Violated(say`an unchanged agent`, asJson(seen), [reply, ...lastAgents(session)]);
}

async function expectUnknownAgentRefused(session: Session): Promise<void> {
  session.requireWrites();
  const revisionId = session.settings.fixtures.agent?.revisionId ?? unknownId(session);
  await expectPublicationRefused(session, unknownId(session), revisionId);
}

async function expectUnknownRevisionRefused(session: Session): Promise<void> {
  session.requireWrites();
  const { id } = publishableAgent(session);
  await successfulPublication(session);
  const { revisionId } = publishableAgent(session);
  for (const unknown of [unknownId(session), unknownLike(session, revisionId)]) {
    await expectPublicationRefused(session, id, unknown);
  }
}

async function expectPublicationRefused(session: Session, agentId: string, revisionId: string): Promise<void> {
  const reply = await session.call('publishAgentRevision', { path: { agentId }, json: { revisionId } });
  expectRefusal(reply, say`something that does not exist was published`);
}

async function expectFlag(session: Session): Promise<void> {
  const { before, reply } = await successfulPublication(session);
  const { id } = publishableAgent(session);
  const { seen, isThere } = await awaitPublished(session);
  if (isThere) return;
  const wasListed = findById({ items: before }, id) !== undefined;
  if (!wasListed || (seen !== undefined && member(seen, 'isPublished') === undefined)) {
    const judges = ['listAgents.known-agent', ...judgesShape('listAgents')];
    throw new Inconclusive('PREREQUISITE', say`The list does not show the flag of this agent.`, ...judges);
  }
  const actual = seen === undefined ? say`the agent is no longer listed` : asJson(seen);
  throw new Violated(say`isPublished: true`, actual, [reply, ...lastAgents(session)]);
}

async function expectOthersUnchanged(session: Session): Promise<void> {
  const { before, reply } = await successfulPublication(session);
  const { id } = publishableAgent(session);
  const others = (agents: readonly unknown[]) =>
    new Map(agents.flatMap((agent) => (idOf(agent) === id ? [] : [[idOf(agent), documented(agent)]])));
  const was = others(before);
  if (was.size === 0) throw new Inconclusive('DATA', say`There is no other agent.`);
  const look = async () => others((await readList(session, 'listAgents')).items);
  const { seen, isThere } = await poll(session.longestDelayMs * 1.5, look, (now) => changeIn(was, now) !== undefined);
  if (!isThere) return;
  await requireNoOtherClient('Agents keep changing', look);
  const evidence = [reply, ...lastAgents(session)];
  throw new Violated(say`all other agents unchanged`, changeIn(was, seen) ?? say``, evidence);
}

const documentedFields = ['id', 'name', 'description', 'isPublished', 'hasChanges', 'createdAt', 'updatedAt'];

// Other fields may change with every reading.
function documented(agent: unknown): Record<string, unknown> {
  return Object.fromEntries(documentedFields.map((name) => [name, member(agent, name)]));
}

type Agents = ReadonlyMap<string | undefined, unknown>;

function changeIn(was: Agents, now: Agents): Sentence | undefined {
  for (const [id, agent] of was) {
    if (!isDeepStrictEqual(agent, now.get(id))) return say`${asJson(agent)} became ${asJson(now.get(id))}`;
  }
  return undefined;
}
