import { isDeepStrictEqual } from 'node:util';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { type Check, checksOf } from '../check.ts';
import { sendNewCreation } from '../probing/creations.ts';
import { publishableAgent } from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import {
  agentsAfterwards,
  awaitPublished,
  lastAgents,
  sendPublication,
  successfulPublication,
} from '../probing/publications.ts';
import { listedIn, successesFor } from '../probing/recorded.ts';
import { isNumber } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import type { Credentials } from '../target/credentials.ts';
import { expectRefusal, idOf, member, msBetween, requireNoOtherClient } from '../target/expectations.ts';
import { poll } from '../target/poll.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('publishAgentRevision', 'publish');

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
