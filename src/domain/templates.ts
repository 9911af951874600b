import type { FileTree } from './file-tree.ts';
import { fillList, idStreamOf, Organization } from './organizations.ts';
import type { DriveFile } from './resources.ts';

/** The organizations of the seed as they are at the start, made on first use and never changed. */
export class Templates {
  readonly #makers: readonly (() => Organization)[];
  readonly #made: (Organization | undefined)[] = [];

  constructor(makers: readonly (() => Organization)[]) {
    this.#makers = makers;
  }

  get size(): number {
    return this.#makers.length;
  }

  at(index: number): Organization | undefined {
    this.#made[index] ??= this.#makers[index]?.();
    return this.#made[index];
  }

  /** A new organization in the same starting state. */
  make(index: number): Organization | undefined {
    return this.#makers[index]?.();
  }

  allBut(index: number | undefined): Organization[] {
    const others = this.#makers.map((_, other) => (other === index ? undefined : this.at(other)));
    return others.filter((other) => other !== undefined);
  }
}

/** How a copy differs from its template. */
interface CopyFacts {
  name: string;
  /** Absent: the first of its own ids. */
  id?: string | undefined;
  /** The name of its own id stream. */
  streamName: string;
}

/**
 * A copy of a template with its own ids for new resources. Records with the organization's id are copied; everything
 * else is shared until it is changed.
 */
export function copyOrganization(template: Organization, { name, id, streamName }: CopyFacts): Organization {
  const { runtime, agentsById, agents, drivesById, drives, mcpServersById, mcpServers } = template;
  const { count, latestMs } = template.ids.state();
  const copy = new Organization(runtime, { name, id, ids: { ...idStreamOf(runtime, streamName), count, latestMs } });
  const own = <T extends object>(record: T) => ({ ...record, organizationId: copy.id });
  fillList(copy, 'agents', agentsById.values(), agents.arrivedIds());
  fillList(copy, 'drives', drivesById.values().map(own), drives.arrivedIds());
  fillList(copy, 'mcpServers', mcpServersById.values().map(own), mcpServers.arrivedIds());
  for (const driveId of drivesById.keys()) copyFiles(copy, driveId, template);
  return copy;
}

function copyFiles(copy: Organization, driveId: string, template: Organization): void {
  const files = template.filesOf(driveId);
  if (files.size === 0) return;
  copy.shareFiles(driveId, files);
  // A file changes its status as long after the start of the copy as it does after the start of the template.
  const shiftMs = template.runtime.clock.nowMs() - template.startedAtMs;
  const pending = shiftMs === 0 ? [] : pendingIn(files);
  const own = pending.length === 0 ? undefined : copy.ownFilesOf(driveId);
  for (const file of pending) own?.put(shifted(file, shiftMs));
}

/** The files that change their status by themselves. */
export function pendingIn(files: FileTree): DriveFile[] {
  return files.all().filter(({ next }) => next !== undefined);
}

function shifted(file: DriveFile, byMs: number): DriveFile {
  return file.next === undefined ? file : { ...file, next: { ...file.next, atMs: file.next.atMs + byMs } };
}
