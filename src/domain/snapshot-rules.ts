import type { OrganizationSnapshot } from './snapshot.ts';

/** What is wrong with a snapshot beyond its schema, and where. */
export interface SnapshotViolation {
  location: string[];
  code: string;
  message: string;
}

/** What a schema cannot see: ids, keys and paths that stand twice, and ids of what is not there. */
export function validateSnapshot(
  organizations: readonly OrganizationSnapshot[],
  revokedKeys: readonly string[],
): SnapshotViolation[] {
  const ids = organizations.map(({ id }, index) => ({ value: id, location: ['organizations', String(index), 'id'] }));
  const keys = organizations.flatMap(({ keys }, index) =>
    keys.map((value) => ({ value, location: ['organizations', String(index), 'keys'] })),
  );
  const revoked = revokedKeys.map((value) => ({ value, location: ['revokedKeys'] }));
  return [
    ...twice(ids, 'id'),
    ...twice([...keys, ...revoked], 'key'),
    ...organizations.flatMap((organization, index) =>
      violationsIn(organization).map((one) => ({
        ...one,
        location: ['organizations', String(index), ...one.location],
      })),
    ),
  ];
}

function violationsIn(organization: OrganizationSnapshot): SnapshotViolation[] {
  const { agents, drives, mcpServers, listed } = organization;
  return [
    ...recordViolations('agents', agents, listed.agents),
    ...recordViolations('drives', drives, listed.drives),
    ...recordViolations('mcpServers', mcpServers, listed.mcpServers),
    ...drives.flatMap(({ files }, index) => fileViolations(files, ['drives', String(index), 'files'])),
    ...agents.flatMap(({ revisions, activeRevisionId }, index) => {
      const isThere = activeRevisionId === undefined || revisions.some(({ id }) => id === activeRevisionId);
      return isThere ? [] : [missing(['agents', String(index), 'activeRevisionId'])];
    }),
  ];
}

function recordViolations(kind: string, records: readonly { id: string }[], listed: readonly string[]) {
  const known = new Set(records.map(({ id }) => id));
  const located = records.map(({ id }, index) => ({ value: id, location: [kind, String(index), 'id'] }));
  const unknown = listed.filter((id) => !known.has(id));
  return [...twice(located, 'id'), ...unknown.map(() => missing(['listed', kind]))];
}

function fileViolations(files: readonly { id: string; path: string }[], at: string[]): SnapshotViolation[] {
  const located = (name: 'id' | 'path') =>
    files.map((file, index) => ({ value: file[name], location: [...at, String(index), name] }));
  return [...twice(located('id'), 'id'), ...twice(located('path'), 'path')];
}

function missing(location: string[]): SnapshotViolation {
  return { location, code: 'missing', message: 'names something that is not there' };
}

function twice(entries: readonly { value: string; location: string[] }[], what: string): SnapshotViolation[] {
  const seen = new Set<string>();
  return entries.flatMap(({ value, location }) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ location, code: 'unique', message: `holds a ${what} that stands twice` }];
  });
}
