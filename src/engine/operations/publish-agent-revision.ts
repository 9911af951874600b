import { mayHaveBody } from '../../../openapi/contract/contract-for.ts';
import { publishRevision } from '../../domain/agents.ts';
import type { Organization } from '../../domain/organizations.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Agent, Revision } from '../../domain/resources.ts';
import { type Context, type Handler, refuseMissing } from '../handler.ts';

/** 4.2 */
export const publishAgentRevision: Handler<'publishAgentRevision'> = ({ path, body }, context) => {
  const agent = findAgent(path, context);
  if (isRefusal(agent)) return agent;
  const published = publishRevision(context.organization, agent, body.revisionId);
  return isRefusal(published) ? published : toBody(context, published);
};

/** The agent of the organization, or the refusal. */
export function findAgent({ agentId }: { agentId: string }, context: Context): Agent | Refusal {
  const isThere = ({ agentsById }: Organization) => agentsById.has(agentId);
  return context.organization.agentsById.get(agentId) ?? refuseMissing(context, 'agent', isThere);
}

// Open point `publishBody`.
function toBody({ profile, views }: Context, { agent, revision }: { agent: Agent; revision: Revision }) {
  if (!mayHaveBody(profile.publishStatus)) return undefined;
  switch (profile.publishBody) {
    case 'agent':
      return { ...views.agent(agent) };
    case 'revision':
      return { revisionId: revision.id, agentId: agent.id, createdAt: views.timestamp(revision.createdAtMs) };
    case 'emptyObject':
      return {};
    case 'none':
      return undefined;
  }
}
