import { createDrive } from '../../../src/domain/drives.ts';
import type { Engine } from '../mutant.ts';
import { inEach, organizationsOf, replaceAgent, treesOf } from '../mutants/patch-store.ts';
import type { Oddity } from './oddity.ts';

const why = 'The server is sound; what the user vouches for is unusual.';

// As after an earlier run with the same config.
function deleteFiles(engine: Engine, files: readonly { id: string }[] = []): void {
  for (const { tree } of treesOf(engine)) for (const { id } of files) tree.remove(id);
}

/** Publishes what the config names. */
const publishFixture = inEach((organization, engine) => {
  for (const agent of organization === organizationsOf(engine)[0] ? organization.agents.all() : []) {
    const [first] = agent.revisions;
    if (first === undefined || agent.activeRevisionId !== undefined) continue;
    replaceAgent(organization, agent, { activeRevisionId: first.id });
  }
});

/** Unusual configs over a sound server. */
export const fixtures: Record<string, Oddity> = {
  'no-fixtures': { why, fixtures: () => ({}) },
  'one-file': {
    why,
    fixtures: ({ files = [] }) => ({ files: files.slice(0, 1) }),
  },
  'one-disposable-file': {
    why,
    fixtures: ({ disposableFiles = [] }) => ({ disposableFiles: disposableFiles.slice(0, 1) }),
  },
  'three-disposable-files-of-one-drive': {
    why,
    fixtures: ({ disposableFiles = [], files = [] }) => ({
      files,
      disposableFiles: disposableFiles.filter(({ driveId }) => driveId === disposableFiles[0]?.driveId).slice(0, 3),
    }),
  },
  'files-of-one-drive': {
    why,
    fixtures: ({ files = [], disposableFiles = [], ...others }) => ({
      ...others,
      files,
      disposableFiles: disposableFiles.filter(({ driveId }) => driveId === files[0]?.driveId),
    }),
  },
  'agent-published-already': {
    why,
    break: publishFixture,
  },
  'agent-published-already-and-not-again': {
    why: 'Section 4.2: what answers the publication of the active revision is not shown.',
    profile: { republish: 'refused' },
    break: publishFixture,
  },
  'disposable-files-gone-since-the-last-run': {
    why: 'A run deletes them, as it may; the next one is given the same config.',
    fixtures: (usual, engine) => {
      deleteFiles(engine, usual.disposableFiles);
      return usual;
    },
  },
  'some-disposable-files-gone-since-the-last-run': {
    why: 'A run deletes some, as it may; the next one is given the same config.',
    fixtures: (usual, engine) => {
      deleteFiles(engine, usual.disposableFiles?.slice(0, 4));
      return usual;
    },
  },
  'two-keys-of-the-same-organization': {
    why,
    keys: ([own = '']) => [own, 'second-key'],
    break: ({ store }) => {
      for (const sandbox of store.sandboxes.slice(0, 1)) store.issue(sandbox, 'second-key');
    },
  },
  'other-organization-is-empty': {
    why,
    break: (engine) => {
      for (const kind of ['agents', 'drives', 'mcpServers'] as const) {
        const list = organizationsOf(engine)[1]?.listOf(kind);
        for (const item of list?.all() ?? []) list?.remove(item);
      }
    },
  },
  'other-organization-has-nothing-but-drives': {
    why,
    seed: {
      organizations: [
        { name: 'A', keys: ['demo-key'] },
        { name: 'B', keys: ['demo-key-2'], drives: [{ name: 'Theirs', createdAt: '2026-01-05T10:00:00Z' }] },
      ],
    },
    break: (engine) => {
      const [own] = organizationsOf(engine);
      if (own !== undefined) createDrive(own, 'Ours');
    },
  },
};
