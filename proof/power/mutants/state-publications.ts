import type { Organization } from '../../../src/domain/organizations.ts';
import type { Agent } from '../../../src/domain/resources.ts';
import type { Break, Engine, Mutant } from '../mutant.ts';
import { changeCalls, idIn, sentField } from './patch.ts';
import { agents, changeListed, inEach, organizationsOf, replaceAgent, sequence, unpublishAll } from './patch-store.ts';
import { table } from './table.ts';

/** Does something more with each publication. */
function withPublication(
  act: (published: Agent, earlier: Agent, organization: Organization, engine: Engine) => void,
): Break {
  return inEach((organization, engine) => {
    const replace = organization.agents.replace.bind(organization.agents);
    let isFollowing = false;
    organization.agents.replace = (earlier, published) => {
      replace(earlier, published);
      if (isFollowing) return;
      isFollowing = true;
      act(published, earlier, organization, engine);
      isFollowing = false;
    };
  });
}

/** What else a publication does. */
export const stateOfPublications: readonly Mutant[] = [
  ...table('state', 'store', {
    'publishAgentRevision.activates-only-its-agent: a-publication-turns-the-changes-of-another-agent-round': [
      'A publication turns hasChanges of another agent round.',
      withPublication((published, _, organization) => {
        const other = organization.agents.all().find(({ id }) => id !== published.id);
        if (other !== undefined) replaceAgent(organization, other, { hasChanges: !other.hasChanges });
      }),
    ],
    'publishAgentRevision.other-organization-unchanged: a-publication-publishes-agents-of-others': [
      'A publication marks the agents of all other organizations as published.',
      sequence(
        unpublishAll,
        withPublication(({ activeRevisionId = '' }, _, organization, engine) => {
          for (const other of organizationsOf(engine).filter((one) => one !== organization))
            for (const agent of other.agents.all()) replaceAgent(other, agent, { activeRevisionId });
        }),
      ),
    ],
    'publishAgentRevision.rest-of-agent-kept: a-publication-renews-the-agent': [
      'After a publication createdAt of the agent is the time of the publication.',
      withPublication((published, _, organization) => {
        const createdAtMs = organization.runtime.clock.nowMs();
        replaceAgent(organization, published, { createdAtMs, updatedAtMs: createdAtMs });
      }),
    ],
    'publishAgentRevision.rest-of-agent-kept: a-publication-takes-the-name-away': [
      'After a publication the name of the agent is empty.',
      withPublication((published, _, organization) => replaceAgent(organization, published, { name: '' })),
    ],
    'publishAgentRevision.agent-stays-published: a-second-publication-is-a-switch': [
      'The publication of the active revision takes it away.',
      withPublication((published, earlier, organization) => {
        const isAgain = published.activeRevisionId === earlier.activeRevisionId;
        if (isAgain) replaceAgent(organization, published, { activeRevisionId: undefined });
      }),
    ],
    'publishAgentRevision.agent-stays-published: a-registration-unpublishes-all-agents': [
      'The registration of an MCP server takes the active revisions of all agents away.',
      inEach((organization) => {
        const { mcpServers } = organization;
        const add = mcpServers.add.bind(mcpServers);
        mcpServers.add = (server) => {
          add(server);
          for (const agent of organization.agents.all())
            replaceAgent(organization, agent, { activeRevisionId: undefined });
        };
      }),
    ],
    'publishAgentRevision.makes-no-agent: a-publication-copies-the-agent': [
      'A publication adds a copy of the agent with an id of its own.',
      withPublication((published, _, organization) =>
        organization.agents.add({ ...published, id: organization.ids('agent') }),
      ),
    ],
    'publishAgentRevision.agent-stays-listed: published-agents-move-to-another-list': [
      'GET /agents lists no agent that was published since the start.',
      (engine) => {
        const started = new Map(
          organizationsOf(engine).flatMap(({ agents: list }) =>
            list.all().map(({ id, activeRevisionId }) => [id, activeRevisionId] as const),
          ),
        );
        changeListed(agents, (all) => all.filter((agent) => started.get(agent.id) === agent.activeRevisionId))(engine);
      },
    ],
  }),
  ...table('state', 'engine', {
    'publishAgentRevision.revision-of-another-agent: revisions-are-found-without-their-agent': [
      'A revision is looked up by its id in all agents of the organization.',
      changeCalls('publishAgentRevision', (call, caller) => {
        const agent = caller.agentsById.get(idIn(call, 'agentId'));
        const id = sentField(call, 'revisionId');
        const all = [...caller.agentsById.values()].flatMap(({ revisions }) => revisions);
        const found = all.find((revision) => revision.id === id);
        if (agent === undefined || found === undefined || agent.revisions.includes(found)) return call;
        replaceAgent(caller, agent, { revisions: [...agent.revisions, found] });
        return call;
      }),
    ],
  }),
];
