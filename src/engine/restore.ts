import { idStreamOf, Organization, type World } from '../domain/organizations.ts';
import { createTemplates, type Seed } from '../domain/seed.ts';
import { fromSnapshot, type Snapshot, toSnapshot } from '../domain/snapshot.ts';
import { type Origin, Store } from '../domain/store.ts';
import { copyOf } from '../domain/templates.ts';

/** An organization as it was when it came from where it comes from. */
export function remake({ templates }: Store, world: World, name: string, origin: Origin): Organization {
  const { kind, index } = origin;
  const fresh = kind === 'seed' ? templates.make(index) : undefined;
  if (fresh !== undefined) return fresh;
  const streamName = kind === 'world' ? origin.streamName : name;
  const template = index === undefined ? undefined : templates.at(index);
  if (template !== undefined) return copyOf(template, { name, streamName });
  return new Organization(world, { name, ids: idStreamOf(world, streamName) });
}

/** The store with the state of another one, or of a snapshot, played with another profile perhaps. */
export function restoreStore(world: World, seed: Seed, state: Store | Snapshot): Store {
  const { organizations, revokedKeys } = state instanceof Store ? toSnapshot(state) : state;
  const arrivals = organizations.map((organization) => fromSnapshot(world, organization));
  const store = new Store(arrivals, createTemplates(world, seed));
  for (const key of revokedKeys) store.revoke(key);
  if (state instanceof Store) store.rememberUses(state);
  return store;
}
