import { shown } from '../shared/names.ts';
import { Tag, type Tone } from '../shared/parts.tsx';
import type { Sandbox } from '../shared/sandboxes.ts';
import type { Column } from '../shared/table.tsx';
import { moment, plural, sizeWords } from '../shared/words.ts';
import type { AgentRecord, KeyRecord, ServerRecord } from './record-types.ts';
import type { TreeItem } from './tree.ts';

// The columns of each table of the view.

const time = (iso: string | undefined) => (iso === undefined ? '' : moment(iso));
const timeWidth = '152px';

export const sandboxColumns: readonly Column<Sandbox>[] = [
  { name: 'Name', cell: ({ name }) => name, sort: ({ name }) => name.toLowerCase() },
  { name: 'Kind', cell: ({ kind }) => (kind === 'seed' ? 'of the seed' : 'opened'), width: '100px' },
  ...(['agents', 'drives', 'mcpServers'] as const).map(
    (kind): Column<Sandbox> => ({
      name: { agents: 'Agents', drives: 'Drives', mcpServers: 'MCP servers' }[kind],
      cell: ({ holds }) => holds[kind],
      sort: ({ holds }) => holds[kind],
      ...{ width: kind === 'mcpServers' ? '108px' : '72px', isNumber: true, isKept: kind === 'drives' },
    }),
  ),
  { name: 'Keys', cell: ({ keyIds }) => keyIds.length, width: '56px', isNumber: true },
  {
    name: 'Profile',
    cell: ({ hasOwnProfile }) => (hasOwnProfile ? <Tag tone="warn">own</Tag> : 'shared'),
    width: '80px',
  },
];

export const agentColumns: readonly Column<AgentRecord>[] = [
  { name: 'Name', cell: ({ name }) => shown(name), sort: ({ name }) => name.toLowerCase() },
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
  {
    ...{ name: 'Revisions', width: '100px', isNumber: true },
    cell: ({ revisions }) => revisions.length,
    sort: ({ revisions }) => revisions.length,
  },
  {
    name: 'Updated',
    cell: ({ updatedAt }) => time(updatedAt),
    sort: ({ updatedAt = '' }) => updatedAt,
    width: timeWidth,
  },
];

export const statusTones: Readonly<Record<string, Tone>> = { ready: 'good', processing: 'warn', error: 'bad' };

export const driveColumns: readonly Column<TreeItem>[] = [
  { name: 'Name', cell: ({ name }) => name, sort: ({ name }) => name.toLowerCase() },
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
  {
    name: 'Modified',
    cell: ({ drive, file }) => time(file?.modifiedAt ?? drive?.updatedAt),
    sort: ({ drive, file }) => file?.modifiedAt ?? drive?.updatedAt ?? '',
    width: timeWidth,
  },
];

export const serverColumns: readonly Column<ServerRecord>[] = [
  { name: 'Name', cell: ({ name }) => shown(name), sort: ({ name }) => name.toLowerCase() },
  { name: 'URL', cell: ({ url }) => url, sort: ({ url }) => url },
  { name: 'Type', cell: ({ type }) => type, sort: ({ type }) => type, width: '130px' },
  {
    name: 'Tools',
    cell: ({ tools, toolsProblem }) => (toolsProblem === undefined ? tools.length : <Tag tone="bad">problem</Tag>),
    sort: ({ tools }) => tools.length,
    ...{ width: '90px', isNumber: true, isKept: true },
  },
  {
    name: 'Created',
    cell: ({ createdAt }) => time(createdAt),
    sort: ({ createdAt = '' }) => createdAt,
    width: timeWidth,
  },
];

export const keyColumns: readonly Column<KeyRecord>[] = [
  { name: 'Id', cell: ({ keyId }) => <code>{keyId}</code>, width: '200px' },
  { name: 'Key', cell: ({ key }) => <code>{key}</code>, isKept: true },
];
