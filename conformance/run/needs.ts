import { own, say } from '../../lib/sentence.ts';
import type { FileFixture, Settings } from './settings.ts';
import { Inconclusive, type InconclusiveCode, NotRequested, wordsOf } from './signals.ts';

/** Something that a check needs in order to judge and that only the user can provide. */
interface Need {
  /** The flag, or the place in the config. */
  setting: string;
  /** What the setting provides, in words. */
  what: string;
  isMet(settings: Settings): boolean;
  /** The signal of a check that lacks it. */
  lacking(): Inconclusive | NotRequested;
}

/** All needs by name, in reading order. */
export const needs = {
  writes: need('WRITES', 'permission to write', ({ allowWrites }) => allowWrites),
  deletions: need('DESTRUCTIVE', 'permission to delete', ({ allowDestructive }) => allowDestructive),
  treeParameter: need(
    'TREE_PARAMETER',
    'the name of the query parameter of the tree deletion',
    ({ treePathParameter }) => treePathParameter !== undefined,
  ),
  otherKey: need('OTHER_KEY', 'the key of a second organization', ({ otherApiKey }) => otherApiKey !== undefined),
  agent: need('AGENT', 'an unpublished agent, and a revision of it', ({ fixtures }) => fixtures.agent !== undefined),
  file: need('FILES', 'a file', (settings) => declaredIn(settings).length > 0),
  movableFile: need('FILES', 'a file that may be moved', ({ fixtures }) => fixtures.files?.[0] !== undefined),
  twoFilesOfOneDrive: need('FILES', 'two files of one drive', (settings) => {
    const moved = settings.fixtures.files?.[0];
    return declaredIn(settings).some(({ driveId, id }) => driveId === moved?.driveId && id !== moved.id);
  }),
  filesOfTwoDrives: need('FILES', 'files of two drives', (settings) => areOfTwoDrives(declaredIn(settings))),
  disposableFiles: need(
    'DISPOSABLE_FILES',
    'files of one drive that may be deleted',
    ({ fixtures }) => fixtures.disposableFiles?.[0] !== undefined,
  ),
  disposableFilesOfTwoDrives: need('DISPOSABLE_FILES', 'files of two drives that may be deleted', ({ fixtures }) =>
    areOfTwoDrives(fixtures.disposableFiles ?? []),
  ),
  mcpServer: need('MCP_SERVER', 'an MCP server', ({ fixtures }) => fixtures.mcpServer !== undefined),
  hostMcpServer: {
    setting: '--host-mcp-server',
    what: 'an MCP server that the suite starts',
    isMet: ({ hostMcpServer }) => hostMcpServer,
    lacking: () => new NotRequested(say`Runs only with --host-mcp-server.`),
  },
  secondAgent: data('an agent besides the published one'),
  agentsOfBoth: data('an agent in each organization'),
  drivesOfBoth: data('a drive in each organization'),
  mcpServersOfBoth: data('an MCP server in each organization'),
  otherMcpServer: data('an MCP server in the second organization'),
} satisfies Record<string, Need>;

export type NeedName = keyof typeof needs;

/** What a list must show to both organizations for a check that compares it. */
export const listedByBoth = {
  listAgents: 'agentsOfBoth',
  listDrives: 'drivesOfBoth',
  listMcpServers: 'mcpServersOfBoth',
} as const satisfies Record<string, NeedName>;

function need(code: InconclusiveCode, what: string, isMet: Need['isMet']): Need {
  const lacking = () => new Inconclusive(code, say`The check needs ${own(what)}.`);
  return { setting: wordsOf(code), what, isMet, lacking };
}

/** Data that no setting shows: the doctor looks for it (`./doctor.ts`). */
function data(what: string): Need {
  return need('DATA', what, () => true);
}

function declaredIn({ fixtures }: Settings): FileFixture[] {
  return [...(fixtures.files ?? []), ...(fixtures.disposableFiles ?? [])];
}

function areOfTwoDrives(files: readonly FileFixture[]): boolean {
  return files.some(({ driveId }) => driveId !== files[0]?.driveId);
}

/** The settings behind some needs, each once. */
export function settingsOf(names: readonly NeedName[]): string[] {
  return [...new Set(names.map((name) => needs[name].setting))];
}

/** Why the settings do not enable a check with some needs; undefined if they do. */
export function lackOf(names: readonly NeedName[], settings: Settings): Inconclusive | NotRequested | undefined {
  const [first] = unmet(names, settings);
  return first === undefined ? undefined : needs[first].lacking();
}

/** The setting behind the first need that the settings do not meet; undefined if they meet all. */
export function firstUnmet(names: readonly NeedName[], settings: Settings): string | undefined {
  const [first] = unmet(names, settings).filter((name) => !isPartlyGiven(name, settings));
  return first === undefined ? undefined : needs[first].setting;
}

// For instance, two files are needed and one is declared: the setting is there, but not enough.
function isPartlyGiven(name: NeedName, { fixtures }: Settings): boolean {
  const { setting } = needs[name];
  if (setting === needs.file.setting) return (fixtures.files ?? []).length > 0;
  return setting === needs.disposableFiles.setting && (fixtures.disposableFiles ?? []).length > 0;
}

/** The needs that the settings do not meet. `absent`: the data that the target is known to lack. */
export function unmet(names: readonly NeedName[], settings: Settings, absent: readonly NeedName[] = []): NeedName[] {
  return names.filter((name) => absent.includes(name) || !needs[name].isMet(settings));
}
