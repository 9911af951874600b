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
  const sent = input.body as Partial<SeedAgent> & { name: string };
  const now = isoOf(organization.world.clock.nowMs());
  const revisions = (sent.revisions ?? []).map((revision) => ({ ...revision, createdAt: revision.createdAt ?? now }));
  if (sent.published !== undefined && sent.published > revisions.length) {
    return refuse(
      'invalidInput',
      `body.published is ${sent.published}; the agent has ${revisions.length} revisions, counted from 1.`,
    );
  }
  if (sent.id !== undefined && organization.agentsById.has(sent.id))
    return refuse('conflict', 'An agent has this id already.');
  const agent = toAgent(organization, { ...sent, createdAt: sent.createdAt ?? now, revisions });
  organization.agentsById.set(agent.id, agent);
  organization.agents.add(agent);
  return done(showAgent(agent), 201);
};

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

// A list is kept in an order that a change of name or age may touch.
function replace(organization: Organization, agent: Agent, changed: Agent): void {
  organization.agentsById.set(changed.id, changed);
  organization.agents.remove(agent);
  organization.agents.add(changed);
}
