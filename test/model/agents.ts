import assert from 'node:assert/strict';
import type { Profile } from '../../src/index.ts';
import { fieldsOf } from './body-rules.ts';
import { assertWholeList } from './lists.ts';
import type { Outcome } from './outcome.ts';
import type { AgentState } from './picture.ts';
import { absence, type Expectation, isForeign, type Scene } from './scene.ts';
import { now } from './seed.ts';
import { agentView, compare, timestamp } from './views.ts';

export const listAgents: Expectation = {
  outcomes: () => ['success'],
  succeeded: ({ organization, profile }, body) => {
    const agents = assertWholeList(body, organization.agents, organization, organization.orders.agents, profile);
    for (const [index, agent] of agents.entries()) {
      compare((body as unknown[])[index], agentView(agent, profile), 'agent', profile);
    }
  },
};

export const publishAgentRevision: Expectation = {
  outcomes: (scene) => {
    const agent = ownAgent(scene);
    if (agent === undefined) return [agentAbsence(scene)];
    const revision = revisionOf(scene, agent);
    if (revision === undefined) return ['unknown-revision'];
    return [revision === agent.active && scene.profile.republish === 'refused' ? 'conflict' : 'success'];
  },
  whenFound: (scene, outcomes) => (ownAgent(scene) === undefined ? [agentAbsence(scene)] : outcomes),
  succeeded: (scene, body) => {
    const agent = ownAgent(scene) as AgentState;
    publish(agent, revisionOf(scene, agent), scene.profile);
    assertPublished(scene, agent, body);
  },
};

function ownAgent({ call, organization }: Scene): AgentState | undefined {
  return organization.agents.find(({ id }) => id === call.params.agentId);
}

function agentAbsence(scene: Scene): Outcome {
  return absence(isForeign(scene, 'agents', scene.call.params.agentId), scene, 'unknown-agent');
}

type Revision = AgentState['revisions'][number];

// Where no field is required, a call without one takes the newest revision.
function revisionOf({ call, profile }: Scene, { revisions }: AgentState): Revision | undefined {
  const { revisionId } = fieldsOf(call, profile);
  return revisionId === undefined ? revisions.at(-1) : revisions.find(({ id }) => id === revisionId);
}

function publish(agent: AgentState, revision: Revision | undefined, profile: Profile): void {
  const isNewest = revision === agent.revisions.at(-1);
  const flags = { derived: !isNewest, changesCleared: false, changesKept: agent.hasChanges };
  agent.active = revision;
  agent.hasChanges = flags[profile.flagsAfterPublish];
  if (profile['countsAsUpdate.publish'] === 'touched') agent.updatedAt = now;
}

function assertPublished(scene: Scene, agent: AgentState, body: unknown): void {
  const { profile } = scene;
  if ([204, 205].includes(profile['successStatus.publishAgentRevision']) || profile.publishBody === 'none')
    assert.equal(body, undefined);
  else if (profile.publishBody === 'emptyObject') assert.deepEqual(body, {});
  else if (profile.publishBody === 'agent') compare(body, agentView(agent, profile), 'agent', profile);
  else compare(body, revisionView(scene, agent), 'revision', profile);
}

function revisionView(scene: Scene, agent: AgentState): Record<string, unknown> {
  const { id, createdAt } = revisionOf(scene, agent) as Revision;
  return { revisionId: id, agentId: agent.id, createdAt: timestamp(createdAt, scene.profile) };
}
