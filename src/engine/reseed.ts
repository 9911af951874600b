import type { Organization, Runtime } from '../domain/organizations.ts';
import { originIn } from '../domain/origin-in.ts';
import { createStore, type Seed } from '../domain/seed.ts';
import { type NewTenant, type Origin, Store, type Tenant } from '../domain/store.ts';
import { remake } from './restore.ts';

/** What became of the organizations under another seed, by name. */
export interface Reseeding {
  /** They are as the new seed has them. */
  renewed: string[];
  /** Their state differs from that at their start, so it is kept until they are reset. */
  kept: string[];
  /** They were deleted, so they stay away until the whole mock is reset. */
  deleted: string[];
}

/**
 * A store with another seed. An organization that was not changed since its start is as the new seed has it, or gone with
 * it. One that was changed keeps its state; so does a world whose organization the new seed does not have. One that was
 * deleted stays deleted.
 */
export function reseedStore(runtime: Runtime, seed: Seed, earlier: Store): Reseeding & { store: Store } {
  const start = createStore(runtime, seed);
  const moved = earlier.tenants.map((tenant) => ({ ...tenant, origin: originIn(seed, tenant) }));
  const isKept = ({ organization, origin }: Tenant) =>
    organization.isWritten || (origin.kind === 'world' && origin.isLost);
  const kept = moved.filter(isKept);
  const worlds = moved.filter((tenant) => tenant.origin.kind === 'world' && !isKept(tenant));
  const remade = worlds.map((tenant): NewTenant => {
    const { organization, origin, keys, firstKeys } = tenant;
    return {
      organization: remake(start, runtime, organization.name, origin, organization.id) ?? organization,
      origin,
      keys: [...keys],
      firstKeys,
    };
  });
  const deleted = deletedOf(seed, earlier).filter((index) => !moved.some(({ origin }) => isOfSeed(origin, index)));
  const isDeleted = ({ origin }: Tenant) => deleted.some((index) => isOfSeed(origin, index));
  const ofSeed = start.tenants.filter((tenant) => !isDeleted(tenant)).map(toNewTenant);
  const renewed = [...ofSeed, ...remade].flatMap((tenant) => withoutTaken(tenant, kept));
  const store = new Store(inOrder([...renewed, ...kept.map(toNewTenant)], earlier), start.templates);
  for (const key of earlier.revokedKeys) store.revoke(key);
  store.rememberUses(earlier);
  const told = { renewed: renewed.map(nameOf), kept: kept.map(nameOf) };
  return { store, ...told, deleted: start.tenants.filter(isDeleted).map(nameOf) };
}

/** Where a seed has the organizations that the earlier seed had as well, and the store no longer has. */
function deletedOf(seed: Seed, { templates, tenants }: Store): number[] {
  const indexes = Array.from({ length: templates.size }, (_, index) => index);
  const gone = indexes.filter((index) => !tenants.some(({ origin }) => isOfSeed(origin, index)));
  return gone.flatMap((index) => {
    const organization = templates.at(index) as Organization;
    const { index: now } = originIn(seed, { organization, origin: { kind: 'seed', index } });
    return now === undefined ? [] : [now];
  });
}

function isOfSeed(origin: Origin, index: number): boolean {
  return origin.kind === 'seed' && origin.index === index;
}

/** A tenant with those of its keys that no other has; none where its place is taken. */
function withoutTaken(tenant: NewTenant, kept: readonly Tenant[]): NewTenant[] {
  const { organization, origin, keys, firstKeys = keys } = tenant;
  const hasPlace = (other: Tenant) =>
    other.organization.id === organization.id || (origin.kind === 'seed' && isSame(other.origin, origin));
  if (kept.some(hasPlace)) return [];
  const free = keys.filter((key) => !kept.some((other) => other.keys.has(key)));
  return [{ ...tenant, keys: free, firstKeys }];
}

function isSame(one: Origin, other: Origin): boolean {
  return one.kind === other.kind && one.index === other.index;
}

/** In the order of the seed; worlds after it, in their order before. */
function inOrder(tenants: readonly NewTenant[], earlier: Store): NewTenant[] {
  const places = new Map(earlier.tenants.map(({ organization }, place) => [organization.id, place]));
  const ofSeed = (tenant: NewTenant) => tenant.origin.kind === 'seed';
  const rankOf = ({ organization, origin }: NewTenant) =>
    origin.kind === 'seed' ? (origin.index ?? tenants.length) : (places.get(organization.id) ?? 0);
  return [...tenants].sort((one, other) => Number(ofSeed(other)) - Number(ofSeed(one)) || rankOf(one) - rankOf(other));
}

function toNewTenant({ keys, ...tenant }: Tenant): NewTenant {
  return { ...tenant, keys: [...keys] };
}

function nameOf({ organization: { name } }: NewTenant | Tenant): string {
  return name;
}
