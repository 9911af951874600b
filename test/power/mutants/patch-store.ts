import type { FileTree, Subtree } from '../../../src/domain/file-tree.ts';
import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Agent, Drive, DriveFile, McpServer } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Break } from './rewrite.ts';

/** What every kind of listed record has. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** What everything that can be created has. */
export interface Created extends Listed {
  readonly organizationId: string;
  readonly updatedAtMs: number;
}

/** Where the records of one kind are: to be found by id, and to be listed. */
export interface Shelf<T extends Created> {
  byId: Map<string, T>;
  list: OrderedList<T>;
}

/** What becomes other than it should be in a record. */
export type Change<T> = (record: T) => Partial<T> | Partial<Created>;

/** More than any list of a mutant holds. */
const everything = 1_000_000;

/** The organizations of an engine. */
export function organizationsOf(engine: Engine): readonly Organization[] {
  return engine.store.organizations;
}

export function drivesOf({ drivesById, drives }: Organization): Shelf<Drive> {
  return { byId: drivesById, list: drives };
}

export function mcpServersOf({ mcpServersById, mcpServers }: Organization): Shelf<McpServer> {
  return { byId: mcpServersById, list: mcpServers };
}

/** Changes each new record before anything is done with it: its answer and the list show the same. */
export function changeNew<T extends Created>({ byId }: Shelf<T>, change: Change<T>): void {
  const set = byId.set.bind(byId);
  byId.set = (id, record) => set(id, Object.assign(record, change(record)));
}

/** Changes what a creation is answered with. The list shows the record as it should be. */
export function changeAnswered<T extends Created>({ byId, list }: Shelf<T>, change: Change<T>): void {
  const set = byId.set.bind(byId);
  const add = list.add.bind(list);
  const kept = new WeakMap<T, T>();
  byId.set = (id, record) => {
    const own = { ...record };
    kept.set(record, own);
    Object.assign(record, change(record));
    return set(id, own);
  };
  list.add = (record) => add(kept.get(record) ?? record);
}

/** Changes what is listed of each new record. Its answer is as it should be. */
export function changeEnlisted<T extends Created>({ list }: Shelf<T>, change: Change<T>): void {
  const add = list.add.bind(list);
  list.add = (record) => add({ ...record, ...change(record) });
}

/** Changes what a list holds whenever it is read; pages are cut from what is then there. */
export function changeListed<T extends Listed>(list: OrderedList<T>, change: (all: T[]) => T[]): void {
  const page = list.page.bind(list);
  const all = () => change(page(0, everything));
  list.page = (offset, limit) => all().slice(offset, offset + limit);
  list.all = all;
  Object.defineProperty(list, 'size', { get: () => all().length });
}

/** Changes the last record of a list whenever it is read. */
export function changeLast<T extends Listed>(list: OrderedList<T>, change: (last: T, all: T[]) => Partial<T>): void {
  changeListed(list, (all) =>
    all.map((record, index) => (index === all.length - 1 ? { ...record, ...change(record, all) } : record)),
  );
}

/** Gives an organization more drives, as if it had them before: more than fit on one page. */
export function addDrives(organization: Organization, count: number): void {
  const createdAtMs = organization.runtime.clock.nowMs() - 3_600_000;
  for (let number = 1; number <= count; number++) {
    const id = organization.ids('drive');
    const times = { createdAtMs, updatedAtMs: createdAtMs };
    const drive: Drive = { id, organizationId: organization.id, name: `Archive ${number}`, ...times };
    organization.drivesById.set(id, drive);
    organization.drives.add(drive);
  }
}

/** Puts a changed agent in place of the one that is there. */
export function replaceAgent(organization: Organization, agent: Agent, changes: Partial<Agent>): void {
  const changed = { ...agent, ...changes };
  organization.agentsById.set(agent.id, changed);
  organization.agents.replace(agent, changed);
}

/** Lets no agent have a published revision, so that a publication is seen. */
export function unpublishAll(engine: Engine): void {
  for (const organization of organizationsOf(engine)) {
    for (const agent of organization.agents.all()) {
      const { activeRevisionId: _, ...blank } = agent;
      organization.agentsById.set(agent.id, blank);
      organization.agents.replace(agent, blank);
    }
  }
}

/** One drive and its files. */
export interface DriveFiles {
  organization: Organization;
  driveId: string;
  tree: FileTree;
}

/** All drives with their files. */
export function treesOf(engine: Engine): DriveFiles[] {
  return organizationsOf(engine).flatMap((organization) =>
    [...organization.drivesById.keys()].map((driveId) => ({
      ...{ organization, driveId },
      tree: organization.ownFilesOf(driveId),
    })),
  );
}

/** The files of a drive, in the order of their paths. */
export function filesIn(tree: FileTree): DriveFile[] {
  return tree.under('/').below;
}

/** Changes what every deletion takes to lie at and below its path. */
export function changeSubtrees(
  change: (path: string, under: (path: string) => Subtree, drive: DriveFiles) => Subtree,
): Break {
  return (engine) => {
    for (const drive of treesOf(engine)) {
      const under = drive.tree.under.bind(drive.tree);
      drive.tree.under = (path) => change(path, under, drive);
    }
  };
}

/** Lets every deletion take the files of a drive that `isTaken` names. */
export function takeFiles(isTaken: (file: DriveFile, path: string) => boolean): Break {
  return (engine) => {
    changeSubtrees((path, under) => {
      const below = under('/').below.filter((file) => isTaken(file, path));
      return { ...under(path), below };
    })(engine);
  };
}

/** Changes each move: what is kept of it (`kept`), and what it is answered with (`answered`). */
export function changeMoves(
  change: (
    moved: DriveFile,
    before: DriveFile,
    drive: DriveFiles,
  ) => Partial<Record<'kept' | 'answered', Partial<DriveFile>>>,
): Break {
  return (engine) => {
    for (const drive of treesOf(engine)) {
      const put = drive.tree.put.bind(drive.tree);
      drive.tree.put = (moved) => {
        const { kept, answered } = change(moved, drive.tree.find(moved.id) ?? moved, drive);
        put({ ...moved, ...kept });
        Object.assign(moved, answered);
      };
    }
  };
}

/** Lets a fault stand in every move, behind the move itself. */
export function afterMoves(follow: (moved: DriveFile, before: DriveFile, drive: DriveFiles) => void): Break {
  return (engine) => {
    for (const drive of treesOf(engine)) {
      const put = drive.tree.put.bind(drive.tree);
      let isFollowing = false;
      drive.tree.put = (moved) => {
        const before = drive.tree.find(moved.id) ?? moved;
        put(moved);
        if (isFollowing) return;
        isFollowing = true;
        follow(moved, before, drive);
        isFollowing = false;
      };
    }
  };
}
