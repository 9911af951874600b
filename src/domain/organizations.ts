/*
 * Fields of an organization are also listed in `record-schemas.ts`, `seed.ts` and `snapshot.ts`; for sandboxes also
 * `templates.ts`.
 */
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { Deferred, type DeferredState, type Task } from './deferred.ts';
import { FileTree } from './file-tree.ts';
import { createIds, firstIdState, type IdState, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { createRandom } from './random.ts';
import { RecordMap } from './record-map.ts';
import type { PartChange, PartKind, Recorder, RecordKind } from './recorder.ts';
import type { Agent, Drive, McpServer } from './resources.ts';

/** The profile, clock and random seed that all organizations of one mock share. */
export interface Runtime {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly randomSeed: number;
  /** When the mock started. Seed ids contain this time, whenever they are created. */
  readonly startedAtMs: number;
}

/** What an organization is created from. */
interface OrganizationFacts {
  readonly name: string;
  /** Default: the first id of its own stream. */
  readonly id?: string | undefined;
  readonly ids: IdState;
  readonly deferred?: DeferredState;
  /** The organization whose records and files it shares; they must not change any more. Default: it starts empty. */
  readonly copyOf?: Organization;
}

/** The records of one kind, by id and as a list. */
interface Shelf<T extends Listed> {
  readonly byId: RecordMap<T>;
  readonly list: OrderedList<T>;
}

type RecordOf<Kind extends RecordKind> = Shelves[Kind] extends Shelf<infer T> ? T : never;

interface Shelves {
  agents: Shelf<Agent>;
  drives: Shelf<Drive>;
  mcpServers: Shelf<McpServer>;
}

/** The id state of an organization with a given id: the same as if the id had been drawn from the stream. */
export function idsAfterOwn({ profile, clock }: Runtime, ids: IdState): IdState {
  const drawn = createIds(profile.idFormat, ids, clock);
  drawn('organization');
  return drawn.state();
}

/** Everything that belongs to one organization (section 5: its key identifies it). */
export class Organization {
  readonly id: string;
  readonly name: string;
  readonly runtime: Runtime;
  /** When it was created, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly deferred: Deferred;
  /** Receives every change. Absent: the state is not saved. */
  recorder: Recorder | undefined;
  /** Whether it is unchanged since it was made from its origin. */
  isAsMade = false;
  #isWritten = false;
  /** The start of its ids. */
  readonly #firstIds: IdState;
  #ids: Ids | undefined;
  readonly #copied: Organization | undefined;
  // Created on demand: there may be many sandboxes, most of them opened for a few requests.
  readonly #shelves: Partial<Shelves> = {};
  #files: Map<string, FileTree> | undefined;

  constructor(runtime: Runtime, { name, id, ids, deferred, copyOf }: OrganizationFacts) {
    this.runtime = runtime;
    this.startedAtMs = runtime.clock.nowMs();
    this.name = name;
    const first = createIds(runtime.profile.idFormat, ids, runtime.clock);
    this.id = id ?? first('organization');
    this.#firstIds = first.state();
    this.#copied = copyOf;
    this.deferred = new Deferred(deferred, () => this.#note());
  }

  get ids(): Ids {
    this.#ids ??= createIds(this.runtime.profile.idFormat, this.#firstIds, this.runtime.clock);
    return this.#ids;
  }

  /** The state of its ids. */
  get idState(): IdState {
    return this.#ids?.state() ?? this.#firstIds;
  }

  get agents(): OrderedList<Agent> {
    return this.#shelf('agents').list;
  }

  get drives(): OrderedList<Drive> {
    return this.#shelf('drives').list;
  }

  get mcpServers(): OrderedList<McpServer> {
    return this.#shelf('mcpServers').list;
  }

  get agentsById(): RecordMap<Agent> {
    return this.#shelf('agents').byId;
  }

  get drivesById(): RecordMap<Drive> {
    return this.#shelf('drives').byId;
  }

  get mcpServersById(): RecordMap<McpServer> {
    return this.#shelf('mcpServers').byId;
  }

  /** Whether its data may differ from its initial data. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  set isWritten(isWritten: boolean) {
    this.#isWritten = isWritten;
    if (isWritten) this.#note();
  }

  /** Its records of one kind. */
  recordsOf(kind: RecordKind): RecordMap<Listed> {
    return this.#shelf(kind).byId as RecordMap<Listed>;
  }

  /** Its list of one kind. */
  listOf(kind: RecordKind): OrderedList<Listed> {
    return this.#shelf(kind).list as OrderedList<Listed>;
  }

  /** The files of one of its drives, read-only. */
  filesOf(driveId: string): FileTree {
    return this.#files?.get(driveId) ?? this.#copiedFiles(driveId) ?? noFiles;
  }

  /** The files of one of its drives, for changing. */
  ownFilesOf(driveId: string): FileTree {
    const known = this.#files?.get(driveId);
    if (known !== undefined) return known;
    const own = this.#newTree(driveId, this.filesOf(driveId));
    this.#keepFiles(driveId, own);
    return own;
  }

  dropFiles(driveId: string): void {
    for (const { id } of this.filesOf(driveId).all())
      this.#note({ kind: 'files', drive: driveId, id, value: undefined });
    if (this.#copied === undefined) this.#files?.delete(driveId);
    else this.#keepFiles(driveId, this.#newTree(driveId, noFiles));
  }

  /** Sets the records of one kind; `listed` has the ids in its list, in order of arrival. No recorder is notified. */
  fill<Kind extends RecordKind>(kind: Kind, records: Iterable<RecordOf<Kind>>, listed: readonly string[]): void {
    const byId = new RecordMap<RecordOf<Kind>>(records, this.#noteOf(kind));
    const items = listed.map((id) => byId.get(id)).filter((record) => record !== undefined);
    const list = new OrderedList(this.runtime.profile.listOrder, items, this.#noteOf(`listed ${kind}`));
    Object.assign(this.#shelves, { [kind]: { byId, list } });
  }

  #shelf<Kind extends RecordKind>(kind: Kind): Shelves[Kind] {
    const known = this.#shelves[kind];
    if (known !== undefined) return known;
    if (this.#copied === undefined) this.fill(kind, [], []);
    else Object.assign(this.#shelves, { [kind]: this.#copyShelf(kind, this.#copied.#shelf(kind) as never) });
    return this.#shelves[kind] as Shelves[Kind];
  }

  #copyShelf<T extends Listed>(kind: RecordKind, { byId, list }: Shelf<T>): Shelf<T> {
    const [noteRecord, noteList] = [this.#noteOf(kind), this.#noteOf(`listed ${kind}`)];
    if (kind === 'agents') return { byId: byId.copy(noteRecord), list: list.copy(noteList) };
    // These records name their organization.
    const own = new RecordMap<T>(
      byId.values().map((record) => ({ ...record, organizationId: this.id })),
      noteRecord,
    );
    return { byId: own, list: list.copy(noteList, ({ id }) => own.get(id) as T) };
  }

  #noteOf(kind: PartKind) {
    return (id: string, value: PartChange['value']) => this.#note({ kind, id, value });
  }

  // A file in a copy changes its status as long after the copy's start as the original after its own start.
  #copiedFiles(driveId: string): FileTree | undefined {
    return this.#copied?.filesOf(driveId).later(this.startedAtMs - this.#copied.startedAtMs);
  }

  #keepFiles(driveId: string, files: FileTree): void {
    this.#files ??= new Map();
    this.#files.set(driveId, files);
  }

  #newTree(driveId: string, files: FileTree): FileTree {
    return files.copy((id, value) => this.#note({ kind: 'files', drive: driveId, id, value }));
  }

  #note(part?: PartChange<PartKind>): void {
    this.isAsMade = false;
    this.recorder?.noteIn(this, part);
  }
}

/** What a list needs from a record. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

// Most drives of a large organization are empty. They share one tree, which is never changed.
const noFiles = new FileTree();

/** The start of an organization's id stream. Each `streamName` has its own stream. */
export function idStreamOf({ randomSeed }: Runtime, streamName: string): IdState {
  return firstIdState(createRandom(`${randomSeed}/${streamName}`));
}

/** Lists a new resource immediately, or a little later: open point `readAfterWrite`. */
export function enlist(organization: Organization, task: ListTask): void {
  const { profile, clock } = organization.runtime;
  if (profile.readAfterWrite === 'immediate') showInList(organization, task);
  else organization.deferred.later(clock.nowMs(), task);
}

/** Lists a new resource, unless it was removed again. */
export function showInList({ drives, drivesById, mcpServers, mcpServersById }: Organization, task: ListTask): void {
  if (task.kind === 'listDrive') addTo(drives, drivesById.get(task.id));
  else addTo(mcpServers, mcpServersById.get(task.id));
}

type ListTask = Extract<Task, { id: string }>;

function addTo<T extends Listed>(to: OrderedList<T>, item: T | undefined) {
  if (item !== undefined) to.add(item);
}
