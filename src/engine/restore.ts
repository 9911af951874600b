import type { Profile } from '../../openapi/contract/profile.ts';
import { createIds } from '../domain/ids.ts';
import { copyOrganization, idStreamOf, Organization, type Runtime } from '../domain/organizations.ts';
import { originIn } from '../domain/origin-in.ts';
import { createTemplates, type Seed } from '../domain/seed.ts';
import { fromSnapshot, type Snapshot, toSnapshot } from '../domain/snapshot.ts';
import { type Origin, Store } from '../domain/store.ts';

/**
 * An organization in its initial state; undefined if the seed no longer has its origin. A sandbox gets a new id unless
 * one is given.
 */
export function remake(
  { templates }: Store,
  runtime: Runtime,
  name: string,
  origin: Origin,
  id?: string,
): Organization | undefined {
  if (origin.isLost) return undefined;
  const template = origin.index === undefined ? undefined : templates[origin.index];
  if (origin.kind === 'seed') return template && copyOrganization(template);
  const { count = 0, latestMs = 0 } = template?.ids.state() ?? {};
  const first = { ...idStreamOf(runtime, origin.streamName), count, latestMs };
  const ids = createIds(runtime, first);
  // Drawn even if it has an id, so that the same ids follow.
  const drawn = ids('organization');
  const facts = { id: id ?? drawn, name, ids: ids.state() };
  if (template !== undefined) return copyOrganization(template, facts);
  const empty = new Organization(runtime, facts);
  empty.isAsMade = true;
  return empty;
}

/**
 * A store with the state of another store or of a snapshot, under profiles that may differ. Organizations that are also
 * in `earlier` keep their own profiles; `runtimeFor` returns the runtime for a profile, or the common runtime.
 */
export function restoreStore(
  seed: Seed,
  state: Store | Snapshot,
  earlier: Store,
  runtimeFor: (own: Profile | undefined) => Runtime,
): Store {
  const { organizations, revokedKeys } = state instanceof Store ? toSnapshot(state) : state;
  const sandboxes = organizations.map((organization) => {
    const own = earlier.sandbox(organization.id)?.ownProfile;
    const runtime = runtimeFor(own);
    const sandbox = fromSnapshot(runtime, organization);
    return { ...sandbox, origin: originIn(seed, sandbox), ownProfile: own && runtime.profile };
  });
  const store = new Store(sandboxes, createTemplates(runtimeFor(undefined), seed));
  for (const key of revokedKeys) store.revoke(key);
  if (state instanceof Store) store.rememberUses(state);
  return store;
}
