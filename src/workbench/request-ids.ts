/** A digest that nobody can invert, in hexadecimal: SHA-256. */
export type Digest = (text: string) => string;

/** Gives the next request of an organization its id; that of none, where it had no valid key. */
export type RequestIds = (organizationId: string | undefined) => string;

// Of organizations that are no longer there, as many are remembered.
const rememberedCounts = 10_000;

/**
 * Ids for requests that came without one. Each organization counts for itself, so that two runs give the same ids however
 * their tests overlap, and the digest hides the count: nobody learns from it how much the others send.
 */
export function createRequestIds(randomSeed: number, digest: Digest, countKept: () => number): RequestIds {
  const counts = new Map<string, number>();
  return (organizationId = '') => {
    const count = (counts.get(organizationId) ?? 0) + 1;
    // The latest one is last.
    counts.delete(organizationId);
    counts.set(organizationId, count);
    const isFull = counts.size > countKept() + rememberedCounts;
    const oldest = isFull ? counts.keys().next().value : undefined;
    if (oldest !== undefined) counts.delete(oldest);
    return `req-${digest(`${randomSeed}/${organizationId}/${count}`).slice(0, 16)}`;
  };
}
