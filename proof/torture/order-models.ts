import type { SequentialModel } from './linearizable.ts';

// One thing after the other, as the profile of the mock uses it by default. Each model is of what nothing else changes:
// the files of one drive, the drives of one organization, one agent.

/** The status of an answer, and its body. */
export interface Told {
  status: number;
  body: unknown;
}

export type FileCall =
  | { kind: 'get'; file: string }
  | { kind: 'move'; file: string; path: string }
  | { kind: 'deleteTree'; path: string };

/** Where each file of a drive is. */
type Places = Readonly<Record<string, string>>;

/** The files of a drive. `initial` are the paths by id. */
export function filesOfDrive(initial: Places): SequentialModel<Places, FileCall, Told> {
  return { initial, step: stepFiles, toKey: (places) => JSON.stringify(Object.entries(places).sort()) };
}

function stepFiles(places: Places, asked: FileCall, { status, body }: Told): Places | undefined {
  if (asked.kind === 'deleteTree') return deleteTree(places, asked.path, status, body);
  const path = places[asked.file];
  if (path === undefined) return status === 404 ? places : undefined;
  if (asked.kind === 'get') return status === 200 && fieldOf(body, 'path') === path ? places : undefined;
  const isTaken = path !== asked.path && Object.values(places).includes(asked.path);
  if (isTaken) return status === 409 ? places : undefined;
  const isMoved = status === 200 && fieldOf(body, 'path') === asked.path;
  return isMoved ? { ...places, [asked.file]: asked.path } : undefined;
}

function deleteTree(places: Places, path: string, status: number, body: unknown): Places | undefined {
  const kept = Object.entries(places).filter(([, each]) => !each.startsWith(`${path}/`));
  const deleted = Object.keys(places).length - kept.length;
  if (deleted === 0) return status === 404 ? places : undefined;
  return status === 200 && fieldOf(body, 'documentCount') === deleted ? Object.fromEntries(kept) : undefined;
}

export type DriveCall = { kind: 'create' } | { kind: 'list' };

/** The drives of an organization that has none at the start, in the order of their creation: at most one page of them. */
export const drivesOfOrganization: SequentialModel<readonly string[], DriveCall, Told> = {
  initial: [],
  step: (ids, { kind }, { status, body }) => {
    if (kind === 'create') return status === 201 ? [...ids, fieldOf(body, 'id') as string] : undefined;
    const listed = (fieldOf(body, 'data') as { id: string }[]).map(({ id }) => id);
    const { total } = fieldOf(body, 'pagination') as { total: number };
    return total === ids.length && JSON.stringify(listed) === JSON.stringify(ids) ? ids : undefined;
  },
  toKey: (ids) => ids.join(),
};

export type AgentCall = { kind: 'publish'; isNewest: boolean } | { kind: 'show' };

/** Whether an agent has changes that are not published: those that came after the published revision. */
export const agentWithRevisions: SequentialModel<boolean, AgentCall, Told> = {
  initial: true,
  step: (hasChanges, asked, { status, body }) => {
    if (status !== 200) return undefined;
    const next = asked.kind === 'publish' ? !asked.isNewest : hasChanges;
    return fieldOf(body, 'hasChanges') === next ? next : undefined;
  },
  toKey: String,
};

function fieldOf(body: unknown, name: string): unknown {
  return (body as Record<string, unknown> | undefined)?.[name];
}
