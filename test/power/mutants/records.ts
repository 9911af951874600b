import type { Organization } from '../../../src/domain/organizations.ts';
import type { Drive, DriveFile, McpServer, McpTool } from '../../../src/domain/resources.ts';
import type { Mutant } from '../mutant.ts';
import { changeJobIds, digits, endOfTimeMs, spoil, spoilFile, spoilLast, wrong } from './patch-records.ts';
import { changeAnswered, changeMoves, changeNew, drivesOf, mcpServersOf, organizationsOf } from './patch-store.ts';
import type { Break, Fields } from './rewrite.ts';
import { table } from './table.ts';

const agents = ({ agents: list }: Organization) => list;
const drives = ({ drives: list }: Organization) => list;
const mcpServers = ({ mcpServers: list }: Organization) => list;

const year10000Ms = Date.UTC(10_000, 0);

/** Stored agents that are none. */
const wrongAgents: readonly Mutant[] = table('shape', 'store', {
  'listAgents.no-null-fields: agent-description-null': [
    'An agent without a description is stored with null for it, and shows that.',
    (engine) => {
      for (const agent of organizationsOf(engine).flatMap((organization) => organization.agents.all())) {
        if (agent.description === undefined) spoil(agent, { description: null });
      }
    },
  ],
  'listAgents.field-types: agent-description-by-language': [
    'The description of the last agent is stored as an object with a text per language.',
    spoilLast(agents, ({ description = 'No description' }) => ({ description: { en: description } })),
  ],
  'listAgents.flags-are-booleans: agent-flag-as-number': [
    'hasChanges is stored as 1 or 0, and shown so until the agent is published.',
    (engine) => {
      for (const agent of organizationsOf(engine).flatMap((organization) => organization.agents.all())) {
        spoil(agent, { hasChanges: Number(agent.hasChanges) });
      }
    },
  ],
  'listAgents.timestamps-are-date-times: agent-updated-in-the-year-10000': [
    'The last agent was updated in the year 10000, which is written with five digits and a sign.',
    spoilLast(agents, () => ({ updatedAtMs: year10000Ms })),
  ],
  'listAgents.ids-are-strings: agent-id-stored-as-number': [
    'The id of the last agent is stored as a number; it is found by its digits all the same.',
    spoilLast(agents, ({ id }) => ({ id: Number(id) })),
    digits,
  ],
});

/** Stored drives that are none. */
const wrongDrives: readonly Mutant[] = table('shape', 'store', {
  'listDrives.ids-are-strings: drive-of-a-numbered-organization': [
    'Pages with an offset are cut from records in which organizationId is a number.',
    (engine) => {
      for (const { drives: list } of organizationsOf(engine)) {
        const page = list.page.bind(list);
        const numbered = new Map(
          list.all().map((drive) => [drive.id, Object.assign({ ...drive }, { organizationId: 7 })]),
        );
        list.page = (offset, limit) =>
          page(offset, limit).map((drive) => (offset > 0 ? (numbered.get(drive.id) ?? drive) : drive));
      }
    },
  ],
  'listDrives.field-types: drive-named-by-a-year': [
    'The name of the last drive was read from a file as the number 2027, and is stored as one.',
    spoilLast(drives, () => ({ name: 2027 })),
  ],
  'listDrives.no-null-fields: empty-drive-named-null': [
    'A drive without files, of before the start, is stored with null for its name.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        const empty = organization.drives.all().filter(({ id }) => organization.filesOf(id).size === 0);
        for (const drive of empty) spoil(drive, { name: null });
      }
    },
  ],
});

/** Stored MCP servers that are none. */
const wrongServers: readonly Mutant[] = table('shape', 'store', {
  'listMcpServers.type-values: server-of-another-type': [
    'The last MCP server of the start is stored with the type streamable-http.',
    spoilLast(mcpServers, () => ({ type: 'streamable-http' })),
  ],
  'listMcpServers.created-not-after-updated: server-updated-before-it-was-created': [
    'updatedAt of the last MCP server of the start is stored an hour before createdAt.',
    spoilLast(mcpServers, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 3_600_000 })),
  ],
  'listMcpServers.timestamps-are-date-times: server-updated-in-microseconds': [
    'updatedAt of the last MCP server is stored in microseconds, and shown as a day many thousand years ahead.',
    spoilLast(mcpServers, ({ updatedAtMs }) => ({ updatedAtMs: updatedAtMs * 1_000 })),
  ],
  'listMcpServers.ids-are-strings: server-id-stored-as-number': [
    'The id of the last MCP server is stored as a number; it is found by its digits all the same.',
    spoilLast(mcpServers, ({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'listMcpServers.no-null-fields: server-url-null': [
    'The last MCP server of the start is stored with null for its URL.',
    spoilLast(mcpServers, () => ({ url: null })),
  ],
  'listMcpServers.field-types: server-named-by-a-number': [
    'The name of the last MCP server of the start is stored as the number 3.',
    spoilLast(mcpServers, () => ({ name: 3 })),
  ],
});

/** Spoils the last tool of the last MCP server that offers any. The record is a new one: the seed keeps its own. */
function spoilTool(toValues: (tool: McpTool) => Fields): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      const server = organization.mcpServers.all().findLast(({ tools }) => tools.length > 0);
      const last = server?.tools.at(-1);
      if (server === undefined || last === undefined) continue;
      spoil(server, { tools: [...server.tools.slice(0, -1), { ...last, ...toValues(last) }] });
    }
  };
}

