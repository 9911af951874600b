import type { Organization } from '../../../src/domain/organizations.ts';
import type { McpTool } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { digits, type StoredFault, spoil, spoilLast } from './patch-records.ts';
import { organizationsOf } from './patch-store.ts';
import type { Fields } from './rewrite.ts';

const agents = ({ agents: list }: Organization) => list;
const drives = ({ drives: list }: Organization) => list;
const mcpServers = ({ mcpServers: list }: Organization) => list;

const year10000Ms = Date.UTC(10_000, 0);

/** Stored agents that are none. */
const wrongAgents: readonly StoredFault[] = [
  {
    id: 'agent-description-null',
    requirement: 'types.null-is-none-of-them',
    check: 'listAgents.no-null-fields',
    fault: 'An agent without a description is stored with null for it, and shows that.',
    break: (engine) => {
      for (const agent of organizationsOf(engine).flatMap((organization) => organization.agents.all())) {
        if (agent.description === undefined) spoil(agent, { description: null });
      }
    },
  },
  {
    id: 'agent-description-by-language',
    requirement: 'agent.strings',
    check: 'listAgents.field-types',
    fault: 'The description of the last agent is stored as an object with a text per language.',
    break: (engine) =>
      spoilLast(engine, agents, ({ description = 'No description' }) => ({ description: { en: description } })),
  },
  {
    id: 'agent-flag-as-number',
    requirement: 'agent.flags-are-booleans',
    check: 'listAgents.flags-are-booleans',
    fault: 'hasChanges is stored as 1 or 0, and shown so until the agent is published.',
    break: (engine) => {
      for (const agent of organizationsOf(engine).flatMap((organization) => organization.agents.all())) {
        spoil(agent, { hasChanges: Number(agent.hasChanges) });
      }
    },
  },
  {
    id: 'agent-updated-in-the-year-10000',
    requirement: 'timestamps.are-date-times',
    check: 'listAgents.timestamps-are-date-times',
    fault: 'The last agent was updated in the year 10000, which is written with five digits and a sign.',
    break: (engine) => spoilLast(engine, agents, () => ({ updatedAtMs: year10000Ms })),
  },
  {
    id: 'agent-id-stored-as-number',
    requirement: 'ids.are-strings',
    check: 'listAgents.ids-are-strings',
    fault: 'The id of the last agent is stored as a number; it is found by its digits all the same.',
    profile: digits,
    break: (engine) => spoilLast(engine, agents, ({ id }) => ({ id: Number(id) })),
  },
];

/** Stored drives that are none. */
const wrongDrives: readonly StoredFault[] = [
  {
    id: 'drive-of-a-numbered-organization',
    requirement: 'ids.are-strings',
    check: 'listDrives.ids-are-strings',
    fault: 'Pages with an offset are cut from records in which organizationId is a number.',
    break: (engine) => {
      for (const { drives: list } of organizationsOf(engine)) {
        const page = list.page.bind(list);
        const numbered = new Map(
          list.all().map((drive) => [drive.id, Object.assign({ ...drive }, { organizationId: 7 })]),
        );
        list.page = (offset, limit) =>
          page(offset, limit).map((drive) => (offset > 0 ? (numbered.get(drive.id) ?? drive) : drive));
      }
    },
  },
  {
    id: 'drive-named-by-a-year',
    requirement: 'drive.name',
    check: 'listDrives.field-types',
    fault: 'The name of the last drive was read from a file as the number 2027, and is stored as one.',
    break: (engine) => spoilLast(engine, drives, () => ({ name: 2027 })),
  },
  {
    id: 'empty-drive-named-null',
    requirement: 'types.null-is-none-of-them',
    check: 'listDrives.no-null-fields',
    fault: 'A drive without files, of before the start, is stored with null for its name.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        const empty = organization.drives.all().filter(({ id }) => organization.filesOf(id).size === 0);
        for (const drive of empty) spoil(drive, { name: null });
      }
    },
  },
];

