import type { Profile } from '../../openapi/contract/profile.ts';
import { idStreamOf, Organization, type Runtime } from '../domain/organizations.ts';
import { createTemplates, type Seed } from '../domain/seed.ts';
import { fromSnapshot, type Snapshot, toSnapshot } from '../domain/snapshot.ts';
import { type Origin, Store } from '../domain/store.ts';
import { copyOrganization } from '../domain/templates.ts';

/** An organization as it was at its origin. */
export function remake({ templates }: Store, runtime: Runtime, name: string, origin: Origin): Organization {
  const { kind, index } = origin;
  const fresh = kind === 'seed' ? templates.make(index) : undefined;
  if (fresh !== undefined) return fresh;
  const streamName = kind === 'world' ? origin.streamName : name;
  const template = index === undefined ? undefined : templates.at(index);
  if (template !== undefined) return copyOrganization(template, { name, streamName });
  return new Organization(runtime, { name, ids: idStreamOf(runtime, streamName) });
}

/**
 * A store with the state of another store or of a snapshot, under profiles that may differ. Organizations that `earlier`
 * holds too keep their own profile; `runtimeFor` makes what they run with, and without one what all run with.
 */
export function restoreStore(
  seed: Seed,
  state: Store | Snapshot,
  earlier: Store,
  runtimeFor: (own: Profile | undefined) => Runtime,
): Store {
  const { organizations, revokedKeys } = state instanceof Store ? toSnapshot(state) : state;
  const tenants = organizations.map((organization) => {
    const own = earlier.tenant(organization.id)?.ownProfile;
    const runtime = runtimeFor(own);
    return { ...fromSnapshot(runtime, organization), ownProfile: own && runtime.profile };
  });
  const store = new Store(tenants, createTemplates(runtimeFor(undefined), seed));
  for (const key of revokedKeys) store.revoke(key);
  if (state instanceof Store) store.rememberUses(state);
  return store;
}
