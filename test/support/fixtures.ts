import type { Config, FileFixture } from '../../conformance/run/settings.ts';
import type { DriveFile } from '../../src/domain/resources.ts';
import type { Mock } from '../../src/index.ts';

/**
 * Fixtures from a mock: an agent, if possible unpublished, two files to move, all others to delete, a server with
 * tools.
 */
export function fixturesOf({ engine }: Pick<Mock, 'engine'>): NonNullable<Config['fixtures']> {
  const [organization] = engine.store.organizations;
  if (organization === undefined) throw new Error('the mock has no organization');
  const { agents, drives, mcpServers } = organization;
  const publishable = agents.all().filter(({ revisions }) => revisions.length > 0);
  const agent = publishable.find(({ activeRevisionId }) => activeRevisionId === undefined) ?? publishable[0];
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

// The more fields a file shows, the more a move can lose.
function factsOf({ description, summary, metadata }: DriveFile): number {
  return [description, summary, metadata].filter((fact) => fact !== undefined).length;
}
