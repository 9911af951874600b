import { hasNewerRevision } from '../../domain/agents.ts';
import type { Organization } from '../../domain/organizations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Agent } from '../../domain/resources.ts';
import { type SeedAgent, toAgent } from '../../domain/seed.ts';
import { isoOf, withChanges } from './changes.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  findOrganization,
  gone,
} from './control.ts';

function showAgent({ createdAtMs, updatedAtMs, revisions, ...agent }: Agent) {
  return {
    ...agent,
    revisions: revisions.map(({ id, createdAtMs }) => ({ id, createdAt: isoOf(createdAtMs) })),
    ...{ createdAt: isoOf(createdAtMs), updatedAt: isoOf(updatedAtMs) },
  };
}

export const listAgentRecords: ControlHandler = (input, context) => {
  const resident = findOrganization(input.path.organizationId ?? '', input, context);
  return 'refused' in resident ? resident : done([...resident.organization.agentsById.values()].map(showAgent));
};

export const createAgent: ControlHandler = (input, context) => {
  const resident = findOrganization(input.path.organizationId ?? '', input, context);
  if ('refused' in resident) return resident;
  const { organization } = resident;
  const sent = input.body as NewAgent;
  const refusal = refuseNewAgent(sent, organization);
  if (refusal !== undefined) return refusal;
  const now = isoOf(organization.world.clock.nowMs());
  const revisions = (sent.revisions ?? []).map((revision) => ({ ...revision, createdAt: revision.createdAt ?? now }));
  const agent = toAgent(organization, { ...sent, createdAt: sent.createdAt ?? now, revisions });
  organization.agentsById.set(agent.id, agent);
  organization.agents.add(agent);
  return done(showAgent(agent), 201);
};

type NewAgent = Omit<Partial<SeedAgent>, 'revisions'> & {
  name: string;
  revisions?: { id?: string; createdAt?: string }[];
};

function refuseNewAgent({ id, published = 0, revisions = [] }: NewAgent, { agentsById }: Organization) {
  if (published > revisions.length) {
    const detail = `body.published is ${published}; the agent has ${revisions.length} revisions, counted from 1.`;
    return refuse('invalidInput', detail);
  }
  if (id !== undefined && agentsById.has(id)) return refuse('conflict', 'An agent has this id already.');
  const ids = revisions.flatMap((revision) => revision.id ?? []);
  return new Set(ids).size < ids.length
    ? refuse('conflict', 'body.revisions has two with the same id. Give each its own.')
    : undefined;
}

type OnAgent = (agent: Agent, organization: Organization, body: unknown) => ControlAnswer | Refusal;

function onAgent(act: OnAgent): ControlHandler {
  return (input: ControlInput, context: ControlContext) => {
    const resident = findOrganization(input.path.organizationId ?? '', input, context);
    if ('refused' in resident) return resident;
    const agent = resident.organization.agentsById.get(input.path.agentId ?? '');
    if (agent === undefined) return refuse('notFound', 'The organization has no such agent.');
    return act(agent, resident.organization, input.body);
  };
}

export const getAgent = onAgent((agent) => done(showAgent(agent)));

export const changeAgent = onAgent((agent, organization, body) => {
  const changed = withChanges(agent, body as object);
  const { activeRevisionId, revisions } = changed;
  if (activeRevisionId !== undefined && !revisions.some(({ id }) => id === activeRevisionId)) {
    return refuse('invalidInput', 'body.activeRevisionId is not the id of a revision of this agent.');
  }
  replace(organization, agent, changed);
  return done(showAgent(changed));
});

export const deleteAgent = onAgent((agent, organization) => {
  organization.agentsById.delete(agent.id);
  organization.agents.remove(agent);
  return gone;
});

export const createRevision = onAgent((agent, organization, body) => {
  const { id = organization.ids('revision'), createdAt } = body as { id?: string; createdAt?: string };
  if (agent.revisions.some((revision) => revision.id === id))
    return refuse('conflict', 'The agent has this revision already.');
  const createdAtMs = createdAt === undefined ? organization.world.clock.nowMs() : Date.parse(createdAt);
  const revisions = [...agent.revisions, { id, createdAtMs }];
  const hasChanges = hasNewerRevision(revisions, agent.activeRevisionId);
  const changed = { ...agent, revisions, hasChanges };
  replace(organization, agent, changed);
  return done(showAgent(changed), 201);
});

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
