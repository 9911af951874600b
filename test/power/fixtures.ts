import { type Config, type FileFixture, type Settings, toSettings } from '../../conformance/config/settings.ts';
import type { DriveFile } from '../../src/domain/resources.ts';
import type { Mock } from '../../src/index.ts';
import type { SecondServer } from './second-server/start.ts';

/** What a run over a server of these proofs may do. */
export type Mode = 'write' | 'read';

/** The settings of a run. Quick limits: everything settles within 500 ms here, or half a second and three calls. */
function settingsFor(mode: Mode, others: Parameters<typeof toSettings>[0]): Settings {
  const isWriting = mode === 'write';
  const quick = { settleMs: 1_500, timeoutMs: 1_000 };
  return toSettings({ allowWrites: isWriting, allowDestructive: isWriting, ...quick, ...others });
}

/** The settings for a server over the demo seed, with everything vouched for that a user could know. */
export function settingsForMock(mock: Mock, baseUrl: string, mode: Mode, overrides: Partial<Config> = {}): Settings {
  const [apiKey = '', otherApiKey = ''] = mock.keys;
  const { treePathParameter } = mock.profile;
  const fixtures = overrides.fixtures ?? fixturesOf(mock);
  const openPoints = { treePathParameter };
  return settingsFor(mode, { baseUrl, apiKey, otherApiKey, openPoints, ...overrides, fixtures });
}

/** The settings for the second server. */
export function settingsForSecondServer(server: SecondServer, mode: Mode): Settings {
  const { baseUrl, apiKey, otherApiKey, treePathParameter, agent, files, disposableFiles, mcpServer } = server;
  const fixtures = { agent, files, disposableFiles, mcpServer };
  // It never hangs: a busy machine may.
  const timeoutMs = 5_000;
  return settingsFor(mode, { baseUrl, apiKey, otherApiKey, fixtures, openPoints: { treePathParameter }, timeoutMs });
}

/** What is on a mock: an agent that was never published, two files to move, all others to delete, a server with tools. */
export function fixturesOf({ engine }: Pick<Mock, 'engine'>): NonNullable<Config['fixtures']> {
  const [organization] = engine.store.organizations;
  if (organization === undefined) throw new Error('the mock has no organization');
  const { agents, drives, mcpServers } = organization;
  const agent = agents.all().find((one) => one.revisions.length > 0 && one.activeRevisionId === undefined);
  const files = drives.all().flatMap(({ id: driveId }) => {
    const { below } = organization.filesOf(driveId).under('/');
    return below.map((file) => ({ fixture: { driveId, id: file.id }, facts: factsOf(file) }));
  });
  const byFacts = files.toSorted((a, b) => b.facts - a.facts).map(({ fixture }) => fixture);
  const movable = byFacts.filter(({ driveId }) => driveId === byFacts[0]?.driveId).slice(0, 2);
  const server = mcpServers.all().find(({ tools }) => tools.length > 0);
  return {
    ...(agent === undefined ? {} : { agent: { id: agent.id, revisionId: agent.revisions[0]?.id ?? '' } }),
    files: movable,
    disposableFiles: files.map(({ fixture }): FileFixture => fixture).filter((file) => !movable.includes(file)),
    ...(server === undefined ? {} : { mcpServer: { id: server.id } }),
  };
}

// The more a file shows, the more a move can lose.
function factsOf({ description, summary, metadata }: DriveFile): number {
  return [description, summary, metadata].filter((fact) => fact !== undefined).length;
}
