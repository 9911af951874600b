import type { Drive, McpServer } from '../../../src/domain/resources.ts';
import { digits, endOfTimeMs, type StoredFault, wrong } from './patch-records.ts';
import { changeAnswered, changeNew, drivesOf, mcpServersOf, organizationsOf } from './patch-store.ts';
import type { Break, Fields } from './rewrite.ts';

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
const wrongDrives: readonly StoredFault[] = [
  {
    id: 'created-drive-name-in-parts',
    requirement: 'drive.name',
    check: 'createDrive.field-types',
    fault: 'The record that the creation of a drive is answered with has the name as an array of its words.',
    break: answeredDrive(({ name }) => ({ name: name.split(' ') })),
  },
  {
    id: 'created-drive-of-1970',
    requirement: 'timestamps.creation-is-recent',
    check: 'createDrive.created-at-is-recent',
    fault: 'The record that the creation of a drive is answered with has seconds for milliseconds in createdAt.',
    break: answeredDrive(({ createdAtMs }) => ({ createdAtMs: Math.floor(createdAtMs / 1_000) })),
  },
  {
    id: 'created-drive-updated-at-the-end-of-time',
    requirement: 'timestamps.are-date-times',
    check: 'createDrive.timestamps-are-date-times',
    fault: 'updatedAt of a new drive is the latest time that there is, of which no date-time can tell.',
    break: answeredDrive(() => ({ updatedAtMs: endOfTimeMs })),
  },
  {
    id: 'created-drive-id-as-number',
    requirement: 'ids.are-strings',
    check: 'createDrive.ids-are-strings',
    fault: 'The record that the creation of a drive is answered with has a number for its id.',
    profile: digits,
    break: answeredDrive(({ id }) => ({ id: Number(id) })),
  },
  {
    id: 'created-drive-with-emoji-named-null',
    requirement: 'types.null-is-none-of-them',
    check: 'createDrive.no-null-fields',
    fault: 'Where the name of a new drive holds an emoji, the record that is answered has null for it.',
    break: answeredDrive(({ name }) => (/\p{Emoji_Presentation}/u.test(name) ? { name: null } : {})),
  },
];

/** New MCP servers whose records are none. */
const wrongServers: readonly StoredFault[] = [
  {
    id: 'created-server-url-in-parts',
    requirement: 'mcpServer.strings',
    check: 'createMcpServer.field-types',
    fault: 'The record that a registration is answered with has an object with href and host for the URL.',
    break: answeredServer(({ url }) => {
      const { href, host } = new URL(url);
      return { url: { href, host } };
    }),
  },
  {
    id: 'created-server-updated-in-microseconds',
    requirement: 'timestamps.are-date-times',
    check: 'createMcpServer.timestamps-are-date-times',
    fault: 'updatedAt of a new MCP server is taken from a clock of microseconds, and lies thousands of years ahead.',
    break: answeredServer(({ updatedAtMs }) => ({ updatedAtMs: updatedAtMs * 1_000 })),
  },
  {
    id: 'created-server-id-as-number',
    requirement: 'ids.are-strings',
    check: 'createMcpServer.ids-are-strings',
    fault: 'The record that a registration is answered with has a number for the id of the MCP server.',
    profile: digits,
    break: answeredServer(({ id }) => ({ id: Number(id) })),
  },
  {
    id: 'created-server-type-null',
    requirement: 'types.null-is-none-of-them',
    check: 'createMcpServer.no-null-fields',
    fault: 'The record that a registration is answered with has null for the type, which is chosen a moment later.',
    break: answeredServer(() => ({ type: null })),
  },
  {
    id: 'created-server-of-type-http',
    requirement: 'mcpServer.type-values',
    check: 'createMcpServer.type-values',
    fault: 'A new MCP server is stored with the type http.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeNew(mcpServersOf(organization), () => wrong({ type: 'http' }));
      }
    },
  },
];

export const recordsOfCreations: readonly StoredFault[] = [...wrongDrives, ...wrongServers];
