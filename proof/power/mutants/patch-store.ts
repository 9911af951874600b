import type { FileTree, Subtree } from '../../../src/domain/file-tree.ts';
import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Agent, Drive, DriveFile, McpServer } from '../../../src/domain/resources.ts';
import type { Break, Engine } from '../mutant.ts';

/** What every kind of listed record has. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Where an organization has its records of one kind: to be found by id, and to be listed. */
export type ShelfOf<T extends Listed> = (organization: Organization) => { byId: Map<string, T>; list: OrderedList<T> };

export const agents: ShelfOf<Agent> = (organization) => ({ byId: organization.agentsById, list: organization.agents });
export const drives: ShelfOf<Drive> = (organization) => ({ byId: organization.drivesById, list: organization.drives });
export const mcpServers: ShelfOf<McpServer> = ({ mcpServersById, mcpServers: list }) => ({
  byId: mcpServersById,
  list,
});

/** What becomes other than it should be in a record: its type may not allow it. */
type Change<T> = (record: T, organization: Organization, engine: Engine) => object;

/** More than any list of a mutant holds. */
const everything = 1_000_000;

/** The organizations of an engine. */
export function organizationsOf(engine: Engine): readonly Organization[] {
  return engine.store.organizations;
}

/** Breaks every organization. */
export function inEach(breakOne: (organization: Organization, engine: Engine) => void): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) breakOne(organization, engine);
  };
}

/** Breaks the files of every drive. */
export function inEachTree(breakOne: (drive: DriveFiles) => void): Break {
  return (engine) => {
    for (const drive of treesOf(engine)) breakOne(drive);
  };
}

/** One break after the other. */
export function sequence(...breaks: readonly Break[]): Break {
  return (engine) => {
    for (const breakIt of breaks) breakIt(engine);
  };
}

/** Changes each new record before anything is done with it: its answer and the list show the same. */
export function changeNew<T extends Listed>(shelfOf: ShelfOf<T>, change: Change<T>): Break {
  return inEach((organization, engine) => {
    const { byId } = shelfOf(organization);
    const set = byId.set.bind(byId);
    byId.set = (id, record) => set(id, Object.assign(record, change(record, organization, engine)));
  });
}

/** Changes what a creation is answered with. The list shows the record as it should be. */
export function changeAnswered<T extends Listed>(shelfOf: ShelfOf<T>, change: Change<T>): Break {
  return inEach((organization, engine) => {
    const { byId, list } = shelfOf(organization);
    const set = byId.set.bind(byId);
    const add = list.add.bind(list);
    const kept = new WeakMap<T, T>();
    byId.set = (id, record) => {
      const own = { ...record };
      kept.set(record, own);
      Object.assign(record, change(record, organization, engine));
      return set(id, own);
    };
    list.add = (record) => add(kept.get(record) ?? record);
  });
}

/** Changes what is listed of each new record. Its answer is as it should be. */
export function changeEnlisted<T extends Listed>(shelfOf: ShelfOf<T>, change: Change<T>): Break {
  return inEach((organization, engine) => {
    const { list } = shelfOf(organization);
    const add = list.add.bind(list);
    list.add = (record) => add({ ...record, ...change(record, organization, engine) });
  });
}

/** Changes what a list holds whenever it is read; pages are cut from what is then there. */
export function changeListed<T extends Listed>(
  shelfOf: ShelfOf<T>,
  change: (all: T[], organization: Organization, engine: Engine) => T[],
): Break {
  return inEach((organization, engine) => {
    const { list } = shelfOf(organization);
    const page = list.page.bind(list);
    const all = () => change(page(0, everything), organization, engine);
    list.page = (offset, limit) => all().slice(offset, offset + limit);
    list.all = all;
    Object.defineProperty(list, 'size', { get: () => all().length });
  });
}

/** Changes the last record of a list whenever it is read. */
export function changeLast<T extends Listed>(
  shelfOf: ShelfOf<T>,
  change: (last: T, all: T[], organization: Organization, engine: Engine) => object,
): Break {
  return changeListed(shelfOf, (all, ...where) =>
    all.map((record, index) => (index === all.length - 1 ? { ...record, ...change(record, all, ...where) } : record)),
  );
}

/** The ids of all that is there from the start. */
export function idsOf<T extends Listed>(engine: Engine, shelfOf: ShelfOf<T>): ReadonlySet<string> {
  return new Set(organizationsOf(engine).flatMap((organization) => [...shelfOf(organization).byId.keys()]));
}

/** Gives each organization more drives, as if it had them before: more than fit on one page. */
export function addDrives(count: number): Break {
  return inEach((organization) => {
    const createdAtMs = organization.runtime.clock.nowMs() - 3_600_000;
    for (let number = 1; number <= count; number++) {
      const id = organization.ids('drive');
      const times = { createdAtMs, updatedAtMs: createdAtMs };
      const drive: Drive = { id, organizationId: organization.id, name: `Archive ${number}`, ...times };
      organization.drivesById.set(id, drive);
      organization.drives.add(drive);
    }
  });
}

/** Puts a changed agent in place of the one that is there. A field that is undefined is taken away. */
export function replaceAgent(
  organization: Organization,
  agent: Agent,
  changes: { [Name in keyof Agent]?: Agent[Name] | undefined },
): void {
  const entries = Object.entries({ ...agent, ...changes }).filter(([, value]) => value !== undefined);
  const changed = Object.fromEntries(entries) as unknown as Agent;
  organization.agentsById.set(agent.id, changed);
  organization.agents.replace(agent, changed);
}

/** Lets no agent have a published revision, so that a publication is seen. */
export const unpublishAll: Break = inEach((organization) => {
  for (const agent of organization.agents.all()) replaceAgent(organization, agent, { activeRevisionId: undefined });
});

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
  return inEachTree((drive) => {
    const under = drive.tree.under.bind(drive.tree);
    drive.tree.under = (path) => change(path, under, drive);
  });
}

/** Lets every deletion take the files of a drive that `isTaken` names. */
export function takeFiles(isTaken: (file: DriveFile, path: string) => boolean): Break {
  return changeSubtrees((path, under) => {
    const below = under('/').below.filter((file) => isTaken(file, path));
    return { ...under(path), below };
  });
}

/** Changes each move: what is kept of it (`kept`), and what it is answered with (`answered`). */
export function changeMoves(
  change: (moved: DriveFile, before: DriveFile, drive: DriveFiles) => { kept?: object; answered?: object },
): Break {
  return inEachTree((drive) => {
    const put = drive.tree.put.bind(drive.tree);
    drive.tree.put = (moved) => {
      const { kept, answered } = change(moved, drive.tree.find(moved.id) ?? moved, drive);
      put({ ...moved, ...kept });
      Object.assign(moved, answered);
    };
  });
}

/** Lets each move change the other files of the drive as well. */
export function changeOtherFiles(change: (file: DriveFile, moved: DriveFile) => Partial<DriveFile>): Break {
  return inEachTree(({ tree }) => {
    const put = tree.put.bind(tree);
    tree.put = (moved) => {
      put(moved);
      for (const file of filesIn(tree)) if (file.id !== moved.id) put({ ...file, ...change(file, moved) });
    };
  });
}
