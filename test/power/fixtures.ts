import type { Config } from '../../conformance/config/settings.ts';
import { type FileFixture, type Settings, toSettings } from '../../conformance/config/settings.ts';
import type { Mock } from '../../src/index.ts';
import type { SecondServer } from './second-server/start.ts';

/** What a run over a server of these proofs may do. */
export type Mode = 'write' | 'read';

/** Quick limits: everything settles within 500 ms here, or half a second and three calls. */
const quick = { settleMs: 1_500, timeoutMs: 1_000 };

/** The settings for a server over the demo seed, with everything vouched for that a user could know. */
export function settingsForMock(mock: Mock, baseUrl: string, mode: Mode, overrides: Partial<Config> = {}): Settings {
  const [apiKey = '', otherApiKey = ''] = mock.keys;
  return toSettings({
    baseUrl,
    apiKey,
    otherApiKey,
    allowWrites: mode === 'write',
    allowDestructive: mode === 'write',
    fixtures: overrides.fixtures ?? fixturesOf(mock),
    openPoints: { treePathParameter: mock.profile.treePathParameter },
    ...quick,
    ...overrides,
  });
}

/** What is on a mock: an agent that was never published, two files to move, all others to delete, a server with tools. */
export function fixturesOf(mock: Mock): NonNullable<Config['fixtures']> {
  const organization = mock.engine.store.organizationOf(mock.keys[0] ?? '');
  if (organization === undefined) throw new Error('the first key has no organization');
  const agent = organization.agents
    .all()
    .find(({ revisions, activeRevisionId }) => revisions.length > 0 && activeRevisionId === undefined);
  const files = organization.drives.all().flatMap(({ id }) =>
    organization
      .filesOf(id)
      .under('/')
      .below.map((file) => ({ driveId: id, id: file.id, facts: factsOf(file) })),
  );
  const byFacts = files.toSorted((a, b) => b.facts - a.facts);
  const movable = byFacts.filter(({ driveId }) => driveId === byFacts[0]?.driveId).slice(0, 2);
  const server = organization.mcpServers.all().find(({ tools }) => tools.length > 0);
  return {
    ...(agent === undefined ? {} : { agent: { id: agent.id, revisionId: agent.revisions[0]?.id ?? '' } }),
    files: movable.map(toFixture),
    disposableFiles: files.filter((file) => !movable.includes(file)).map(toFixture),
    ...(server === undefined ? {} : { mcpServer: { id: server.id } }),
  };
}

// The more a file shows, the more a move can lose.
function factsOf({
  description,
  summary,
  metadata,
}: {
  description?: string;
  summary?: string;
  metadata?: object;
}): number {
  return [description, summary, metadata].filter((fact) => fact !== undefined).length;
}

function toFixture({ driveId, id }: FileFixture): FileFixture {
  return { driveId, id };
}

/** The settings for the second server. */
export function settingsForSecondServer(server: SecondServer, mode: Mode): Settings {
  const { baseUrl, apiKey, otherApiKey, treePathParameter, agent, files, disposableFiles, mcpServer } = server;
  return toSettings({
    baseUrl,
    apiKey,
    otherApiKey,
    allowWrites: mode === 'write',
    allowDestructive: mode === 'write',
    fixtures: { agent, files: [...files], disposableFiles: [...disposableFiles], mcpServer },
    openPoints: { treePathParameter },
    ...quick,
    // It never hangs: a busy machine may.
    timeoutMs: 5_000,
  });
}
