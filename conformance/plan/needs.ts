import type { FileFixture, Settings } from '../config/settings.ts';
import { settingOf, type UnverifiedCode } from '../signals.ts';

/** Something that only the user can give, and without which a check cannot judge. */
export interface Need {
  /** The flag, or the place in the config. */
  setting: string;
  /** What has to stand there, for people. */
  what: string;
  isMet(settings: Settings): boolean;
}

export type NeedName =
  | 'writes'
  | 'deletions'
  | 'treeParameter'
  | 'otherKey'
  | 'agent'
  | 'file'
  | 'movableFile'
  | 'twoFilesOfOneDrive'
  | 'filesOfTwoDrives'
  | 'disposableFiles'
  | 'disposableFilesOfTwoDrives'
  | 'mcpServer'
  | 'hostMcpServer';

/** Every need by its name, in the order in which people want to read them. */
export const needs: Readonly<Record<NeedName, Need>> = {
  writes: need('WRITES', 'permission to write', ({ allowWrites }) => allowWrites),
  deletions: need('DESTRUCTIVE', 'permission to delete', ({ allowDestructive }) => allowDestructive),
  treeParameter: need(
    'TREE_PARAMETER',
    'the name of the query parameter of the tree deletion',
    ({ treePathParameter }) => treePathParameter !== undefined,
  ),
  otherKey: need('OTHER_KEY', 'the key of a second organization', ({ otherApiKey }) => otherApiKey !== undefined),
  agent: need(
    'AGENT',
    'an agent that is not published, and a revision of it',
    ({ fixtures }) => fixtures.agent !== undefined,
  ),
  file: need('FILES', 'a file', (settings) => knownIn(settings).length > 0),
  movableFile: need('FILES', 'a file that may be moved', ({ fixtures }) => (fixtures.files ?? []).length > 0),
  twoFilesOfOneDrive: need('FILES', 'two files of one drive', isMovedFileInCompany),
  filesOfTwoDrives: need('FILES', 'files of two drives', (settings) => drivesIn(knownIn(settings)).size > 1),
  disposableFiles: need(
    'DISPOSABLE_FILES',
    'files of one drive that may be deleted',
    ({ fixtures }) => (fixtures.disposableFiles ?? []).length > 0,
  ),
  disposableFilesOfTwoDrives: need(
    'DISPOSABLE_FILES',
    'files of two drives that may be deleted',
    ({ fixtures }) => drivesIn(fixtures.disposableFiles ?? []).size > 1,
  ),
  mcpServer: need('MCP_SERVER', 'an MCP server', ({ fixtures }) => fixtures.mcpServer !== undefined),
  hostMcpServer: {
    setting: '--host-mcp-server',
    what: 'an MCP server that the suite starts',
    isMet: ({ hostMcpServer }) => hostMcpServer,
  },
};

function need(code: UnverifiedCode, what: string, isMet: Need['isMet']): Need {
  return { setting: settingOf(code), what, isMet };
}

function knownIn({ fixtures }: Settings): FileFixture[] {
  return [...(fixtures.files ?? []), ...(fixtures.disposableFiles ?? [])];
}

function drivesIn(files: readonly FileFixture[]): Set<string> {
  return new Set(files.map(({ driveId }) => driveId));
}

function isMovedFileInCompany(settings: Settings): boolean {
  const moved = settings.fixtures.files?.[0];
  return knownIn(settings).some(({ driveId, id }) => driveId === moved?.driveId && id !== moved.id);
}

/** The settings that some needs ask for, each once. */
export function settingsOf(names: readonly NeedName[]): string[] {
  return [...new Set(names.map((name) => needs[name].setting))];
}

/** The needs that the settings do not meet. */
export function unmet(names: readonly NeedName[], settings: Settings): NeedName[] {
  return names.filter((name) => !needs[name].isMet(settings));
}
