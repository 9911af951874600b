import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization } from '../domain/organizations.ts';
import type { RecordChange, RecordKind, StoreChange } from '../domain/recorder.ts';
import { countsOf } from '../domain/repeat-change.ts';
import type { Agent, Drive, DriveFile, McpServer } from '../domain/resources.ts';
import type { Seed } from '../domain/seed.ts';
import { type OrganizationSnapshot, toOrganizationSnapshot } from '../domain/snapshot.ts';
import type { Origin, Tenant } from '../domain/store.ts';
import { pendingIn } from '../domain/templates.ts';
import type { Engine } from './engine.ts';
import type { WorldsState } from './tenants.ts';

/** All that a state has besides its organizations. Times in milliseconds. */
export interface SavedHead {
  seed: Seed;
  randomSeed: number;
  startedAtMs: number;
  /** Where the clock was fixed at the start, and where it is now. Absent: it ran, or runs. */
  clock: { startMs?: number | undefined; fixedAtMs?: number | undefined };
  /** What all organizations without a profile of their own play. */
  profile: Profile;
  revokedKeys: readonly string[];
  worlds: WorldsState;
}

/** One change of a state, as data. A head and all changes since, in their order, give the same state. */
export type SavedChange =
  | (RecordChange & { readonly in: string })
  | StoreChange
  | { readonly do: 'use'; readonly in: string; readonly lastUse: number }
  | { readonly do: 'clock'; readonly fixedAtMs?: number | undefined }
  | ({ readonly do: 'worlds' } & Pick<WorldsState, 'count' | 'keys'>)
  | { readonly do: 'make'; readonly made: SavedTenant; readonly pending: readonly FilePiece[] }
  /** Pieces of the organization that is put next. */
  | { readonly do: 'gather'; readonly pieces: readonly Piece[] }
  | { readonly do: 'put'; readonly put: SavedTenant & Pick<OrganizationSnapshot, 'ids' | 'deferred'> };

/** What the store knows of an organization. */
export interface SavedTenant {
  readonly id: string;
  readonly name: string;
  readonly origin: Origin;
  readonly keys: readonly string[];
  readonly firstKeys: readonly string[];
  readonly ownProfile?: Profile | undefined;
}

/** One record of a large organization, with its files in pieces of their own; or its place in a list. */
export type Piece =
  | { readonly of: RecordKind; readonly record: Agent | Omit<Drive | McpServer, 'organizationId'> }
  | { readonly listed: RecordKind; readonly id: string }
  | FilePiece;

export interface FilePiece {
  readonly drive: string;
  readonly file: DriveFile;
}

/** The head of the state of an engine. */
export function headOf({ seed, runtime, clock, store, tenants }: Engine): SavedHead {
  const { randomSeed, startedAtMs, profile } = runtime;
  return {
    ...{ seed, randomSeed, startedAtMs, profile },
    clock: { startMs: clock.startMs, fixedAtMs: clock.fixedAtMs },
    revokedKeys: store.revokedKeys,
    worlds: tenants.state(),
  };
}

/** An organization that was added to the store or replaced there, as it is now. A large one comes in several parts. */
export function* putChanges(tenant: Tenant): Generator<SavedChange> {
  const { organization, origin, keys, firstKeys, ownProfile } = tenant;
  const { id, name, idState, deferred } = organization;
  const saved: SavedTenant = { id, name, origin, keys: [...keys], firstKeys, ownProfile };
  if (organization.isAsMade && !origin.isLost) {
    yield { do: 'make', made: saved, pending: pendingOf(organization) };
    return;
  }
  for (const pieces of together(piecesOf(toOrganizationSnapshot(tenant)))) yield { do: 'gather', pieces };
  yield { do: 'put', put: { ...saved, ids: idState, deferred: deferred.state() } };
}

// When these change is all that depends on when an organization was made.
function pendingOf(organization: Organization): FilePiece[] {
  return [...organization.drivesById.keys()].flatMap((drive) =>
    pendingIn(organization.filesOf(drive)).map((file) => ({ drive, file })),
  );
}

/** Where an organization has got to without a change of its records. */
export function countChanges({ organization, lastUse }: Tenant): SavedChange[] {
  const { id } = organization;
  return [
    { do: 'count', in: id, ...countsOf(organization) },
    { do: 'use', in: id, lastUse },
  ];
}

/** All organizations of a store, in their order, as changes of an empty one. */
export function* allChanges({ store }: Engine): Generator<SavedChange> {
  for (const tenant of store.tenants) {
    yield* putChanges(tenant);
    yield* countChanges(tenant);
  }
}

// Small enough for any reader, large enough to be quick.
const mostTogether = 1_000;

function* together<T>(all: Iterable<T>): Generator<T[]> {
  let some: T[] = [];
  for (const one of all) {
    some.push(one);
    if (some.length < mostTogether) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

function* piecesOf({ agents, drives, mcpServers, listed }: OrganizationSnapshot): Generator<Piece> {
  for (const record of agents) yield { of: 'agents', record };
  for (const record of mcpServers) yield { of: 'mcpServers', record };
  for (const { files, ...record } of drives) {
    yield { of: 'drives', record };
    for (const file of files) yield { drive: record.id, file };
  }
  for (const kind of ['agents', 'drives', 'mcpServers'] as const) {
    for (const id of listed[kind]) yield { listed: kind, id };
  }
}
