import type { Organization } from './organizations.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Agent, Revision } from './resources.ts';

export function hasNewerRevision(revisions: readonly Revision[], activeRevisionId: string | undefined): boolean {
  return revisions.length > 0 && revisions.at(-1)?.id !== activeRevisionId;
}

/** Makes a revision the active version of an agent (4.2): the newest one when no id is given. */
export function publishRevision(
  organization: Organization,
  agent: Agent,
  revisionId: string | undefined,
): { agent: Agent; revision: Revision } | Refusal {
  const revision = agent.revisions.findLast((candidate) => revisionId === undefined || candidate.id === revisionId);
  if (revision === undefined) {
    const remedy = 'Send the id of one of its revisions; GET /__admin/organizations/self/agents lists them.';
    return refuse('unknownRevision', `The agent has no revision with this id. ${remedy}`);
  }
  if (revision.id === agent.activeRevisionId && organization.runtime.profile.republish === 'refused') {
    return refuse('conflict', 'This revision is already active. There is nothing to publish.');
  }
  const published = withPublished(organization, agent, revision);
  organization.agentsById.set(agent.id, published);
  organization.agents.replace(agent, published);
  return { agent: published, revision };
}

function withPublished({ runtime }: Organization, agent: Agent, revision: Revision): Agent {
  const hasChanges = {
    derived: hasNewerRevision(agent.revisions, revision.id),
    changesCleared: false,
    changesKept: agent.hasChanges,
  }[runtime.profile.flagsAfterPublish];
  const updatedAtMs =
    runtime.profile['countsAsUpdate.publish'] === 'touched' ? runtime.clock.nowMs() : agent.updatedAtMs;
  return { ...agent, activeRevisionId: revision.id, hasChanges, updatedAtMs };
}
