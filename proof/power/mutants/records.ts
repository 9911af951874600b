import type { Ids } from '../../../src/domain/ids.ts';
import type { Drive, DriveFile, McpTool } from '../../../src/domain/resources.ts';
import type { Break, Mutant } from '../mutant.ts';
import {
  agents,
  changeAnswered,
  changeMoves,
  changeNew,
  drives,
  filesIn,
  idsOf,
  inEach,
  type Listed,
  mcpServers,
  type ShelfOf,
} from './patch-store.ts';
import type { Fields } from './rewrite.ts';
import { table } from './table.ts';

/** Ids of digits: a store could keep them as numbers. */
const digits = { idFormat: 'numeric' } as const;

const year10000Ms = Date.UTC(10_000, 0);

/** Latest time that there is. */
const endOfTimeMs = 8_640_000_000_000_000;

/**
 * Puts into stored records what their type does not allow, before they are shown for the first time. `values` may be
 * undefined for a record that stays as it is.
 */
function spoil<T extends Listed>(shelfOf: ShelfOf<T>, toValues: (record: T) => Fields | undefined): Break {
  return inEach((organization) => {
    for (const record of shelfOf(organization).list.all()) Object.assign(record, toValues(record));
  });
}

/** The same for the last record of each organization. */
function spoilLast<T extends Listed>(shelfOf: ShelfOf<T>, toValues: (record: T) => Fields): Break {
  return inEach((organization) => {
    const last = shelfOf(organization).list.all().at(-1);
    if (last !== undefined) Object.assign(last, toValues(last));
  });
}

/** The same for one file of each organization: the last one that is meant. */
function spoilFile(toValues: (file: DriveFile) => Fields, isMeant: (file: DriveFile) => boolean = () => true): Break {
  return inEach((organization) => {
    const files = organization.drives.all().flatMap(({ id }) => filesIn(organization.ownFilesOf(id)));
    const file = files.findLast(isMeant);
    if (file !== undefined) Object.assign(file, toValues(file));
  });
}

/** Gives jobs other ids, or what is none. */
function changeJobIds(change: (id: string) => unknown): Break {
  return inEach((organization) => {
    const { ids } = organization;
    const changed = (kind: Parameters<Ids>[0]) => (kind === 'job' ? change(ids(kind)) : ids(kind));
    Object.defineProperty(organization, 'ids', { value: changed });
  });
}