/** Stored tools that are none, and tools of nothing. */
const wrongTools: readonly Mutant[] = [
  ...table('shape', 'store', {
    'listMcpServerTools.field-types: tool-described-in-paragraphs': [
      'The description of the last tool of one MCP server is stored as an array of paragraphs.',
      spoilTool(({ description }) => ({ description: [description] })),
    ],
    'listMcpServerTools.no-null-fields: tool-description-null': [
      'The description of the last tool of one MCP server is stored as null.',
      spoilTool(() => ({ description: null })),
    ],
    'listMcpServerTools.body-is-json: tool-description-written-as-undefined': [
      'The last tool of one MCP server is stored without a description, and the body says undefined for it.',
      spoilTool(() => ({ description: undefined })),
    ],
  }),
  ...table('status', 'store', {
    'listMcpServerTools.unknown-server: unknown-server-without-tools': [
      'Looking for an MCP server that does not exist yields a blank one, which has no tools.',
      (engine) => {
        const all = organizationsOf(engine).map(({ mcpServersById }) => mcpServersById);
        for (const { mcpServersById } of organizationsOf(engine)) {
          const get = mcpServersById.get.bind(mcpServersById);
          const [model] = mcpServersById.values();
          const blankOf = (id: string) => (model === undefined ? undefined : { ...model, id, tools: [] });
          mcpServersById.get = (id) => get(id) ?? (all.some((map) => map.has(id)) ? undefined : blankOf(id));
        }
      },
    ],
  }),
];

/** Stored files that are none. */
const wrongFiles: readonly Mutant[] = table('shape', 'store', {
  'driveFile.strings > getDriveFile.field-types: file-type-in-parts': [
    'The content type of one file is stored as an object with type and subtype.',
    spoilFile(({ contentType }) => {
      const [type, subtype] = contentType.split('/');
      return { contentType: { type, subtype } };
    }),
  ],
  'driveFile.metadata > getDriveFile.field-types: file-metadata-as-list': [
    'The metadata of one file is stored as an array of keys and values.',
    spoilFile(
      ({ metadata = {} }) => ({ metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })) }),
      ({ metadata }) => metadata !== undefined,
    ),
  ],
  'getDriveFile.ids-are-strings: file-id-stored-as-number': [
    'The id of one file is stored as a number; it is found by its digits all the same.',
    spoilFile(({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'getDriveFile.no-null-fields: file-summary-null': [
    'One file that nobody has summarized is stored with null for its summary, and shows that.',
    spoilFile(
      () => ({ summary: null }),
      ({ summary }) => summary === undefined,
    ),
  ],
  'getDriveFile.status-values: file-has-status-archived': [
    'One file is stored with the status archived.',
    spoilFile(() => ({ status: 'archived' })),
  ],
});

/** A change of what a move is answered with. */
function answered(change: (file: Fields) => Fields): Break {
  return (engine) => changeMoves((moved) => ({ answered: change({ ...moved }) as Partial<DriveFile> }))(engine);
}

/** Answers to moves, from records that are none. */
const wrongMoves: readonly Mutant[] = table('shape', 'store', {
  'updateDriveFile.status-values: moved-file-has-status-moved': [
    'The record of a file has the status moved while it is moved, and the answer shows it.',
    answered(() => ({ status: 'moved' })),
  ],
  'driveFile.size > updateDriveFile.field-types: moved-file-of-half-a-byte': [
    'The size in the record that a move is answered with is no whole number.',
    answered(({ sizeBytes }) => ({ sizeBytes: Number(sizeBytes) + 0.5 })),
  ],
  'updateDriveFile.ids-are-strings: moved-file-id-as-number': [
    'The record that a move is answered with has a number for the id of the file.',
    answered(({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'updateDriveFile.no-null-fields: moved-file-described-by-null': [
    'Where a file has no description, the record that its move is answered with has null for it.',
    answered(({ description }) => ({ description: description ?? null })),
  ],
  'updateDriveFile.file-path-starts-with-slash: moved-file-path-without-slash': [
    'The record that a move is answered with has the new path without its first slash.',
    answered(({ path }) => ({ path: String(path).slice(1) })),
  ],
});

/** Jobs of tree deletions whose ids are none. */
const wrongJobs: readonly Mutant[] = table('shape', 'store', {
  'deleteDriveTree.ids-are-strings: deletion-job-as-number': [
    'The store gives jobs numbers for their ids.',
    changeJobIds(() => 40_117),
  ],
  'deleteDriveTree.no-null-fields: every-second-deletion-job-null': [
    'Every second tree deletion comes to a queue that is busy, and its job has null for an id.',
    (engine) => {
      let count = 0;
      changeJobIds((id) => (++count % 2 === 0 ? null : id))(engine);
    },
  ],
});

/** Changes the record that the creation of a drive is answered with. The list shows the drive as it should be. */
function answeredDrive(change: (drive: Drive) => Fields): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      changeAnswered(drivesOf(organization), (drive) => wrong(change(drive)));
    }
  };
}

/** The same for MCP servers. */
function answeredServer(change: (server: McpServer) => Fields): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      changeAnswered(mcpServersOf(organization), (server) => wrong(change(server)));
    }
  };
}

