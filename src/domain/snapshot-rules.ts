import type { DeferredState } from './deferred.ts';
import type { Agent } from './resources.ts';
import type { OrganizationSnapshot } from './snapshot.ts';

/** An error in a snapshot that its schema cannot express. */
interface SnapshotViolation {
  location: string[];
  code: string;
  message: string;
}

/** Errors that a schema cannot express: duplicate ids, keys and paths, unknown ids, creations that are listed twice. */
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
  const { agents, drives, mcpServers, listed, deferred } = organization;
  return [
    ...recordViolations('agents', agents, listed.agents),
    ...recordViolations('drives', drives, listed.drives),
    ...recordViolations('mcpServers', mcpServers, listed.mcpServers),
    ...drives.flatMap(({ files }, index) => fileViolations(files, ['drives', String(index), 'files'])),
    ...agents.flatMap((agent, index) => revisionViolations(agent, ['agents', String(index)])),
    ...listingViolations(deferred, listed),
  ];
}

function revisionViolations({ revisions, activeRevisionId }: Agent, at: string[]): SnapshotViolation[] {
  const located = revisions.map(({ id }, index) => ({
    value: id,
    location: [...at, 'revisions', String(index), 'id'],
  }));
  const isThere = activeRevisionId === undefined || revisions.some(({ id }) => id === activeRevisionId);
  return [...twice(located, 'id'), ...(isThere ? [] : [missing([...at, 'activeRevisionId'])])];
}

// A creation that is still to be listed is in no list yet.
function listingViolations({ tasks }: DeferredState, listed: OrganizationSnapshot['listed']): SnapshotViolation[] {
  const already = { listDrive: listed.drives, listMcpServer: listed.mcpServers };
  const located = tasks.flatMap(({ task }, index) => {
    if (task.kind === 'deleteFiles') return [];
    const location = ['deferred', 'tasks', String(index), 'task', 'id'];
    return [{ value: task.id, location, isListed: already[task.kind].includes(task.id) }];
  });
  const listedOnes = located.filter(({ isListed }) => isListed);
  return [
    ...twice(located, 'id'),
    ...listedOnes.map(({ location }) => ({ location, code: 'unique', message: 'is in its list already' })),
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
  return { location, code: 'missing', message: 'names something that does not exist' };
}

function twice(entries: readonly { value: string; location: string[] }[], what: string): SnapshotViolation[] {
  const seen = new Set<string>();
  return entries.flatMap(({ value, location }) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ location, code: 'unique', message: `holds a ${what} that is given twice` }];
  });
}
