import { mayHaveBody } from '../../../openapi/reading/statuses.ts';
import { publishRevision } from '../../domain/agents.ts';
import type { Organization } from '../../domain/organizations.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Agent, Revision } from '../../domain/resources.ts';
import { type Context, type Handler, holderOf, refuseMissing } from '../handler.ts';

/** 4.2 */
export const publishAgentRevision: Handler<'publishAgentRevision'> = ({ path, body }, context) => {
  const found = findAgent(path, context);
  if (isRefusal(found)) return found;
  const { holder, agent } = found;
  const published = publishRevision(holder, agent, body.revisionId);
  if (isRefusal(published)) return published;
  holder.isWritten = true;
  return toBody(context, published);
};

/** The agent that a path names and the organization that has it, or the error response. */
export function findAgent(
  { agentId }: { agentId: string },
  context: Context,
): { holder: Organization; agent: Agent } | Refusal {
  const isThere = ({ agentsById }: Organization) => agentsById.get(agentId) !== undefined;
  const holder = holderOf(context, isThere);
  const agent = holder?.agentsById.get(agentId);
  return holder === undefined || agent === undefined ? refuseMissing(context, 'agent', isThere) : { holder, agent };
}

// Open point `publishBody`.
function toBody({ profile, views }: Context, { agent, revision }: { agent: Agent; revision: Revision }) {
  if (!mayHaveBody(profile['successStatus.publishAgentRevision'])) return undefined;
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
