import type { World } from '../domain/organizations.ts';
import { createTemplates, type Seed } from '../domain/seed.ts';
import { fromSnapshot, type Snapshot, toSnapshot } from '../domain/snapshot.ts';
import { Store } from '../domain/store.ts';

/** The store with the state of another one, or of a snapshot, played with another profile perhaps. */
export function restoreStore(world: World, seed: Seed, state: Store | Snapshot): Store {
  const { organizations, revokedKeys } = state instanceof Store ? toSnapshot(state) : state;
  const arrivals = organizations.map((organization) => fromSnapshot(world, organization));
  const store = new Store(arrivals, createTemplates(world, seed));
  for (const key of revokedKeys) store.revoke(key);
  return store;
}
