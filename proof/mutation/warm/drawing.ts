import { createHash } from 'node:crypto';

/** Which faults are tried: all without this, these, or so many that the seed draws. */
export interface Draw {
  ids?: readonly string[];
  sample?: { seed: number; count: number };
}

/** How each fault is tried. */
export interface MutationPlan {
  /** Whether all modules are loaded anew for it. */
  isFresh: boolean;
  /** How long the tests may take together, measured without a fault. */
  budgetMs: number;
}

/** The ids that are drawn. */
export function drawnIds(all: readonly string[], { ids, sample }: Draw): ReadonlySet<string> {
  if (ids !== undefined) return new Set(ids);
  if (sample === undefined) return new Set(all);
  const rank = (id: string) => createHash('sha256').update(`${sample.seed}:${id}`).digest('hex');
  const ranked = all.map((id) => ({ id, rank: rank(id) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return new Set(ranked.slice(0, sample.count).map(({ id }) => id));
}
