import { mayHaveBody } from '../../../openapi/contract/contract-for.ts';
import { publishRevision } from '../../domain/agents.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Agent, Revision } from '../../domain/resources.ts';
import { type Context, type Handler, refuseMissing } from '../handler.ts';

/** 4.2 */
export const publishAgentRevision: Handler<'publishAgentRevision'> = ({ path, body }, context) => {
  const id = path.agentId;
  const agent = context.organization.agentsById.get(id);
  if (agent === undefined) return refuseMissing(context, 'agent', ({ agentsById }) => agentsById.has(id));
  const published = publishRevision(context.organization, agent, body.revisionId);
  return isRefusal(published) ? published : toBody(context, published);
};

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
