import type { Organization } from '../../../src/domain/organizations.ts';
import type { Agent } from '../../../src/domain/resources.ts';
import type { Mutant } from '../mutant.ts';
import { idIn, onCallersOf, sentField, withBody, withPath } from './patch.ts';
import { changeListed, organizationsOf, replaceAgent, unpublishAll } from './patch-store.ts';
import type { Break } from './rewrite.ts';
import { table } from './table.ts';

/** Lets a fault follow each publication: behind the agent's new version the others may change as well. */
function afterPublications(follow: (organization: Organization, published: Agent) => void): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      const replace = organization.agents.replace.bind(organization.agents);
      let isFollowing = false;
      organization.agents.replace = (earlier, agent) => {
        replace(earlier, agent);
        if (isFollowing) return;
        isFollowing = true;
        follow(organization, agent);
        isFollowing = false;
      };
    }
  };
}

/** Changes all agents but the published one. */
function changeOthers(change: (other: Agent, all: Agent[], published: Agent) => Partial<Agent>): Break {
  return (engine) => {
    afterPublications((organization, published) => {
      const all = organization.agents.all().filter(({ id }) => id !== published.id);
      for (const other of all) replaceAgent(organization, other, change(other, all, published));
    })(engine);
  };
}

/** What a publication does to its agent. */
const published: readonly Mutant[] = table('state', 'store', {
  'publishAgentRevision.agent-becomes-published: a-publication-does-not-show': [
    'A publication is answered as done; the list goes on showing the agent as not published.',
    (engine) => {
      unpublishAll(engine);
      for (const { agents } of organizationsOf(engine)) agents.replace = () => {};
    },
  ],
  'publishAgentRevision.agent-becomes-published: a-publication-takes-the-published-revision-away': [
    'After a publication the agent has no published revision.',
    (engine) => {
      for (const { agents } of organizationsOf(engine)) {
        const replace = agents.replace.bind(agents);
        agents.replace = (earlier, { activeRevisionId: _, ...agent }) => replace(earlier, agent);
      }
    },
  ],
  'publishAgentRevision.agent-becomes-published: a-publication-removes-the-agent-from-the-list': [
    'An agent that was published is not listed any more.',
    (engine) => {
      for (const { agents } of organizationsOf(engine)) {
        const replace = agents.replace.bind(agents);
        const gone = new Set<string>();
        changeListed(agents, (all) => all.filter(({ id }) => !gone.has(id)));
        agents.replace = (earlier, agent) => {
          gone.add(agent.id);
          replace(earlier, agent);
        };
      }
    },
  ],
});

/** What a publication does to other agents. */
const unasked: readonly Mutant[] = table('state', 'store', {
  'publishAgentRevision.other-agents-unchanged: a-publication-publishes-all-agents': [
    'A publication marks every agent of the organization as published.',
    changeOthers((_, __, { activeRevisionId = '' }) => ({ activeRevisionId })),
  ],
  'publishAgentRevision.other-agents-unchanged: a-publication-publishes-the-last-agent-too': [
    'A publication marks the last agent of the list as published as well.',
    (engine) => {
      unpublishAll(engine);
      changeOthers((other, all, { activeRevisionId = '' }) => (other === all.at(-1) ? { activeRevisionId } : {}))(
        engine,
      );
    },
  ],
  'publishAgentRevision.other-agents-unchanged: only-one-agent-can-be-published': [
    'A publication takes the published revisions of all other agents away.',
    afterPublications((organization, agent) => {
      for (const { activeRevisionId: _, ...other } of organization.agents.all()) {
        const earlier = organization.agentsById.get(other.id);
        if (other.id === agent.id || earlier === undefined) continue;
        organization.agentsById.set(other.id, other);
        organization.agents.replace(earlier, other);
      }
    }),
  ],
  'publishAgentRevision.other-agents-unchanged: a-publication-touches-all-agents': [
    'A publication sets updatedAt of every agent of the organization.',
    changeOthers((_, __, { updatedAtMs }) => ({ updatedAtMs: updatedAtMs + 1 })),
  ],
  'publishAgentRevision.other-agents-unchanged: a-publication-renames-the-last-agent': [
    'A publication gives the last agent of the list the name of the published one.',
    changeOthers((other, all, { name }) => (other === all.at(-1) ? { name } : {})),
  ],
  'publishAgentRevision.other-agents-unchanged: a-publication-clears-the-changes-of-all-agents': [
    'After a publication no agent of the organization has changes.',
    changeOthers(() => ({ hasChanges: false })),
  ],
  'publishAgentRevision.other-agents-unchanged: a-publication-loses-one-description': [
    'A publication takes the description of the first other agent that has one away.',
    afterPublications((organization, agent) => {
      const victim = organization.agents.all().find(({ id, description }) => id !== agent.id && description);
      if (victim === undefined) return;
      const { description: _, ...rest } = victim;
      organization.agentsById.set(rest.id, rest);
      organization.agents.replace(victim, rest);
    }),
  ],
});

/** Publications of what is not there. */
const unknownTargets: readonly Mutant[] = table('state', 'engine', {
  'publishAgentRevision.unknown-revision: the-revision-to-publish-is-not-looked-at': [
    'A publication publishes the newest revision, whatever revisionId says.',
    (engine) => onCallersOf(engine, 'publishAgentRevision', (call, sound) => sound.answer(withBody(call, {}))),
    { requiredBodyFields: 'none' },
  ],
  'publishAgentRevision.unknown-revision: a-revision-of-another-agent-can-be-published': [
    'An agent that lacks the revision takes it for a new one of its own.',
    (engine) =>
      onCallersOf(engine, 'publishAgentRevision', (call, sound, caller) => {
        const agent = caller.agentsById.get(idIn(call, 'agentId'));
        const id = sentField(call, 'revisionId');
        const isNew = typeof id === 'string' && agent !== undefined && !agent.revisions.some((one) => one.id === id);
        if (isNew) {
          const createdAtMs = caller.runtime.clock.nowMs();
          replaceAgent(caller, agent, { revisions: [...agent.revisions, { id, createdAtMs }] });
        }
        return sound.answer(call);
      }),
  ],
  'publishAgentRevision.unknown-agent: an-unknown-agent-is-published-in-vain': [
    'A publication for an agent that is not there is answered as done.',
    (engine) =>
      onCallersOf(engine, 'publishAgentRevision', (call, sound) => {
        const answer = sound.answer(call);
        const isKnown = organizationsOf(engine).some(({ agentsById }) => agentsById.has(idIn(call, 'agentId')));
        if (isKnown || answer.status !== 404) return answer;
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
      }),
  ],
  'publishAgentRevision.unknown-agent: an-unknown-agent-means-the-first-one': [
    'A publication for an agent that is not there publishes another agent.',
    (engine) =>
      onCallersOf(engine, 'publishAgentRevision', (call, sound, caller) => {
        const isKnown = organizationsOf(engine).some(({ agentsById }) => agentsById.has(idIn(call, 'agentId')));
        const agentId = [...caller.agentsById.values()].find(({ revisions }) => revisions.length > 0)?.id;
        return sound.answer(isKnown || agentId === undefined ? call : withBody(withPath(call, { agentId }), {}));
      }),
    { requiredBodyFields: 'none' },
  ],
});

export const stateOfAgents: readonly Mutant[] = [...published, ...unasked, ...unknownTargets];
