import type { Profile } from '../../openapi/contract/profile.ts';
import type { DeferredState } from '../domain/deferred.ts';
import type { IdState } from '../domain/ids.ts';
import { Organization } from '../domain/organizations.ts';
import type { PartChange, PartKind, RecordKind, StorePartKind } from '../domain/recorder.ts';
import type { DriveFile } from '../domain/resources.ts';
import type { Seed } from '../domain/seed.ts';
import { type Origin, type Sandbox, Store } from '../domain/store.ts';
import type { Engine } from '../engine/engine.ts';
import { remake } from '../engine/restore.ts';
import type { SandboxesProgress } from '../engine/sandboxes.ts';
import { organizationKind, type Row, type RowName } from './rows.ts';
import type { StateFile } from './state-file.ts';

// Converts a state to rows and back. A record is stored as it is, so a new field needs no change here. A new kind does
// not compile until `noParts` has it.

/** What a state starts with. Times in milliseconds. */
export interface SavedStart {
  /** The version of the package. */
  readonly writtenBy: string;
  readonly seed: Seed;
  readonly randomSeed: number;
  readonly startedAtMs: number;
  /** The time at which the clock was fixed; absent if it ran. */
  readonly clockMs?: number | undefined;
  /** The profile that the mock's options asked for. */
  readonly askedProfile: Profile;
  /** The profile of all organizations without their own. */
  readonly profile: Profile;
}

/** What changes in a mock without a change to a record. */
interface SavedProgress {
  readonly sandboxes: SandboxesProgress;
  /** The time at which the clock is fixed; absent while it runs. */
  readonly clockMs?: number | undefined;
}

/** An organization without its parts. */
interface SavedOrganization {
  readonly name: string;
  readonly origin: Origin;
  readonly firstKeys: readonly string[];
  readonly ownProfile?: Profile | undefined;
  readonly lastUse: number;
  readonly isWritten: boolean;
  /** Whether it is recreated from its origin and has no rows except its keys. */
  readonly isRemade: boolean;
  readonly ids: IdState;
  readonly deferred: DeferredState;
}

const recordKinds = ['agents', 'drives', 'mcpServers'] as const satisfies readonly RecordKind[];

/** The row of a part of an organization, or of a store. */
export function partName({ kind, id, drive = '' }: PartChange, organization = ''): RowName {
  return { organization, kind, drive, id };
}

export function organizationRow({ organization, origin, firstKeys, ownProfile, lastUse }: Sandbox): Row {
  const { id, name, isWritten, ids, deferred } = organization;
  const isRemade = canBeRemade(organization, origin);
  const value: SavedOrganization = {
    ...{ name, origin, firstKeys, ownProfile, lastUse, isWritten, isRemade, ids: ids.state() },
    deferred: deferred.state(),
  };
  return { organization: id, kind: organizationKind, drive: '', id: '', value };
}

/** Whether an organization can be recreated from its origin at any time: most sandboxes can. */
export function canBeRemade(organization: Organization, { isLost }: Origin): boolean {
  if (!organization.isAsMade || isLost) return false;
  // When files change their status depends on when they were created.
  return organization.drivesById.keys().every((drive) =>
    organization
      .filesOf(drive)
      .all()
      .every(({ next }) => next === undefined),
  );
}

export function* organizationRows(sandbox: Sandbox): Generator<Row> {
  const { organization, keys, origin } = sandbox;
  yield organizationRow(sandbox);
  for (const part of [...partsOf(keys), ...(canBeRemade(organization, origin) ? [] : recordsOf(organization))])
    yield { ...partName(part, organization.id), value: part.value };
}

function* partsOf(keys: Iterable<string>): Generator<PartChange<PartKind>> {
  for (const id of keys) yield { kind: 'keys', id, value: true };
}

function* recordsOf(organization: Organization): Generator<PartChange<PartKind>> {
  for (const kind of recordKinds) {
    for (const value of organization.recordsOf(kind).values()) yield { kind, id: value.id, value };
    for (const id of organization.listOf(kind).arrivedIds()) yield { kind: `listed ${kind}`, id, value: true };
  }
  for (const drive of organization.drivesById.keys())
    for (const value of organization.filesOf(drive).all()) yield { kind: 'files', drive, id: value.id, value };
}

