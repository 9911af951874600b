import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { changeLast, changeListed, type Listed, mcpServersOf, organizationsOf, replaceAgent } from './patch-store.ts';

const state = { class: 'state', place: 'store' } as const;
const knownAgent = { ...state, requirement: 'listAgents.shows-known-agent', check: 'listAgents.known-agent' } as const;
const knownDrive = { ...state, requirement: 'listDrives.shows-known-drive', check: 'listDrives.known-drive' } as const;
const knownServer = {
  ...state,
  requirement: 'listMcpServers.shows-known-server',
  check: 'listMcpServers.known-server',
} as const;
const ids = { ...state, requirement: 'ids.tell-resources-apart' } as const;
const times = { ...state, requirement: 'timestamps.created-before-updated' } as const;

/** Lists only what `isShown` says, in every organization. */
function showOnly<T extends Listed>(
  engine: Engine,
  listOf: (organization: Organization) => OrderedList<T>,
  isShown: (record: T, organization: Organization) => boolean,
): void {
  for (const organization of organizationsOf(engine)) {
    changeListed(listOf(organization), (all) => all.filter((record) => isShown(record, organization)));
  }
}

const agents = ({ agents: list }: Organization) => list;
const drives = ({ drives: list }: Organization) => list;
const mcpServers = ({ mcpServers: list }: Organization) => list;

/** Resources that are there and in no list. */
const missing: readonly Mutant[] = [
  {
    id: 'agents-with-revisions-are-not-listed',
    ...knownAgent,
    fault: 'GET /agents lists only agents that have no revision.',
    break: (engine) => showOnly(engine, agents, ({ revisions }) => revisions.length === 0),
  },
  {
    id: 'the-list-of-agents-is-empty',
    ...knownAgent,
    fault: 'GET /agents lists nothing.',
    break: (engine) => showOnly(engine, agents, () => false),
  },
  {
    id: 'drives-with-files-are-not-listed',
    ...knownDrive,
    fault: 'GET /drives lists only drives without files.',
    break: (engine) => showOnly(engine, drives, ({ id }, organization) => organization.filesOf(id).size === 0),
  },
  {
    id: 'only-new-drives-are-listed',
    ...knownDrive,
    fault: 'GET /drives lists only drives that were created since the start.',
    break: (engine) => {
      const startedMs = engine.world.clock.nowMs();
      showOnly(engine, drives, ({ createdAtMs }) => createdAtMs >= startedMs);
    },
  },
  {
    id: 'mcp-servers-with-tools-are-not-listed',
    ...knownServer,
    fault: 'GET /mcp-servers lists only MCP servers that offer no tools.',
    break: (engine) => showOnly(engine, mcpServers, ({ tools }) => tools.length === 0),
  },
  {
    id: 'only-new-mcp-servers-are-listed',
    ...knownServer,
    fault: 'GET /mcp-servers lists only MCP servers registered within the last hour.',
    break: (engine) => {
      const { clock } = engine.world;
      showOnly(engine, mcpServers, ({ createdAtMs }) => createdAtMs > clock.nowMs() - 3_600_000);
    },
  },
  {
    id: 'the-list-of-mcp-servers-ends-at-twenty',
    ...state,
    requirement: 'listMcpServers.shows-created-server',
    check: 'listMcpServers.created-server',
    fault: 'GET /mcp-servers lists the first 20 MCP servers only, and there are as many from the start.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        fillUp(organization, 20);
        changeListed(organization.mcpServers, (all) => all.slice(0, 20));
      }
    },
  },
];

// Further MCP servers with the tools of the first, as if they had always been there.
function fillUp(organization: Organization, count: number): void {
  const { byId, list } = mcpServersOf(organization);
  const [model] = byId.values();
  for (let number = byId.size; model !== undefined && number < count; number++) {
    const server = { ...model, id: organization.ids('mcpServer'), name: `Mirror ${number}` };
    byId.set(server.id, server);
    list.add(server);
  }
}

