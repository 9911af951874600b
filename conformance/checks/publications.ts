import { isDeepStrictEqual } from 'node:util';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { msBetween } from '../../openapi/reading/timestamps.ts';
import { listedIn, sendNewCreation, successesFor } from '../probing/creations.ts';
import {
  agentsAfterwards,
  awaitPublished,
  isNumber,
  lastAgents,
  publishableAgent,
  sendPublication,
  successfulPublication,
  unknownLike,
} from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { sendValid } from '../probing/operations.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { poll } from '../target/clock.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import { expectRefusal, idOf, judgesShape, member, requireNoOtherClient } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

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
  const revisionId = session.settings.fixtures.agent?.revisionId ?? session.unknownId();
  await expectPublicationRefused(session, session.unknownId(), revisionId);
}

async function expectUnknownRevisionRefused(session: Session): Promise<void> {
  session.requireWrites();
  const { id } = publishableAgent(session);
  await successfulPublication(session);
  const { revisionId } = publishableAgent(session);
  for (const unknown of [session.unknownId(), unknownLike(session, revisionId)]) {
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

/** A publication activates one revision of one agent, and changes nothing else (4.2). */
export const publicationEffectChecks: readonly Check[] = [
  check(
    'activates-only-its-agent',
    'Publishes, and compares the flags of all other agents before and after.',
    (session) => expectFlagsKept(session, 'own'),
    { needs: ['writes', 'agent', 'secondAgent'] },
  ),
  check(
    'other-organization-unchanged',
    'Publishes, and compares the flags of the agents of the other organization before and after.',
    (session) => expectFlagsKept(session, 'others'),
    {
      needs: ['writes', 'agent', 'otherKey', 'agentsOfBoth'],
      effects: { shared: ['publication'], perhaps: ['driveOfEachOrganization'] },
    },
  ),
  check('agent-stays-listed', 'Publishes, and looks for the agent in the list.', expectStillListed),
  check(
    'rest-of-agent-kept',
    'Publishes, and compares name, description and createdAt of the agent before and after.',
    expectRestKept,
  ),
  check(
    'agent-stays-published',
    'Publishes again, then creates a drive and an MCP server, and looks at the agent after each.',
    expectStaysPublished,
    { effects: { drives: 1, mcpServers: 1, shared: ['publication'] } },
  ),
  check('makes-no-agent', 'Publishes, and looks for agents that were not listed before.', expectNoNewAgent),
  check(
    'revision-of-another-agent',
    'Publishes the declared revision for another agent of the list.',
    expectOtherAgentRefused,
    { needs: ['writes', 'agent', 'secondAgent'] },
  ),
];

const flags = ['isPublished', 'hasChanges'] as const;

async function expectFlagsKept(session: Session, whose: 'own' | 'others'): Promise<void> {
  if (whose === 'others') await requireOtherOrganization(session);
  const credentials = whose === 'own' ? session.own : session.other;
  const { before, othersBefore, reply } = await successfulPublication(session);
  const { id } = publishableAgent(session);
  const afterwards = await agentsAfterwards(session);
  const was = whose === 'own' ? before.filter((agent) => idOf(agent) !== id) : othersBefore();
  if (was.length === 0) {
    const reason = whose === 'own' ? say`There is no other agent.` : say`The other organization has no agent.`;
    throw new Inconclusive('DATA', reason);
  }
  const change = flagChange(was, whose === 'own' ? afterwards.own : afterwards.others());
  if (change === undefined) return;
  await requireQuietAgents(session, credentials);
  throw new Violated(say`the flags of all other agents as before, and each of them listed`, change, [
    reply,
    ...lastAgents(session),
  ]);
}

function flagChange(was: readonly unknown[], now: readonly unknown[]): Sentence | undefined {
  for (const agent of was) {
    const id = idOf(agent);
    if (id === undefined) continue;
    const later = findById({ items: [...now] }, id);
    if (later === undefined) return say`${id} is no longer listed`;
    const flag = flags.find((name) => !isDeepStrictEqual(member(agent, name), member(later, name)));
    if (flag !== undefined) return say`${own(flag)} of ${id} became ${asJson(member(later, flag))}`;
  }
  return undefined;
}

async function requireQuietAgents(session: Session, credentials: Credentials = session.own): Promise<void> {
  await requireSameAgentsBefore(session, credentials);
  return requireNoOtherClient('Agents keep changing', async () =>
    (await readList(session, 'listAgents', credentials)).items.map((agent) => JSON.stringify(agent)).sort(),
  );
}

// No operation adds or removes agents: if they came and went before the publication, another client was at work.
async function requireSameAgentsBefore(session: Session, credentials: Credentials): Promise<void> {
  const { reply } = await successfulPublication(session);
  const lists = successesFor(session, 'listAgents', credentials === session.own ? 'own' : 'other')
    .filter(({ sentAtMs }) => sentAtMs < reply.sentAtMs)
    .map((list) => listedIn(list).map(idOf).sort().join());
  if (new Set(lists).size <= 1) return;
  throw new Inconclusive('QUIET', say`Agents came and went before: another client seems to be writing.`);
}

async function expectStillListed(session: Session): Promise<void> {
  const { before, reply } = await successfulPublication(session);
  const { id } = publishableAgent(session);
  if (findById({ items: before }, id) === undefined) {
    throw new Inconclusive('PREREQUISITE', say`The list did not show the agent before.`, 'listAgents.known-agent');
  }
  const { own: after } = await agentsAfterwards(session);
  if (findById({ items: after }, id) !== undefined) return;
  throw new Violated(say`the list shows ${id}`, say`${plural(after.length, 'agent')}, none with this id`, [
    reply,
    ...lastAgents(session),
  ]);
}

async function expectRestKept(session: Session): Promise<void> {
  const { before, reply } = await successfulPublication(session);
  const { id } = publishableAgent(session);
  const [was, now] = [before, (await agentsAfterwards(session)).own].map((items) => findById({ items }, id));
  const isKept = (name: string) =>
    isDeepStrictEqual(member(was, name), member(now, name)) ||
    (name === 'createdAt' && msBetween(String(member(was, name)), String(member(now, name))) === 0);
  const changed = ['name', 'description', 'createdAt'].find((name) => !isKept(name));
  if (changed === undefined || was === undefined || now === undefined) return;
  await requireQuietAgents(session);
  const expected = say`${own(changed)}: ${asJson(member(was, changed))}`;
  throw new Violated(expected, asJson(member(now, changed)), [reply, ...lastAgents(session)]);
}

// No operation of the API unpublishes a revision.
async function expectStaysPublished(session: Session): Promise<void> {
  await successfulPublication(session);
  await requirePublished(session);
  await expectStillPublished(session, await sendPublication(session));
  await sendNewCreation(session, 'createDrive');
  await expectStillPublished(session, (await sendNewCreation(session, 'createMcpServer')).reply);
}

async function requirePublished(session: Session): Promise<void> {
  if ((await awaitPublished(session)).isThere) return;
  const reason = say`The list does not show the agent as published.`;
  throw new Inconclusive('PREREQUISITE', reason, 'publishAgentRevision.agent-becomes-published');
}

async function expectStillPublished(session: Session, cause: Reply): Promise<void> {
  const { id } = publishableAgent(session);
  const look = async () => member(findById(await readList(session, 'listAgents'), id), 'isPublished');
  const { isThere } = await poll(session.longestDelayMs * 1.5, look, (flag) => flag === false);
  // A replica may lag.
  if (!isThere || (await awaitPublished(session)).isThere) return;
  throw new Violated(say`isPublished: true, as before`, say`isPublished: false`, [cause, ...lastAgents(session)]);
}

async function expectNoNewAgent(session: Session): Promise<void> {
  const { before, reply } = await successfulPublication(session);
  const known = new Set(before.map(idOf));
  const added = (await agentsAfterwards(session)).own.find((agent) => !known.has(idOf(agent)));
  if (added === undefined) return;
  await requireQuietAgents(session);
  throw new Violated(say`no agent that was not listed before`, asJson(added), [reply, ...lastAgents(session)]);
}

// Ids may be counted per agent: only a long one certainly does not also name a revision of a different agent.
async function expectOtherAgentRefused(session: Session): Promise<Sentence | undefined> {
  session.requireWrites();
  const { id, revisionId } = publishableAgent(session);
  // First, so that effects of this request on a broken target are not blamed on the earlier publication.
  const { own: agents } = await agentsAfterwards(session);
  const agentId = agents.map(idOf).findLast((other) => other !== undefined && other !== id);
  if (agentId === undefined) throw new Inconclusive('DATA', say`There is no other agent.`);
  if (revisionId.length < 8 || isNumber(revisionId)) return say`Other agents may have revisions with the same id.`;
  const reply = await session.call('publishAgentRevision', { path: { agentId }, json: { revisionId } });
  expectRefusal(reply, say`a revision of ${id} was published for ${agentId}`);
  return undefined;
}
