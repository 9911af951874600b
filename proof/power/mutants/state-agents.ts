import type { Agent } from '../../../src/domain/resources.ts';
import type { Call } from '../../../src/engine/call.ts';
import type { Break, Engine, Mutant } from '../mutant.ts';
import { changeCalls, idIn, onCallersOf, sentField, withBody, withPath } from './patch.ts';
import { agents, changeListed, inEach, organizationsOf, replaceAgent, sequence, unpublishAll } from './patch-store.ts';
import { table } from './table.ts';

/** Changes all agents but the published one, behind its new version. What becomes undefined is taken away. */
function changeOthers(
  change: (other: Agent, all: readonly Agent[], published: Agent) => Parameters<typeof replaceAgent>[2],
): Break {
  return inEach((organization) => {
    const replace = organization.agents.replace.bind(organization.agents);
    let isFollowing = false;
    organization.agents.replace = (earlier, published) => {
      replace(earlier, published);
      if (isFollowing) return;
      isFollowing = true;
      const all = organization.agents.all().filter(({ id }) => id !== published.id);
      for (const other of all) replaceAgent(organization, other, change(other, all, published));
      isFollowing = false;
    };
  });
}

/** What a publication does to its agent. */
const published: readonly Mutant[] = table('state', 'store', {
  'publishAgentRevision.agent-becomes-published: a-publication-does-not-show': [
    'A publication is answered as done; the list goes on showing the agent as not published.',
    sequence(
      unpublishAll,
      inEach(({ agents }) => {
        agents.replace = () => {};
      }),
    ),
  ],
  'publishAgentRevision.agent-becomes-published: a-publication-takes-the-published-revision-away': [
    'After a publication the agent has no published revision.',
    inEach(({ agents }) => {
      const replace = agents.replace.bind(agents);
      agents.replace = (earlier, { activeRevisionId: _, ...agent }) => replace(earlier, agent);
    }),
  ],
  'publishAgentRevision.agent-becomes-published: a-publication-removes-the-agent-from-the-list': [
    'An agent that was published is not listed any more.',
    (engine) => {
      const gone = new Set<string>();
      changeListed(agents, (all) => all.filter(({ id }) => !gone.has(id)))(engine);
      inEach(({ agents: list }) => {
        const replace = list.replace.bind(list);
        list.replace = (earlier, agent) => {
          gone.add(agent.id);
          replace(earlier, agent);
        };
      })(engine);
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
    sequence(
      unpublishAll,
      changeOthers((other, all, { activeRevisionId = '' }) => (other === all.at(-1) ? { activeRevisionId } : {})),
    ),
  ],
  'publishAgentRevision.other-agents-unchanged: only-one-agent-can-be-published': [
    'A publication takes the published revisions of all other agents away.',
    changeOthers(() => ({ activeRevisionId: undefined })),
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
    changeOthers((other, all) =>
      other === all.find(({ description }) => description) ? { description: undefined } : {},
    ),
  ],
});

/** Publications of what is not there. */
const unknownTargets: readonly Mutant[] = table('state', 'engine', {
  'publishAgentRevision.unknown-revision: the-revision-to-publish-is-not-looked-at': [
    'A publication publishes the newest revision, whatever revisionId says.',
    changeCalls('publishAgentRevision', (call) => withBody(call, {})),
    { 'requiredFields.createDrive': 'none' },
  ],
  'publishAgentRevision.unknown-revision: a-revision-of-another-agent-can-be-published': [
    'An agent that lacks the revision takes it for a new one of its own.',
    changeCalls('publishAgentRevision', (call, caller) => {
      const agent = caller.agentsById.get(idIn(call, 'agentId'));
      const id = sentField(call, 'revisionId');
      const isNew = typeof id === 'string' && agent !== undefined && !agent.revisions.some((one) => one.id === id);
      const createdAtMs = caller.runtime.clock.nowMs();
      if (isNew) replaceAgent(caller, agent, { revisions: [...agent.revisions, { id, createdAtMs }] });
      return call;
    }),
  ],
  'publishAgentRevision.unknown-agent: an-unknown-agent-is-published-in-vain': [
    'A publication for an agent that is not there is answered as done.',
    onCallersOf('publishAgentRevision', (call, sound, _, engine) => {
      const answer = sound.answer(call);
      if (isAnywhere(engine, call) || answer.status !== 404) return answer;
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
    }),
  ],
  'publishAgentRevision.unknown-agent: an-unknown-agent-means-the-first-one': [
    'A publication for an agent that is not there publishes another agent.',
    changeCalls('publishAgentRevision', (call, caller, engine) => {
      const agentId = [...caller.agentsById.values()].find(({ revisions }) => revisions.length > 0)?.id;
      return isAnywhere(engine, call) || agentId === undefined ? call : withBody(withPath(call, { agentId }), {});
    }),
    { 'requiredFields.createDrive': 'none' },
  ],
});

function isAnywhere(engine: Engine, call: Call): boolean {
  return organizationsOf(engine).some(({ agentsById }) => agentsById.has(idIn(call, 'agentId')));
}

export const stateOfAgents: readonly Mutant[] = [...published, ...unasked, ...unknownTargets];
