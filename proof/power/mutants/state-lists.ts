import type { Organization } from '../../../src/domain/organizations.ts';
import type { Break, Mutant } from '../mutant.ts';
import {
  agents,
  changeLast,
  changeListed,
  drives,
  inEach,
  type Listed,
  mcpServers,
  replaceAgent,
  type ShelfOf,
  sequence,
} from './patch-store.ts';
import { table } from './table.ts';

/** Lists only what `isShown` says, in every organization. */
function showOnly<T extends Listed>(
  shelfOf: ShelfOf<T>,
  isShown: (record: T, organization: Organization) => boolean,
): Break {
  return changeListed(shelfOf, (all, organization) => all.filter((record) => isShown(record, organization)));
}

/** Resources that are there and in no list. */
const missing: readonly Mutant[] = table('state', 'store', {
  'listAgents.known-agent: agents-with-revisions-are-not-listed': [
    'GET /agents lists only agents that have no revision.',
    showOnly(agents, ({ revisions }) => revisions.length === 0),
  ],
  'listAgents.known-agent: the-list-of-agents-is-empty': ['GET /agents lists nothing.', showOnly(agents, () => false)],

  'listDrives.known-drive: drives-with-files-are-not-listed': [
    'GET /drives lists only drives without files.',
    showOnly(drives, ({ id }, organization) => organization.filesOf(id).size === 0),
  ],
  'listDrives.known-drive: only-new-drives-are-listed': [
    'GET /drives lists only drives that were created since the start.',
    (engine) => {
      const startedMs = engine.runtime.clock.nowMs();
      showOnly(drives, ({ createdAtMs }) => createdAtMs >= startedMs)(engine);
    },
  ],
  'listMcpServers.known-server: mcp-servers-with-tools-are-not-listed': [
    'GET /mcp-servers lists only MCP servers that offer no tools.',
    showOnly(mcpServers, ({ tools }) => tools.length === 0),
  ],
  'listMcpServers.known-server: only-new-mcp-servers-are-listed': [
    'GET /mcp-servers lists only MCP servers registered within the last hour.',
    showOnly(mcpServers, ({ createdAtMs }, { runtime }) => createdAtMs > runtime.clock.nowMs() - 3_600_000),
  ],
  'listMcpServers.created-server: the-list-of-mcp-servers-ends-at-twenty': [
    'GET /mcp-servers lists the first 20 MCP servers only, and there are as many from the start.',
    sequence(
      fillUp(20),
      changeListed(mcpServers, (all) => all.slice(0, 20)),
    ),
  ],
});

// Further MCP servers with the tools of the first, as if they had always been there.
function fillUp(count: number): Break {
  return inEach((organization) => {
    const { byId, list } = mcpServers(organization);
    const [model] = byId.values();
    for (let number = byId.size; model !== undefined && number < count; number++) {
      const server = { ...model, id: organization.ids('mcpServer'), name: `Mirror ${number}` };
      byId.set(server.id, server);
      list.add(server);
    }
  });
}

/** Shows the last record with the id of the one before it. */
function repeatLastId<T extends Listed>(shelfOf: ShelfOf<T>): Break {
  return changeLast(shelfOf, ({ id }, all) => ({ id: all.at(-2)?.id ?? id }));
}

/** Shows the first record once more at the end. */
function repeatFirst<T extends Listed>(shelfOf: ShelfOf<T>): Break {
  return changeListed(shelfOf, (all) => [...all, ...all.slice(0, 1)]);
}

/** Shows the last record as updated so long before its creation. */
function dateLastBack<T extends Listed>(shelfOf: ShelfOf<T>, byMs: number): Break {
  return changeLast(shelfOf, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - byMs }));
}

/** Ids that stand twice in a list. */
const sameIds: readonly Mutant[] = table('state', 'store', {
  'listAgents.ids-differ: the-last-two-agents-have-one-id': [
    'The last agent of the list has the id of the one before it.',
    repeatLastId(agents),
  ],
  'listAgents.ids-differ: the-first-agent-is-listed-twice': [
    'The first agent stands once more at the end of the list.',
    repeatFirst(agents),
  ],
  'listDrives.ids-differ: the-last-two-drives-have-one-id': [
    'The last drive of the list has the id of the one before it.',
    repeatLastId(drives),
  ],
  'listMcpServers.ids-differ: the-last-two-mcp-servers-have-one-id': [
    'The last MCP server of the list has the id of the one before it.',
    repeatLastId(mcpServers),
  ],
  'listMcpServers.ids-differ: the-first-mcp-server-is-listed-twice': [
    'The first MCP server stands once more at the end of the list.',
    repeatFirst(mcpServers),
  ],
});

/** Resources that were updated before they were created. */
const beforeTheirTime: readonly Mutant[] = table('state', 'store', {
  'listAgents.created-not-after-updated: the-last-agent-was-updated-before-it-was-created': [
    'updatedAt of the last agent of the list lies a second before its createdAt.',
    dateLastBack(agents, 1_000),
  ],
  'listAgents.created-not-after-updated: a-publication-dates-the-agent-back': [
    'After a publication updatedAt of the agent lies a day before its createdAt.',
    inEach(({ agents: list }) => {
      const replace = list.replace.bind(list);
      list.replace = (earlier, agent) => replace(earlier, { ...agent, updatedAtMs: agent.createdAtMs - 86_400_000 });
    }),
  ],
  'listAgents.created-not-after-updated: unpublished-agents-were-never-updated': [
    'updatedAt of an agent that was never published is the beginning of 1970.',
    inEach((organization) => {
      for (const agent of organization.agents.all()) {
        if (agent.activeRevisionId === undefined) replaceAgent(organization, agent, { updatedAtMs: 0 });
      }
    }),
  ],
  'listDrives.created-not-after-updated: the-last-drive-was-updated-before-it-was-created': [
    'updatedAt of the last drive of the list lies a millisecond before its createdAt.',
    dateLastBack(drives, 1),
  ],
  'listMcpServers.created-not-after-updated: the-last-mcp-server-was-updated-before-it-was-created': [
    'updatedAt of the last MCP server of the list lies a millisecond before its createdAt.',
    dateLastBack(mcpServers, 1),
  ],
});

export const stateOfLists: readonly Mutant[] = [...missing, ...sameIds, ...beforeTheirTime];
