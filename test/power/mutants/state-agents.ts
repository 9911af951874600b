import type { Organization } from '../../../src/domain/organizations.ts';
import type { Agent } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { idIn, onCallersOf, sentField, withBody, withPath } from './patch.ts';
import { changeListed, organizationsOf, replaceAgent, unpublishAll } from './patch-store.ts';

const publishes = {
  class: 'state',
  place: 'store',
  requirement: 'publishAgentRevision.agent-is-published-afterwards',
  check: 'publishAgentRevision.agent-becomes-published',
} as const;
const others = {
  class: 'state',
  place: 'store',
  requirement: 'publishAgentRevision.other-agents-are-unchanged',
  check: 'publishAgentRevision.other-agents-unchanged',
} as const;
const unknown = {
  class: 'state',
  place: 'engine',
  requirement: 'publishAgentRevision.unknown-target-is-refused',
} as const;

/** Lets a fault follow each publication: behind the agent's new version the others may change as well. */
function afterPublications(engine: Engine, follow: (organization: Organization, published: Agent) => void): void {
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
}

/** Changes all agents but the published one. */
function changeOthers(engine: Engine, change: (other: Agent, all: Agent[], published: Agent) => Partial<Agent>): void {
  afterPublications(engine, (organization, published) => {
    const all = organization.agents.all().filter(({ id }) => id !== published.id);
    for (const other of all) replaceAgent(organization, other, change(other, all, published));
  });
}

/** What a publication does to its agent. */
const published: readonly Mutant[] = [
  {
    id: 'a-publication-does-not-show',
    ...publishes,
    fault: 'A publication is answered as done; the list goes on showing the agent as not published.',
    break: (engine) => {
      unpublishAll(engine);
      for (const { agents } of organizationsOf(engine)) agents.replace = () => {};
    },
  },
  {
    id: 'a-publication-takes-the-published-revision-away',
    ...publishes,
    fault: 'After a publication the agent has no published revision.',
    break: (engine) => {
      for (const { agents } of organizationsOf(engine)) {
        const replace = agents.replace.bind(agents);
        agents.replace = (earlier, { activeRevisionId: _, ...agent }) => replace(earlier, agent);
      }
    },
  },
  {
    id: 'a-publication-removes-the-agent-from-the-list',
    ...publishes,
    fault: 'An agent that was published is not listed any more.',
    break: (engine) => {
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
  },
];

/** What a publication does to other agents. */
const unasked: readonly Mutant[] = [
  {
    id: 'a-publication-publishes-all-agents',
    ...others,
    fault: 'A publication marks every agent of the organization as published.',
    break: (engine) => changeOthers(engine, (_, __, { activeRevisionId = '' }) => ({ activeRevisionId })),
  },
  {
    id: 'a-publication-publishes-the-last-agent-too',
    ...others,
    fault: 'A publication marks the last agent of the list as published as well.',
    break: (engine) => {
      unpublishAll(engine);
      changeOthers(engine, (other, all, { activeRevisionId = '' }) =>
        other === all.at(-1) ? { activeRevisionId } : {},
      );
    },
  },
  {
    id: 'only-one-agent-can-be-published',
    ...others,
    fault: 'A publication takes the published revisions of all other agents away.',
    break: (engine) =>
      afterPublications(engine, (organization, agent) => {
        for (const { activeRevisionId: _, ...other } of organization.agents.all()) {
          const earlier = organization.agentsById.get(other.id);
          if (other.id === agent.id || earlier === undefined) continue;
          organization.agentsById.set(other.id, other);
          organization.agents.replace(earlier, other);
        }
      }),
  },
  {
    id: 'a-publication-touches-all-agents',
    ...others,
    fault: 'A publication sets updatedAt of every agent of the organization.',
    break: (engine) => changeOthers(engine, (_, __, { updatedAtMs }) => ({ updatedAtMs: updatedAtMs + 1 })),
  },
  {
    id: 'a-publication-renames-the-last-agent',
    ...others,
    fault: 'A publication gives the last agent of the list the name of the published one.',
    break: (engine) => changeOthers(engine, (other, all, { name }) => (other === all.at(-1) ? { name } : {})),
  },
  {
    id: 'a-publication-clears-the-changes-of-all-agents',
    ...others,
    fault: 'After a publication no agent of the organization has changes.',
    break: (engine) => changeOthers(engine, () => ({ hasChanges: false })),
  },
  {
    id: 'a-publication-loses-one-description',
    ...others,
    fault: 'A publication takes the description of the first other agent that has one away.',
    break: (engine) =>
      afterPublications(engine, (organization, agent) => {
        const victim = organization.agents.all().find(({ id, description }) => id !== agent.id && description);
        if (victim === undefined) return;
        const { description: _, ...rest } = victim;
        organization.agentsById.set(rest.id, rest);
        organization.agents.replace(victim, rest);
      }),
  },
];

/** Publications of what is not there. */
const unknownTargets: readonly Mutant[] = [
  {
    id: 'the-revision-to-publish-is-not-looked-at',
    ...unknown,
    check: 'publishAgentRevision.unknown-revision',
    fault: 'A publication publishes the newest revision, whatever revisionId says.',
    profile: { requiredBodyFields: 'none' },
    break: (engine) => onCallersOf(engine, 'publishAgentRevision', (call, sound) => sound.answer(withBody(call, {}))),
  },
  {
    id: 'a-revision-of-another-agent-can-be-published',
    ...unknown,
    check: 'publishAgentRevision.unknown-revision',
    fault: 'An agent that lacks the revision takes it for a new one of its own.',
    break: (engine) =>
      onCallersOf(engine, 'publishAgentRevision', (call, sound, caller) => {
        const agent = caller.agentsById.get(idIn(call, 'agentId'));
        const id = sentField(call, 'revisionId');
        const isNew = typeof id === 'string' && agent !== undefined && !agent.revisions.some((one) => one.id === id);
        if (isNew) {
          const createdAtMs = caller.world.clock.nowMs();
          replaceAgent(caller, agent, { revisions: [...agent.revisions, { id, createdAtMs }] });
        }
        return sound.answer(call);
      }),
  },
  {
    id: 'an-unknown-agent-is-published-in-vain',
    ...unknown,
    check: 'publishAgentRevision.unknown-agent',
    fault: 'A publication for an agent that is not there is answered as done.',
    break: (engine) =>
      onCallersOf(engine, 'publishAgentRevision', (call, sound) => {
        const answer = sound.answer(call);
        const isKnown = organizationsOf(engine).some(({ agentsById }) => agentsById.has(idIn(call, 'agentId')));
        if (isKnown || answer.status !== 404) return answer;
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
      }),
  },
  {
    id: 'an-unknown-agent-means-the-first-one',
    ...unknown,
    check: 'publishAgentRevision.unknown-agent',
    fault: 'A publication for an agent that is not there publishes another agent.',
    profile: { requiredBodyFields: 'none' },
    break: (engine) =>
      onCallersOf(engine, 'publishAgentRevision', (call, sound, caller) => {
        const isKnown = organizationsOf(engine).some(({ agentsById }) => agentsById.has(idIn(call, 'agentId')));
        const agentId = [...caller.agentsById.values()].find(({ revisions }) => revisions.length > 0)?.id;
        return sound.answer(isKnown || agentId === undefined ? call : withBody(withPath(call, { agentId }), {}));
      }),
  },
];

export const stateOfAgents: readonly Mutant[] = [...published, ...unasked, ...unknownTargets];
