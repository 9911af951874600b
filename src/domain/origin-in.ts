import type { Seed } from './seed.ts';
import type { Identity, NewSandbox, Origin } from './store.ts';

/** The origin of an organization in this seed, where it may have a different index than before. */
export function originIn(seed: Seed, { organization, origin }: Pick<NewSandbox, 'organization' | 'origin'>): Origin {
  if (origin.kind === 'seed') {
    const index = indexIn(seed, organization, origin.index);
    return index < 0 ? { kind: 'seed', isLost: true } : { kind: 'seed', index };
  }
  const { index: before, isLost: _, ...kept } = origin;
  if (kept.copied === undefined) return origin;
  const index = indexIn(seed, kept.copied, before);
  if (index === before) return origin;
  return index < 0 ? { ...kept, isLost: true } : { ...kept, index };
}

/** The index of an organization in a seed, found by its id or else its name; -1 if it is missing. Names may repeat. */
function indexIn({ organizations }: Seed, wanted: Identity, before: number | undefined): number {
  const byId = organizations.findIndex(({ id }) => id === wanted.id);
  if (byId >= 0) return byId;
  if (before !== undefined && organizations[before]?.name === wanted.name) return before;
  return organizations.findIndex(({ name }) => name === wanted.name);
}