/** New drives whose records are none. */
const wrongNewDrives: readonly Mutant[] = table('shape', 'store', {
  'createDrive.field-types: created-drive-name-in-parts': [
    'The record that the creation of a drive is answered with has the name as an array of its words.',
    answeredDrive(({ name }) => ({ name: name.split(' ') })),
  ],
  'createDrive.created-at-is-recent: created-drive-of-1970': [
    'The record that the creation of a drive is answered with has seconds for milliseconds in createdAt.',
    answeredDrive(({ createdAtMs }) => ({ createdAtMs: Math.floor(createdAtMs / 1_000) })),
  ],
  'createDrive.timestamps-are-date-times: created-drive-updated-at-the-end-of-time': [
    'updatedAt of a new drive is the latest time that there is, of which no date-time can tell.',
    answeredDrive(() => ({ updatedAtMs: endOfTimeMs })),
  ],
  'createDrive.ids-are-strings: created-drive-id-as-number': [
    'The record that the creation of a drive is answered with has a number for its id.',
    answeredDrive(({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'createDrive.no-null-fields: created-drive-with-emoji-named-null': [
    'Where the name of a new drive holds an emoji, the record that is answered has null for it.',
    answeredDrive(({ name }) => (/\p{Emoji_Presentation}/u.test(name) ? { name: null } : {})),
  ],
});

/** New MCP servers whose records are none. */
const wrongNewServers: readonly Mutant[] = table('shape', 'store', {
  'createMcpServer.field-types: created-server-url-in-parts': [
    'The record that a registration is answered with has an object with href and host for the URL.',
    answeredServer(({ url }) => {
      const { href, host } = new URL(url);
      return { url: { href, host } };
    }),
  ],
  'createMcpServer.timestamps-are-date-times: created-server-updated-in-microseconds': [
    'updatedAt of a new MCP server is taken from a clock of microseconds, and lies thousands of years ahead.',
    answeredServer(({ updatedAtMs }) => ({ updatedAtMs: updatedAtMs * 1_000 })),
  ],
  'createMcpServer.ids-are-strings: created-server-id-as-number': [
    'The record that a registration is answered with has a number for the id of the MCP server.',
    answeredServer(({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'createMcpServer.no-null-fields: created-server-type-null': [
    'The record that a registration is answered with has null for the type, which is chosen a moment later.',
    answeredServer(() => ({ type: null })),
  ],
  'createMcpServer.type-values: created-server-of-type-http': [
    'A new MCP server is stored with the type http.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeNew(mcpServersOf(organization), () => wrong({ type: 'http' }));
      }
    },
  ],
});

/** Mutants whose store holds wrong records: values of another type, or values that the field may not have. */
export const records: readonly Mutant[] = [
  ...wrongAgents,
  ...wrongDrives,
  ...wrongServers,
  ...wrongTools,
  ...wrongFiles,
  ...wrongMoves,
  ...wrongJobs,
  ...wrongNewDrives,
  ...wrongNewServers,
];
