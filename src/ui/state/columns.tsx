import type { ShownAgent } from '../../app/admin-api/agent-handlers.ts';
import type { ShownServer } from '../../app/admin-api/mcp-server-handlers.ts';
import { Tag, type Tone } from '../shared/parts.tsx';
import type { Sandbox } from '../shared/sandboxes.ts';
import type { Column } from '../shared/table.tsx';
import { moment, plural, shown, sizeWords } from '../shared/words.ts';
import type { KeyRecord } from './records.ts';
import type { TreeItem } from './tree.ts';

// The columns of each table of the view.

const nameColumn: Column<{ name: string }> = {
  name: 'Name',
  cell: ({ name }) => shown(name),
  sort: ({ name }) => name.toLowerCase(),
};

function timeColumn<T>(name: string, timeOf: (item: T) => string | undefined): Column<T> {
  const sort = (item: T) => timeOf(item) ?? '';
  return { name, cell: (item) => moment(sort(item)), sort, width: '152px' };
}

const countColumn = <T,>(name: string, width: string, countOf: (item: T) => number): Column<T> => ({
  ...{ name, width, isNumber: true, cell: countOf, sort: countOf },
});

export const sandboxColumns: readonly Column<Sandbox>[] = [
  nameColumn,
  { name: 'Kind', cell: ({ kind }) => (kind === 'seed' ? 'of the seed' : 'opened'), width: '100px' },
  countColumn('Agents', '72px', ({ holds }) => holds.agents),
  { ...countColumn('Drives', '72px', ({ holds }) => holds.drives), isKept: true },
  countColumn('MCP servers', '108px', ({ holds }) => holds.mcpServers),
  { name: 'Keys', cell: ({ keyIds }) => keyIds.length, width: '56px', isNumber: true },
  {
    name: 'Profile',
    cell: ({ hasOwnProfile }) => (hasOwnProfile ? <Tag tone="warn">own</Tag> : 'shared'),
    width: '80px',
  },
];

export const agentColumns: readonly Column<ShownAgent>[] = [
  nameColumn,
  {
    name: 'Published',
    cell: ({ revisions, activeRevisionId }) => {
      const at = revisions.findIndex(({ id }) => id === activeRevisionId);
      return at >= 0 && <Tag tone="good">{`revision ${at + 1}`}</Tag>;
    },
    sort: ({ activeRevisionId }) => (activeRevisionId === undefined ? 1 : 0),
    ...{ width: '130px', isKept: true },
  },
  {
    name: 'Changes',
    cell: ({ hasChanges }) => hasChanges && <Tag tone="warn">has changes</Tag>,
    sort: ({ hasChanges }) => (hasChanges ? 0 : 1),
    width: '120px',
  },
  countColumn('Revisions', '100px', ({ revisions }) => revisions.length),
  timeColumn('Updated', ({ updatedAt }) => updatedAt),
];

const statusTones: Readonly<Record<string, Tone>> = { ready: 'good', processing: 'warn', error: 'bad' };

export const driveColumns: readonly Column<TreeItem>[] = [
  nameColumn,
  {
    name: 'Status',
    cell: ({ file }) =>
      file && (
        <>
          <Tag tone={statusTones[file.status] ?? 'none'}>{file.status}</Tag>
          {file.becomes && ` → ${file.becomes.status}`}
        </>
      ),
    sort: ({ file }) => file?.status ?? '',
    width: '170px',
  },
  {
    name: 'Size',
    cell: ({ drive, file }) =>
      drive === undefined
        ? file?.sizeBytes !== undefined && sizeWords(file.sizeBytes)
        : plural(drive.holds.files, 'file'),
    sort: ({ drive, file }) => file?.sizeBytes ?? drive?.holds.files ?? 0,
    ...{ width: '100px', isNumber: true, isKept: true },
  },
  timeColumn('Modified', ({ drive, file }) => file?.modifiedAt ?? drive?.updatedAt),
];

export const serverColumns: readonly Column<ShownServer>[] = [
  nameColumn,
  { name: 'URL', cell: ({ url }) => url, sort: ({ url }) => url },
  { name: 'Type', cell: ({ type }) => type, sort: ({ type }) => type, width: '130px' },
  {
    name: 'Tools',
    cell: ({ tools, toolsProblem }) => (toolsProblem === undefined ? tools.length : <Tag tone="bad">problem</Tag>),
    sort: ({ tools }) => tools.length,
    ...{ width: '90px', isNumber: true, isKept: true },
  },
  timeColumn('Created', ({ createdAt }) => createdAt),
];

export const keyColumns: readonly Column<KeyRecord>[] = [
  { name: 'Id', cell: ({ keyId }) => <code>{keyId}</code>, width: '200px' },
  { name: 'Key', cell: ({ key }) => <code>{key}</code>, isKept: true },
];
