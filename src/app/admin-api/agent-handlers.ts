import { hasNewerRevision } from '../../domain/agents.ts';
import type { Organization } from '../../domain/organizations.ts';
import { refuse } from '../../domain/refusal.ts';
import { type Agent, withIsoTimes } from '../../domain/resources.ts';
import { type SeedAgent, toAgent } from '../../domain/seed.ts';
import { type ControlHandler, done, forRecord, forSandbox, gone, makerOf, partOf, withChanges } from './control.ts';

const onAgent = forRecord('The organization has no such agent.', ({ agentsById }, { agentId = '' }) =>
  agentsById.get(agentId),
);

export const agentHandlers = {
  listAgentRecords: forSandbox(({ organization }, { query }) =>
    done(partOf(organization.agentsById.values(), query).map(showAgent)),
  ),

  createAgent: forSandbox(({ organization }, { body }) => {
    const sent = body as SeedAgent;
    const refusal = refuseNewAgent(sent, organization);
    if (refusal !== undefined) return refusal;
    const agent = toAgent(makerOf(organization), sent);
    organization.agentsById.set(agent.id, agent);
    organization.agents.add(agent);
    return done(showAgent(agent), 201);
  }),

  getAgent: onAgent((agent) => done(showAgent(agent))),

  changeAgent: onAgent((agent, { organization, body }) => {
    const changed = withChanges(agent, body as object);
    const { activeRevisionId, revisions } = changed;
    if (activeRevisionId !== undefined && !revisions.some(({ id }) => id === activeRevisionId))
      return refuse('invalidInput', 'body.activeRevisionId is not the id of a revision of this agent.');
    replace(organization, agent, changed);
    return done(showAgent(changed));
  }),

  deleteAgent: onAgent((agent, { organization }) => {
    organization.agentsById.delete(agent.id);
    organization.agents.remove(agent);
    return gone;
  }),

  createRevision: onAgent((agent, { organization, body }) => {
    const { id = organization.ids('revision'), createdAt } = body as { id?: string; createdAt?: string };
    if (agent.revisions.some((revision) => revision.id === id))
      return refuse('conflict', 'The agent already has this revision.');
    const createdAtMs = createdAt === undefined ? organization.runtime.clock.nowMs() : Date.parse(createdAt);
    const revisions = [...agent.revisions, { id, createdAtMs }];
    const changed = { ...agent, revisions, hasChanges: hasNewerRevision(revisions, agent.activeRevisionId) };
    replace(organization, agent, changed);
    return done(showAgent(changed), 201);
  }),
} satisfies Record<string, ControlHandler>;

/** An agent as the admin API shows it. */
export type ShownAgent = ReturnType<typeof showAgent>;

function showAgent({ revisions, ...agent }: Agent) {
  return withIsoTimes({ ...agent, revisions: revisions.map(withIsoTimes) });
}

function refuseNewAgent({ id, published = 0, revisions = [] }: SeedAgent, { agentsById }: Organization) {
  if (published > revisions.length) {
    const detail = `body.published is ${published}; the agent has ${revisions.length} revisions, counted from 1.`;
    return refuse('invalidInput', detail);
  }
  if (id !== undefined && agentsById.has(id)) return refuse('conflict', 'An agent already has this id.');
  const ids = revisions.flatMap((revision) => revision.id ?? []);
  return new Set(ids).size < ids.length
    ? refuse('conflict', 'body.revisions contains an id twice. Each revision needs a unique id.')
    : undefined;
}

function replace({ agents, agentsById }: Organization, agent: Agent, changed: Agent): void {
  agentsById.set(changed.id, changed);
  const staysInPlace = changed.name === agent.name && changed.createdAtMs === agent.createdAtMs;
  if (staysInPlace) {
    agents.replace(agent, changed);
    return;
  }
  agents.remove(agent);
  agents.add(changed);
}