/** Stored MCP servers that are none. */
const wrongServers: readonly StoredFault[] = [
  {
    id: 'server-of-another-type',
    requirement: 'mcpServer.type-values',
    check: 'listMcpServers.type-values',
    fault: 'The last MCP server of the start is stored with the type streamable-http.',
    break: (engine) => spoilLast(engine, mcpServers, () => ({ type: 'streamable-http' })),
  },
  {
    id: 'server-updated-before-it-was-created',
    requirement: 'timestamps.created-before-updated',
    check: 'listMcpServers.created-not-after-updated',
    fault: 'updatedAt of the last MCP server of the start is stored an hour before createdAt.',
    break: (engine) => spoilLast(engine, mcpServers, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 3_600_000 })),
  },
  {
    id: 'server-updated-in-microseconds',
    requirement: 'timestamps.are-date-times',
    check: 'listMcpServers.timestamps-are-date-times',
    fault: 'updatedAt of the last MCP server is stored in microseconds, and shown as a day many thousand years ahead.',
    break: (engine) => spoilLast(engine, mcpServers, ({ updatedAtMs }) => ({ updatedAtMs: updatedAtMs * 1_000 })),
  },
  {
    id: 'server-id-stored-as-number',
    requirement: 'ids.are-strings',
    check: 'listMcpServers.ids-are-strings',
    fault: 'The id of the last MCP server is stored as a number; it is found by its digits all the same.',
    profile: digits,
    break: (engine) => spoilLast(engine, mcpServers, ({ id }) => ({ id: Number(id) })),
  },
  {
    id: 'server-url-null',
    requirement: 'types.null-is-none-of-them',
    check: 'listMcpServers.no-null-fields',
    fault: 'The last MCP server of the start is stored with null for its URL.',
    break: (engine) => spoilLast(engine, mcpServers, () => ({ url: null })),
  },
  {
    id: 'server-named-by-a-number',
    requirement: 'mcpServer.strings',
    check: 'listMcpServers.field-types',
    fault: 'The name of the last MCP server of the start is stored as the number 3.',
    break: (engine) => spoilLast(engine, mcpServers, () => ({ name: 3 })),
  },
];

/** Spoils the last tool of the last MCP server that offers any. The record is a new one: the seed keeps its own. */
function spoilTool(engine: Engine, toValues: (tool: McpTool) => Fields): void {
  for (const organization of organizationsOf(engine)) {
    const server = organization.mcpServers.all().findLast(({ tools }) => tools.length > 0);
    const last = server?.tools.at(-1);
    if (server === undefined || last === undefined) continue;
    spoil(server, { tools: [...server.tools.slice(0, -1), { ...last, ...toValues(last) }] });
  }
}

/** Stored tools that are none, and tools of nothing. */
const wrongTools: readonly StoredFault[] = [
  {
    id: 'tool-described-in-paragraphs',
    requirement: 'mcpTool.strings',
    check: 'listMcpServerTools.field-types',
    fault: 'The description of the last tool of one MCP server is stored as an array of paragraphs.',
    break: (engine) => spoilTool(engine, ({ description }) => ({ description: [description] })),
  },
  {
    id: 'tool-description-null',
    requirement: 'types.null-is-none-of-them',
    check: 'listMcpServerTools.no-null-fields',
    fault: 'The description of the last tool of one MCP server is stored as null.',
    break: (engine) => spoilTool(engine, () => ({ description: null })),
  },
  {
    id: 'tool-description-written-as-undefined',
    requirement: 'bodies.answers-are-json',
    check: 'listMcpServerTools.body-is-json',
    fault: 'The last tool of one MCP server is stored without a description, and the body says undefined for it.',
    break: (engine) => spoilTool(engine, () => ({ description: undefined })),
  },
  {
    id: 'unknown-server-without-tools',
    class: 'status',
    requirement: 'listMcpServerTools.unknown-server-is-404',
    check: 'listMcpServerTools.unknown-server',
    fault: 'Looking for an MCP server that does not exist yields a blank one, which has no tools.',
    break: (engine) => {
      const all = organizationsOf(engine).map(({ mcpServersById }) => mcpServersById);
      for (const { mcpServersById } of organizationsOf(engine)) {
        const get = mcpServersById.get.bind(mcpServersById);
        const [model] = mcpServersById.values();
        const blankOf = (id: string) => (model === undefined ? undefined : { ...model, id, tools: [] });
        mcpServersById.get = (id) => get(id) ?? (all.some((map) => map.has(id)) ? undefined : blankOf(id));
      }
    },
  },
];

export const recordsInLists: readonly StoredFault[] = [...wrongAgents, ...wrongDrives, ...wrongServers, ...wrongTools];
