// Fields of an organization are also listed in `resources.ts`, `seed.ts` and `snapshot.ts`.
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { Deferred, type DeferredState, type Task } from './deferred.ts';
import { FileTree } from './file-tree.ts';
import { createIds, firstIdState, type IdKind, type IdState, type Ids } from './ids.ts';
import { type Listed, OrderedList } from './ordered-list.ts';
import { createRandom } from './random.ts';
import type { PartChange, PartKind, Recorder, RecordKind } from './recorder.ts';
import type { Agent, Drive, DriveFile, McpServer, Revision } from './resources.ts';

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
  readonly id: string;
  readonly name: string;
  readonly ids: IdState;
  readonly deferred?: DeferredState;
}

interface RecordTypes {
  agents: Agent;
  drives: Drive;
  mcpServers: McpServer;
}

/** Everything that belongs to one organization (section 5: its key identifies it). */
export class Organization {
  readonly id: string;
  readonly name: string;
  readonly runtime: Runtime;
  /** When it was created, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly ids: Ids;
  readonly deferred: Deferred;
  readonly agentsById = this.#newMap<Agent>('agents');
  readonly drivesById = this.#newMap<Drive>('drives');
  readonly mcpServersById = this.#newMap<McpServer>('mcpServers');
  readonly agents: OrderedList<Agent>;
  readonly drives: OrderedList<Drive>;
  readonly mcpServers: OrderedList<McpServer>;
  /** Receives every change. Absent: the state is not saved. */
  recorder: Recorder | undefined;
  /** Whether it is unchanged since it was made from its origin. */
  isAsMade = false;
  #isWritten = false;
  readonly #files = new Map<string, FileTree>();

  constructor(runtime: Runtime, { id, name, ids, deferred }: OrganizationFacts) {
    this.runtime = runtime;
    this.startedAtMs = runtime.clock.nowMs();
    this.id = id;
    this.name = name;
    this.ids = createIds(runtime, ids, (kind, id) => this.#has(kind, id));
    this.deferred = new Deferred(deferred, () => this.#note());
    this.agents = this.#newList('agents');
    this.drives = this.#newList('drives');
    this.mcpServers = this.#newList('mcpServers');
  }

  /** Whether its data may differ from its initial data. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  set isWritten(isWritten: boolean) {
    this.#isWritten = isWritten;
    if (isWritten) this.#note();
  }

  recordsOf<Kind extends RecordKind>(kind: Kind): Map<string, RecordTypes[Kind]> {
    return this[`${kind}ById`] as Map<string, never>;
  }

  listOf<Kind extends RecordKind>(kind: Kind): OrderedList<RecordTypes[Kind]> {
    return this[kind] as OrderedList<never>;
  }

  /** The files of one of its drives, read-only. */
  filesOf(driveId: string): FileTree {
    return this.#files.get(driveId) ?? noFiles;
  }

  /** The files of one of its drives, for changing. */
  ownFilesOf(driveId: string): FileTree {
    const known = this.#files.get(driveId);
    if (known !== undefined) return known;
    const files = new FileTree((id, value) => this.#note({ kind: 'files', drive: driveId, id, value }));
    this.#files.set(driveId, files);
    return files;
  }

  dropFiles(driveId: string): void {
    for (const { id } of this.filesOf(driveId).all()) this.ownFilesOf(driveId).remove(id);
    this.#files.delete(driveId);
  }

  /** Adds records to those of one kind, and some of them to its list: `listed` has their ids in order of arrival. */
  fill<Kind extends RecordKind>(kind: Kind, records: Iterable<RecordTypes[Kind]>, listed: readonly string[]): void {
    const byId = this.recordsOf(kind);
    for (const record of records) byId.set(record.id, record);
    this.listOf(kind).addAll(listed.map((id) => byId.get(id)).filter((record) => record !== undefined));
  }

  #has(kind: IdKind, id: string): boolean {
    if (kind === 'agent') return this.agentsById.has(id);
    if (kind === 'drive') return this.drivesById.has(id);
    if (kind === 'mcpServer') return this.mcpServersById.has(id);
    if (kind === 'file') return this.#files.values().some((files) => files.find(id) !== undefined);
    const isOfIt = (revision: Revision) => revision.id === id;
    return kind === 'revision' && this.agentsById.values().some(({ revisions }) => revisions.some(isOfIt));
  }

  #newMap<T extends Listed>(kind: RecordKind): Map<string, T> {
    return new NotedMap<T>((id, value) => this.#note({ kind, id, value }));
  }

  #newList<T extends Listed>(kind: RecordKind): OrderedList<T> {
    const note = (id: string, value: PartChange['value']) => this.#note({ kind: `listed ${kind}`, id, value });
    return new OrderedList<T>(this.runtime.profile.listOrder, note);
  }

  #note(part?: PartChange<PartKind>): void {
    this.isAsMade = false;
    this.recorder?.noteIn(this, part);
  }
}

/** Tells of each record set, and of each id deleted. */
class NotedMap<T extends object> extends Map<string, T> {
  readonly #note: (id: string, record: T | undefined) => void;

  constructor(note: (id: string, record: T | undefined) => void) {
    super();
    this.#note = note;
  }

  override set(id: string, record: T): this {
    this.#note(id, record);
    return super.set(id, record);
  }

  override delete(id: string): boolean {
    const wasThere = super.delete(id);
    if (wasThere) this.#note(id, undefined);
    return wasThere;
  }
}

// Most drives of a large organization are empty. They share one tree, which is never changed.
const noFiles = new FileTree();

/** The start of an organization's id stream. Each `streamName` has its own stream. */
export function idStreamOf({ randomSeed }: Runtime, streamName: string): IdState {
  return firstIdState(createRandom(`${randomSeed}/${streamName}`));
}

/** A copy of an organization in its initial state. By default it has the same name, id and next ids. */
export function copyOrganization(
  original: Organization,
  facts: OrganizationFacts = { id: original.id, name: original.name, ids: original.ids.state() },
): Organization {
  const copy = new Organization(original.runtime, facts);
  const { agents, agentsById, drives, drivesById, mcpServers, mcpServersById } = original;
  const own = <T extends object>(record: T) => ({ ...record, organizationId: copy.id });
  copy.fill('agents', agentsById.values(), agents.arrivedIds());
  copy.fill('drives', drivesById.values().map(own), drives.arrivedIds());
  copy.fill('mcpServers', mcpServersById.values().map(own), mcpServers.arrivedIds());
  const laterMs = copy.startedAtMs - original.startedAtMs;
  for (const driveId of drivesById.keys())
    for (const file of original.filesOf(driveId).all()) copy.ownFilesOf(driveId).put(changingLater(file, laterMs));
  copy.isAsMade = true;
  return copy;
}

// A file in a copy changes its status as long after the copy's start as the original after its own start.
function changingLater(file: DriveFile, byMs: number): DriveFile {
  return file.next === undefined ? file : { ...file, next: { ...file.next, atMs: file.next.atMs + byMs } };
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
