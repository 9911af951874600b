import type { Runtime } from '../domain/organizations.ts';
import { createStore, type Seed, type SeedOrganization } from '../domain/seed.ts';
import { type NewTenant, type Origin, Store, type Tenant } from '../domain/store.ts';
import { remake } from './restore.ts';

/** What became of the organizations under another seed, by name. */
export interface Reseeding {
  /** They are as the new seed has them. */
  renewed: string[];
  /** Their state differs from that at their start, so it is kept until they are reset. */
  kept: string[];
}

/**
 * A store with another seed. An organization that was not changed since its start is as the new seed has it, or gone with
 * it. One that was changed keeps its state; so does a world whose organization the new seed does not have.
 */
export function reseedStore(runtime: Runtime, before: Seed, seed: Seed, earlier: Store): Reseeding & { store: Store } {
  const start = createStore(runtime, seed);
  const moved = earlier.tenants.map((tenant) => ({ ...tenant, origin: originIn(seed, before, tenant.origin) }));
  const isKept = ({ organization, origin }: Tenant) => organization.isWritten || isLostWorld(seed, origin);
  const kept = moved.filter(isKept);
  const worlds = moved.filter((tenant) => tenant.origin.kind === 'world' && !isKept(tenant));
  const remade = worlds.map((tenant): NewTenant => {
    const { organization, origin, keys, firstKeys } = tenant;
    return {
      organization: remake(start, runtime, organization.name, origin) ?? organization,
      origin,
      keys: [...keys],
      firstKeys,
    };
  });
  const renewed = [...start.tenants.map(toNewTenant), ...remade].flatMap((tenant) => withoutTaken(tenant, kept));
  const store = new Store(inOrder([...renewed, ...kept.map(toNewTenant)], earlier), start.templates);
  for (const key of earlier.revokedKeys) store.revoke(key);
  store.rememberUses(earlier);
  return { store, renewed: renewed.map(nameOf), kept: kept.map(nameOf) };
}

/** The origin with the index that its organization has in the new seed; where it has none, the index after the last. */
function originIn(seed: Seed, before: Seed, origin: Origin): Origin {
  const { index } = origin;
  if (index === undefined) return origin;
  const found = indexIn(seed, before.organizations[index]);
  // Who is not found and has a stranger in its place was renamed.
  const isRenamed = found < 0 && indexIn(before, seed.organizations[index]) < 0 && index < seed.organizations.length;
  return { ...origin, index: found >= 0 ? found : isRenamed ? index : seed.organizations.length };
}

/** Where a seed has an organization, by its id or else by its name; -1 where it has none. */
function indexIn({ organizations }: Seed, wanted: SeedOrganization | undefined): number {
  const byId = organizations.findIndex(({ id }) => id !== undefined && id === wanted?.id);
  return byId >= 0 ? byId : organizations.findIndex(({ name }) => name === wanted?.name);
}

function isLostWorld(seed: Seed, { kind, index }: Origin): boolean {
  return kind === 'world' && index === seed.organizations.length;
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
    origin.kind === 'seed' ? origin.index : (places.get(organization.id) ?? 0);
  return [...tenants].sort((one, other) => Number(ofSeed(other)) - Number(ofSeed(one)) || rankOf(one) - rankOf(other));
}

function toNewTenant({ keys, ...tenant }: Tenant): NewTenant {
  return { ...tenant, keys: [...keys] };
}

function nameOf({ organization: { name } }: NewTenant | Tenant): string {
  return name;
}
