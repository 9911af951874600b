import { createDrive } from '../../../src/domain/drives.ts';
import { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Mock } from '../../../src/index.ts';
import { filesIn, organizationsOf, replaceAgent, treesOf } from '../mutants/patch-store.ts';
import type { Oddity } from './oddity.ts';

const why = 'The server is sound; what the user vouches for is unusual.';

// As after an earlier run with the same config.
function deleteDisposable({ engine }: Mock, ids: readonly string[]): void {
  for (const { tree } of treesOf(engine)) for (const { id } of filesIn(tree)) if (ids.includes(id)) tree.remove(id);
}

function idsOf(files: readonly { id: string }[]): string[] {
  return files.map(({ id }) => id);
}

/** Publishes what the config names. */
function publishFixture(mock: Mock): undefined {
  const [organization] = organizationsOf(mock.engine);
  for (const agent of organization?.agents.all() ?? []) {
    const [first] = agent.revisions;
    if (organization === undefined || first === undefined || agent.activeRevisionId !== undefined) continue;
    replaceAgent(organization, agent, { activeRevisionId: first.id });
  }
  return undefined;
}

/** Unusual configs over a sound server. */
export const fixtures: readonly Oddity[] = [
  { id: 'no-fixtures', why, fixtures: () => ({}) },
  {
    id: 'one-file',
    why,
    fixtures: ({ files = [] }) => ({ files: files.slice(0, 1) }),
  },
  {
    id: 'one-disposable-file',
    why,
    fixtures: ({ disposableFiles = [] }) => ({ disposableFiles: disposableFiles.slice(0, 1) }),
  },
  {
    id: 'three-disposable-files-of-one-drive',
    why,
    fixtures: ({ disposableFiles = [], files = [] }) => ({
      files,
      disposableFiles: disposableFiles.filter(({ driveId }) => driveId === disposableFiles[0]?.driveId).slice(0, 3),
    }),
  },
  {
    id: 'files-of-one-drive',
    why,
    fixtures: ({ files = [], disposableFiles = [], ...others }) => ({
      ...others,
      files,
      disposableFiles: disposableFiles.filter(({ driveId }) => driveId === files[0]?.driveId),
    }),
  },
  {
    id: 'movable-files-first-among-the-disposable-ones',
    why,
    fixtures: ({ files = [], disposableFiles = [], ...others }) => ({
      ...others,
      files,
      disposableFiles: [...files, ...disposableFiles],
    }),
  },
  {
    id: 'a-disposable-file-named-twice',
    why,
    fixtures: ({ disposableFiles = [], ...others }) => ({
      ...others,
      disposableFiles: disposableFiles.slice(0, 6).flatMap((file) => [file, file]),
    }),
  },
  {
    id: 'agent-published-already',
    why,
    fixtures: (usual) => usual,
    prepare: publishFixture,
  },
  {
    id: 'agent-published-already-and-not-again',
    why: 'Section 4.2: what answers the publication of the active revision is not shown.',
    profile: { republish: 'refused' },
    prepare: publishFixture,
  },
  {
    id: 'disposable-files-gone-since-the-last-run',
    why: 'A run deletes them, as it may; the next one is given the same config.',
    fixtures: (usual, mock) => {
      deleteDisposable(mock, idsOf(usual.disposableFiles ?? []));
      return usual;
    },
  },
  {
    id: 'some-disposable-files-gone-since-the-last-run',
    why: 'A run deletes some, as it may; the next one is given the same config.',
    fixtures: (usual, mock) => {
      deleteDisposable(mock, idsOf(usual.disposableFiles?.slice(0, 4) ?? []));
      return usual;
    },
  },
  {
    id: 'key-of-the-same-organization-twice',
    why,
    keys: ([own = '']) => [own, own],
  },
  {
    id: 'other-organization-is-empty',
    why,
    prepare: ({ engine }) => {
      const other = organizationsOf(engine)[1];
      if (other === undefined) return undefined;
      const order = engine.runtime.profile.listOrder;
      other.agents = new OrderedList(order);
      other.drives = new OrderedList(order);
      other.mcpServers = new OrderedList(order);
      return undefined;
    },
  },
  {
    id: 'other-organization-has-nothing-but-drives',
    why,
    seed: {
      organizations: [
        { name: 'A', keys: ['demo-key'] },
        { name: 'B', keys: ['demo-key-2'], drives: [{ name: 'Theirs', createdAt: '2026-01-05T10:00:00Z' }] },
      ],
    },
    prepare: ({ engine }) => {
      const [own] = organizationsOf(engine);
      if (own !== undefined) createDrive(own, 'Ours');
      return undefined;
    },
  },
];
