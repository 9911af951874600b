import type { Seed } from './seed.ts';
import type { Identity, NewSandbox, Origin } from './store.ts';

/** The origin of an organization with its place in this seed, which may be another than the one it was made from. */
export function originIn(seed: Seed, { organization, origin }: Pick<NewSandbox, 'organization' | 'origin'>): Origin {
  if (origin.kind === 'seed') {
    const index = indexIn(seed, organization, origin.index);
    return index < 0 ? { kind: 'seed', isLost: true } : { kind: 'seed', index };
  }
  const { index: before, isLost: _, ...kept } = origin;
  // Snapshots of earlier versions say only where the copied organization was.
  if (kept.copied === undefined) return (before ?? -1) < seed.organizations.length ? origin : { ...kept, isLost: true };
  const index = indexIn(seed, kept.copied, before);
  if (index === before) return origin;
  return index < 0 ? { ...kept, isLost: true } : { ...kept, index };
}

/** Where a seed has an organization, by its id or else by its name; -1 where it has none. Names may repeat. */
function indexIn({ organizations }: Seed, wanted: Identity, before: number | undefined): number {
  const byId = organizations.findIndex(({ id }) => id === wanted.id);
  if (byId >= 0) return byId;
  if (before !== undefined && organizations[before]?.name === wanted.name) return before;
  return organizations.findIndex(({ name }) => name === wanted.name);
}