/** Stored agents that are none. */
const wrongAgents: readonly Mutant[] = table('shape', 'store', {
  'listAgents.no-null-fields: agent-description-null': [
    'An agent without a description is stored with null for it, and shows that.',
    spoil(agents, ({ description }) => (description === undefined ? { description: null } : undefined)),
  ],
  'listAgents.field-types: agent-description-by-language': [
    'The description of the last agent is stored as an object with a text per language.',
    spoilLast(agents, ({ description = 'No description' }) => ({ description: { en: description } })),
  ],
  'listAgents.flags-are-booleans: agent-flag-as-number': [
    'hasChanges is stored as 1 or 0, and shown so until the agent is published.',
    spoil(agents, ({ hasChanges }) => ({ hasChanges: Number(hasChanges) })),
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
    inEach(({ drives: list }) => {
      const page = list.page.bind(list);
      const numbered = new Map(
        list.all().map((drive) => [drive.id, Object.assign({ ...drive }, { organizationId: 7 })]),
      );
      list.page = (offset, limit) =>
        page(offset, limit).map((drive) => (offset > 0 ? (numbered.get(drive.id) ?? drive) : drive));
    }),
  ],
  'listDrives.field-types: drive-named-by-a-year': [
    'The name of the last drive was read from a file as the number 2027, and is stored as one.',
    spoilLast(drives, () => ({ name: 2027 })),
  ],
  'listDrives.no-null-fields: empty-drive-named-null': [
    'A drive without files, of before the start, is stored with null for its name.',
    (engine) => {
      const isEmpty = ({ id }: Drive) => engine.store.organizations.every((one) => one.filesOf(id).size === 0);
      spoil(drives, (drive) => (isEmpty(drive) ? { name: null } : undefined))(engine);
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
  return inEach(({ mcpServers: list }) => {
    const server = list.all().findLast(({ tools }) => tools.length > 0);
    const last = server?.tools.at(-1);
    if (server === undefined || last === undefined) return;
    Object.assign(server, { tools: [...server.tools.slice(0, -1), { ...last, ...toValues(last) }] });
  });
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
  }),
  ...table('status', 'store', {
    'listMcpServerTools.unknown-server: unknown-server-without-tools': [
      'Looking for an MCP server that does not exist yields a blank one, which has no tools.',
      inEach(({ mcpServersById }, engine) => {
        const get = mcpServersById.get.bind(mcpServersById);
        const [model] = mcpServersById.values();
        const blankOf = (id: string) => (model === undefined ? undefined : { ...model, id, tools: [] });
        mcpServersById.get = (id) => get(id) ?? (idsOf(engine, mcpServers).has(id) ? undefined : blankOf(id));
      }),
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
  return changeMoves((moved) => ({ answered: change({ ...moved }) }));
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

/** New drives whose records are none. */
const wrongNewDrives: readonly Mutant[] = table('shape', 'store', {
  'createDrive.field-types: created-drive-name-in-parts': [
    'The record that the creation of a drive is answered with has the name as an array of its words.',
    changeAnswered(drives, ({ name }) => ({ name: name.split(' ') })),
  ],
  'createDrive.created-at-is-recent: created-drive-of-1970': [
    'The record that the creation of a drive is answered with has seconds for milliseconds in createdAt.',
    changeAnswered(drives, ({ createdAtMs }) => ({ createdAtMs: Math.floor(createdAtMs / 1_000) })),
  ],
  'createDrive.timestamps-are-date-times: created-drive-updated-at-the-end-of-time': [
    'updatedAt of a new drive is the latest time that there is, of which no date-time can tell.',
    changeAnswered(drives, () => ({ updatedAtMs: endOfTimeMs })),
  ],
  'createDrive.ids-are-strings: created-drive-id-as-number': [
    'The record that the creation of a drive is answered with has a number for its id.',
    changeAnswered(drives, ({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'createDrive.no-null-fields: created-drive-with-emoji-named-null': [
    'Where the name of a new drive holds an emoji, the record that is answered has null for it.',
    changeAnswered(drives, ({ name }) => (/\p{Emoji_Presentation}/u.test(name) ? { name: null } : {})),
  ],
});

/** New MCP servers whose records are none. */
const wrongNewServers: readonly Mutant[] = table('shape', 'store', {
  'createMcpServer.field-types: created-server-url-in-parts': [
    'The record that a registration is answered with has an object with href and host for the URL.',
    changeAnswered(mcpServers, ({ url }) => {
      const { href, host } = new URL(url);
      return { url: { href, host } };
    }),
  ],
  'createMcpServer.timestamps-are-date-times: created-server-updated-in-microseconds': [
    'updatedAt of a new MCP server is taken from a clock of microseconds, and lies thousands of years ahead.',
    changeAnswered(mcpServers, ({ updatedAtMs }) => ({ updatedAtMs: updatedAtMs * 1_000 })),
  ],
  'createMcpServer.ids-are-strings: created-server-id-as-number': [
    'The record that a registration is answered with has a number for the id of the MCP server.',
    changeAnswered(mcpServers, ({ id }) => ({ id: Number(id) })),
    digits,
  ],
  'createMcpServer.no-null-fields: created-server-type-null': [
    'The record that a registration is answered with has null for the type, which is chosen a moment later.',
    changeAnswered(mcpServers, () => ({ type: null })),
  ],
  'createMcpServer.type-values: created-server-of-type-http': [
    'A new MCP server is stored with the type http.',
    changeNew(mcpServers, () => ({ type: 'http' })),
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
