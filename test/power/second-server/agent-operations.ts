import { type Answer, type Call, objectBody, stringField } from './call.ts';
import { Refusal } from './refusal.ts';
import { agentView } from './views.ts';
import type { Agent, World } from './world.ts';

/** GET /agents */
export function listAgents(call: Call): Answer {
  const { agents, choices } = call.world;
  const own = [...agents.values()].filter((agent) => agent.organizationId === call.organizationId);
  return { status: 200, body: choices.order(own).map((agent) => agentView(choices, agent)) };
}

function ownAgent(call: Call): Agent {
  const [id = ''] = call.ids;
  const agent = call.world.agents.get(id);
  if (agent?.organizationId === call.organizationId) return agent;
  throw new Refusal(call.world.choices.refusal.unknownAgent, 'No such agent');
}

/** Without `revisionId` the odd variant takes the newest revision. */
function chosenRevision(call: Call, agent: Agent): string {
  const newest = agent.revisionIds.at(-1) ?? '';
  const revisionId = stringField(call, objectBody(call), 'revisionId', newest);
  if (agent.revisionIds.includes(revisionId)) return revisionId;
  throw new Refusal(call.world.choices.refusal.unknownRevision, 'No such revision of this agent');
}

/** Publishing is an update of the agent only for the plain variant. */
function activate(world: World, agent: Agent, revisionId: string): void {
  agent.active = revisionId;
  if (world.choices.variant === 'plain') agent.updatedAt = Date.now();
}

/** POST /agents/{agentId}/publish */
export function publishAgent(call: Call): Answer {
  const { world } = call;
  const { variant, success, refusal } = world.choices;
  const agent = ownAgent(call);
  const revisionId = chosenRevision(call, agent);
  if (variant === 'odd' && agent.requested === revisionId) {
    throw new Refusal(refusal.republication, 'This revision is published already');
  }
  agent.requested = revisionId;
  world.later(call.now, () => activate(world, agent, revisionId));
  return { status: success.publish, body: variant === 'odd' ? 'queued' : { agentId: agent.id, revisionId } };
}
