import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../check.ts';
import { find, readList } from '../scene/lists.ts';
import { act } from '../scene/probes.ts';
import { publishedWell } from '../scene/publications.ts';
import { requireQuiet } from '../scene/quiet.ts';
import { publishableAgent, unknownId } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import { expectRefusal, idOf, member, poll } from '../target/expectations.ts';

/** Publications: what they show, and what they do not touch (4.2). */
export const publicationChecks: readonly Check[] = [
  check(
    'no-key-publishes-nothing',
    'create',
    'Publishes without a key, and compares the agent before and after.',
    (session) => expectNotPublished(session, noKey),
  ),
  check(
    'wrong-key-publishes-nothing',
    'create',
    'Publishes with a key that is nobody’s, and compares the agent.',
    (session) => expectNotPublished(session, invalidKey(`nobody-${session.runId}`, 'header')),
  ),
  {
    ...check('unknown-agent', 'publish', 'Publishes for an agent that does not exist.', async (session) => {
      session.requireWrites();
      const revisionId = session.settings.fixtures.agent?.revisionId ?? unknownId(session);
      await expectTargetRefused(session, unknownId(session), revisionId);
    }),
    needs: ['writes'],
    effects: {},
  },
  check('unknown-revision', 'publish', 'Publishes a revision that does not exist.', async (session) => {
    session.requireWrites();
    const { id } = publishableAgent(session);
    await publishedWell(session);
    await expectTargetRefused(session, id, unknownId(session));
  }),
  check(
    'agent-becomes-published',
    'publish',
    'Publishes, and reads the list until it shows the agent as published.',
    expectFlag,
  ),
  check(
    'other-agents-unchanged',
    'publish',
    'Publishes, and compares all other agents before and after.',
    expectOthersUnchanged,
  ),
];

function check(rule: string, phase: Check['phase'], does: string, run: Check['run']): Check {
  const id = `publishAgentRevision.${rule}`;
  const demands = rule.endsWith('publishes-nothing') ? { effects: {} } : {};
  return { id, operation: 'publishAgentRevision', phase, does, ...demands, run };
}

async function expectNotPublished(session: Session, credentials: typeof noKey): Promise<void> {
  session.requireWrites();
  const { id } = publishableAgent(session);
  const before = documented(find(await readList(session, 'listAgents'), id));
  if (member(before, 'isPublished') !== false) {
    const reason = 'The list does not show the agent as unpublished, so it would not show a publication either.';
    throw new Unverified('AGENT', reason);
  }
  const reply = await act(session, 'publishAgentRevision', { credentials });
  const look = async () => documented(find(await readList(session, 'listAgents'), id));
  const { seen, isThere } = await poll(session.longestLagMs * 1.5, look, (agent) => !isDeepStrictEqual(agent, before));
  if (isThere && member(seen, 'isPublished') !== true) await requireQuiet('Agents keep changing', look);
  if (isThere)
    throw new Violated('an agent that is as it was', JSON.stringify(seen), [reply, ...session.replies.slice(-1)]);
}

async function expectTargetRefused(session: Session, agentId: string, revisionId: string): Promise<void> {
  const reply = await session.call('publishAgentRevision', { path: { agentId }, json: { revisionId } });
  expectRefusal(reply, 'what does not exist was published');
}

async function expectFlag(session: Session): Promise<void> {
  const { before, reply } = await publishedWell(session);
  const { id } = publishableAgent(session);
  const wasListed = before.some((agent) => idOf(agent) === id);
  const { seen, isThere } = await poll(
    session.settings.settleMs,
    async () => find(await readList(session, 'listAgents'), id),
    (agent) => member(agent, 'isPublished') === true,
  );
  if (isThere) return;
  if (!wasListed || (seen !== undefined && member(seen, 'isPublished') === undefined)) {
    throw new Unverified('PREREQUISITE', 'The list does not show the flag of this agent.');
  }
  throw new Violated('isPublished: true', JSON.stringify(seen) ?? 'the agent is not listed any more', [
    reply,
    ...session.replies.slice(-1),
  ]);
}

async function expectOthersUnchanged(session: Session): Promise<void> {
  const { before, reply } = await publishedWell(session);
  const { id } = publishableAgent(session);
  const others = (agents: readonly unknown[]) =>
    new Map(agents.flatMap((agent) => (idOf(agent) === id ? [] : [[idOf(agent), documented(agent)]])));
  const was = others(before);
  if (was.size === 0) throw new Unverified('DATA', 'There is no other agent.');
  const look = async () => others((await readList(session, 'listAgents')).items);
  const { seen, isThere } = await poll(session.longestLagMs * 1.5, look, (now) => changed(was, now) !== undefined);
  if (!isThere) return;
  await requireQuiet('Agents keep changing', look);
  throw new Violated('all other agents as they were', changed(was, seen) ?? '', [reply, ...session.replies.slice(-1)]);
}

// Fields that are not documented may change with every reading.
function documented(agent: unknown): Record<string, unknown> {
  return Object.fromEntries(fields.map((name) => [name, member(agent, name)]));
}

const fields = ['id', 'name', 'description', 'isPublished', 'hasChanges', 'createdAt', 'updatedAt'];

function changed(
  was: ReadonlyMap<string | undefined, unknown>,
  now: ReadonlyMap<string | undefined, unknown>,
): string | undefined {
  for (const [id, agent] of was) {
    if (!isDeepStrictEqual(agent, now.get(id))) return `${JSON.stringify(agent)} became ${JSON.stringify(now.get(id))}`;
  }
  return undefined;
}