/** Ids that stand twice in a list. */
const sameIds: readonly Mutant[] = [
  {
    id: 'the-last-two-agents-have-one-id',
    ...ids,
    check: 'listAgents.ids-differ',
    fault: 'The last agent of the list has the id of the one before it.',
    break: (engine) => {
      for (const { agents: list } of organizationsOf(engine)) {
        changeLast(list, ({ id }, all) => ({ id: all.at(-2)?.id ?? id }));
      }
    },
  },
  {
    id: 'the-first-agent-is-listed-twice',
    ...ids,
    check: 'listAgents.ids-differ',
    fault: 'The first agent stands once more at the end of the list.',
    break: (engine) => {
      for (const { agents: list } of organizationsOf(engine)) {
        changeListed(list, (all) => [...all, ...all.slice(0, 1)]);
      }
    },
  },
  {
    id: 'the-last-two-drives-have-one-id',
    ...ids,
    check: 'listDrives.ids-differ',
    fault: 'The last drive of the list has the id of the one before it.',
    break: (engine) => {
      for (const { drives: list } of organizationsOf(engine)) {
        changeLast(list, ({ id }, all) => ({ id: all.at(-2)?.id ?? id }));
      }
    },
  },
  {
    id: 'the-last-two-mcp-servers-have-one-id',
    ...ids,
    check: 'listMcpServers.ids-differ',
    fault: 'The last MCP server of the list has the id of the one before it.',
    break: (engine) => {
      for (const { mcpServers: list } of organizationsOf(engine)) {
        changeLast(list, ({ id }, all) => ({ id: all.at(-2)?.id ?? id }));
      }
    },
  },
  {
    id: 'the-first-mcp-server-is-listed-twice',
    ...ids,
    check: 'listMcpServers.ids-differ',
    fault: 'The first MCP server stands once more at the end of the list.',
    break: (engine) => {
      for (const { mcpServers: list } of organizationsOf(engine)) {
        changeListed(list, (all) => [...all, ...all.slice(0, 1)]);
      }
    },
  },
];

const oneSecond = 1_000;

/** Resources that were updated before they were created. */
const beforeTheirTime: readonly Mutant[] = [
  {
    id: 'the-last-agent-was-updated-before-it-was-created',
    ...times,
    check: 'listAgents.created-not-after-updated',
    fault: 'updatedAt of the last agent of the list lies a second before its createdAt.',
    break: (engine) => {
      for (const { agents: list } of organizationsOf(engine)) {
        changeLast(list, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - oneSecond }));
      }
    },
  },
  {
    id: 'a-publication-dates-the-agent-back',
    ...times,
    check: 'listAgents.created-not-after-updated',
    fault: 'After a publication updatedAt of the agent lies a day before its createdAt.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        const replace = organization.agents.replace.bind(organization.agents);
        organization.agents.replace = (earlier, agent) =>
          replace(earlier, { ...agent, updatedAtMs: agent.createdAtMs - 86_400_000 });
      }
    },
  },
  {
    id: 'unpublished-agents-were-never-updated',
    ...times,
    check: 'listAgents.created-not-after-updated',
    fault: 'updatedAt of an agent that was never published is the beginning of 1970.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        for (const agent of organization.agents.all()) {
          if (agent.activeRevisionId === undefined) replaceAgent(organization, agent, { updatedAtMs: 0 });
        }
      }
    },
  },
  {
    id: 'the-last-drive-was-updated-before-it-was-created',
    ...times,
    check: 'listDrives.created-not-after-updated',
    fault: 'updatedAt of the last drive of the list lies a millisecond before its createdAt.',
    break: (engine) => {
      for (const { drives: list } of organizationsOf(engine)) {
        changeLast(list, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 1 }));
      }
    },
  },
  {
    id: 'the-last-mcp-server-was-updated-before-it-was-created',
    ...times,
    check: 'listMcpServers.created-not-after-updated',
    fault: 'updatedAt of the last MCP server of the list lies a millisecond before its createdAt.',
    break: (engine) => {
      for (const { mcpServers: list } of organizationsOf(engine)) {
        changeLast(list, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 1 }));
      }
    },
  },
];

export const stateOfLists: readonly Mutant[] = [...missing, ...sameIds, ...beforeTheirTime];
