// What a change of seed preserves. For `--watch` see `src/cli/mock.ts` and `src/cli/watch-file.ts`.
import type { Organization, Runtime } from '../domain/organizations.ts';
import { originIn } from '../domain/origin-in.ts';
import { createStore, type Seed } from '../domain/seed.ts';
import { type NewSandbox, type Origin, type Sandbox, Store } from '../domain/store.ts';
import { remake } from './restore.ts';

/** What happened to the organizations under a new seed, by name. */
export interface Reseeding {
  /** Now as in the new seed. */
  renewed: string[];
  /** Changed since their start, so their state is kept until they are reset. */
  kept: string[];
  /** Deleted before, so they stay deleted until the whole mock is reset. */
  deleted: string[];
}

/**
 * A store under a new seed. An organization that was not changed since its start becomes what it is in the new seed, or
 * goes if it is not there. A changed one keeps its state, as does a sandbox whose organization is not in the new seed.
 * A deleted one stays deleted.
 */
export function reseedStore(runtime: Runtime, seed: Seed, earlier: Store): Reseeding & { store: Store } {
  const start = createStore(runtime, seed);
  const moved = earlier.sandboxes.map((sandbox) => ({ ...sandbox, origin: originIn(seed, sandbox) }));
  const isKept = ({ organization, origin }: Sandbox) =>
    organization.isWritten || (origin.kind === 'sandbox' && origin.isLost);
  const kept = moved.filter(isKept);
  const sandboxes = moved.filter((sandbox) => sandbox.origin.kind === 'sandbox' && !isKept(sandbox));
  const remade = sandboxes.map((sandbox): NewSandbox => {
    const { organization, origin, keys, firstKeys } = sandbox;
    return {
      organization: remake(start, runtime, organization.name, origin, organization.id) ?? organization,
      origin,
      keys: [...keys],
      firstKeys,
    };
  });
  const deleted = deletedOf(seed, earlier).filter((index) => !moved.some(({ origin }) => isOfSeed(origin, index)));
  const isDeleted = ({ origin }: Sandbox) => deleted.some((index) => isOfSeed(origin, index));
  const ofSeed = start.sandboxes.filter((sandbox) => !isDeleted(sandbox)).map(toNewSandbox);
  const renewed = [...ofSeed, ...remade].flatMap((sandbox) => withoutTaken(sandbox, kept));
  const store = new Store(inOrder([...renewed, ...kept.map(toNewSandbox)], earlier), start.templates);
  for (const key of earlier.revokedKeys) store.revoke(key);
  store.rememberUses(earlier);
  const told = { renewed: renewed.map(nameOf), kept: kept.map(nameOf) };
  return { store, ...told, deleted: start.sandboxes.filter(isDeleted).map(nameOf) };
}

/** The indexes in a seed of organizations that the earlier seed also had, but that the store no longer has. */
function deletedOf(seed: Seed, { templates, sandboxes }: Store): number[] {
  const indexes = [...templates.keys()];
  const gone = indexes.filter((index) => !sandboxes.some(({ origin }) => isOfSeed(origin, index)));
  return gone.flatMap((index) => {
    const organization = templates[index] as Organization;
    const { index: now } = originIn(seed, { organization, origin: { kind: 'seed', index } });
    return now === undefined ? [] : [now];
  });
}

function isOfSeed(origin: Origin, index: number | undefined): boolean {
  return origin.kind === 'seed' && origin.index === index;
}

/** A sandbox without the keys that others have; none if its place is taken. */
function withoutTaken(sandbox: NewSandbox, kept: readonly Sandbox[]): NewSandbox[] {
  const { organization, origin, keys, firstKeys = keys } = sandbox;
  const hasPlace = (other: Sandbox) =>
    other.organization.id === organization.id || (origin.kind === 'seed' && isOfSeed(other.origin, origin.index));
  if (kept.some(hasPlace)) return [];
  const free = keys.filter((key) => !kept.some((other) => other.keys.has(key)));
  return [{ ...sandbox, keys: free, firstKeys }];
}

/** In seed order; then the sandboxes in their earlier order. */
function inOrder(sandboxes: readonly NewSandbox[], earlier: Store): NewSandbox[] {
  const places = new Map(earlier.sandboxes.map(({ organization }, place) => [organization.id, place]));
  const ofSeed = (sandbox: NewSandbox) => sandbox.origin.kind === 'seed';
  const rankOf = ({ organization, origin }: NewSandbox) =>
    origin.kind === 'seed' ? (origin.index ?? sandboxes.length) : (places.get(organization.id) ?? 0);
  return [...sandboxes].sort(
    (one, other) => Number(ofSeed(other)) - Number(ofSeed(one)) || rankOf(one) - rankOf(other),
  );
}

function toNewSandbox({ keys, ...sandbox }: Sandbox): NewSandbox {
  return { ...sandbox, keys: [...keys] };
}

function nameOf({ organization: { name } }: NewSandbox | Sandbox): string {
  return name;
}