export function* stateRows(engine: Engine, about: Pick<SavedStart, 'writtenBy' | 'askedProfile'>): Generator<Row> {
  const { seed, runtime, clock, store, sandboxes } = engine;
  const { randomSeed, startedAtMs, profile } = runtime;
  const start: SavedStart = { ...about, seed, randomSeed, startedAtMs, clockMs: clock.startMs, profile };
  yield mockRow('start', start);
  yield mockRow('progress', progressOf(engine));
  const { retiredKeys, promised } = sandboxes.state();
  const lists = { 'revoked keys': store.revokedKeys, 'retired keys': retiredKeys, promised };
  for (const [kind, ids] of Object.entries(lists satisfies Record<StorePartKind, readonly string[]>))
    for (const id of ids) yield { ...partName({ kind: kind as StorePartKind, id, value: true }), value: true };
  for (const sandbox of store.sandboxes) yield* organizationRows(sandbox);
}

export function progressOf({ sandboxes, clock }: Engine): SavedProgress {
  return { sandboxes: sandboxes.progress, clockMs: clock.fixedAtMs };
}

export function mockRow(id: 'start' | 'progress', value: SavedStart | SavedProgress): Row {
  return { organization: '', kind: 'mock', drive: '', id, value };
}

/** The rows of a state, sorted out. */
export interface SavedState {
  readonly start: SavedStart;
  readonly progress: SavedProgress;
  readonly storeParts: Readonly<Record<StorePartKind, readonly string[]>>;
  readonly organizations: ReadonlyMap<string, { own: SavedOrganization; parts: Parts }>;
}

/** A state file, and what it held when it was opened; undefined if there was none. */
export interface OpenState {
  readonly file: StateFile;
  readonly saved: SavedState | undefined;
}

type Parts = Record<PartKind, Row[]>;

function noParts(): Parts {
  const listed = { 'listed agents': [], 'listed drives': [], 'listed mcpServers': [] };
  return { agents: [], drives: [], mcpServers: [], ...listed, files: [], keys: [] };
}

/** Sorts the rows of a state. Missing rows are detected when an engine resumes from it. */
export function toSavedState(rows: readonly Row[]): SavedState {
  const mock: Record<string, unknown> = {};
  const storeParts: Record<StorePartKind, string[]> = { 'revoked keys': [], 'retired keys': [], promised: [] };
  const organizations = new Map<string, { own: SavedOrganization; parts: Parts }>();
  for (const row of rows) {
    const { organization, kind, id, value } = row;
    if (kind === organizationKind)
      organizations.set(organization, { own: value as SavedOrganization, parts: noParts() });
    else if (organization !== '')
      (organizations.get(organization) as { parts: Parts }).parts[kind as PartKind].push(row);
    else if (kind === 'mock') mock[id] = value;
    else storeParts[kind as StorePartKind].push(id);
  }
  return { ...(mock as Pick<SavedState, 'start' | 'progress'>), storeParts, organizations };
}

/** Restores a state in an engine that began like it. Throws if that is not possible. */
export function restoreState(engine: Engine, { progress, storeParts, organizations }: SavedState): void {
  engine.store = new Store([], engine.store.templates);
  const { store, sandboxes, clock } = engine;
  clock.set(progress.clockMs);
  for (const [id, { own, parts }] of organizations) restoreOrganization(engine, id, own, parts);
  for (const key of storeParts['revoked keys']) store.revoke(key);
  sandboxes.restore({ ...progress.sandboxes, retiredKeys: storeParts['retired keys'], promised: storeParts.promised });
}

function restoreOrganization(engine: Engine, id: string, own: SavedOrganization, parts: Parts): void {
  const { store } = engine;
  const { name, origin, firstKeys, ids, deferred, isWritten, lastUse } = own;
  // An earlier version may not have known all open points.
  const runtime = engine.runtimeFor(own.ownProfile && { ...engine.runtime.profile, ...own.ownProfile });
  const organization = own.isRemade
    ? remake(store, runtime, name, origin, id)
    : new Organization(runtime, { id, name, ids, deferred });
  if (organization?.id !== id) throw new Error(`The seed has nothing to make the organization ${id} from.`);
  if (!own.isRemade) fill(organization, parts);
  organization.ids.goOn(ids);
  organization.isWritten = isWritten;
  const ownProfile = own.ownProfile && runtime.profile;
  store.put({ organization, origin, keys: parts.keys.map((row) => row.id), firstKeys, ownProfile });
  store.noteUse(store.sandbox(id) as Sandbox, lastUse);
}

function fill(organization: Organization, parts: Parts): void {
  for (const kind of recordKinds) {
    const records = parts[kind].map(({ value }) => value as never);
    organization.fill(
      kind,
      records,
      parts[`listed ${kind}`].map((row) => row.id),
    );
  }
  for (const { drive, value } of parts.files) organization.ownFilesOf(drive).put(value as DriveFile);
}
