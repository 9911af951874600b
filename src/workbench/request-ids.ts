/** A digest that cannot be inverted, in hexadecimal: SHA-256. */
export type Digest = (text: string) => string;

/** Returns the id for the next request of an organization; undefined stands for requests without a valid key. */
export type RequestIds = (organizationId: string | undefined) => string;

// This many deleted organizations are remembered.
const rememberedCounts = 10_000;

/**
 * Ids for requests that came without one. Each organization counts separately, so that two runs give the same ids
 * however their tests overlap. The digest hides the count, so that nobody learns how much others send.
 */
export function createRequestIds(randomSeed: number, digest: Digest, countKept: () => number): RequestIds {
  const counted = new Map<string, Counted>();
  let latest: { id: string; own: Counted } | undefined;
  const find = (id: string): Counted => {
    if (latest?.id === id) return latest.own;
    const own = counted.get(id) ?? { count: 0, digits: '' };
    // Moves the latest one to the end.
    counted.delete(id);
    counted.set(id, own);
    const isFull = counted.size > countKept() + rememberedCounts;
    const oldest = isFull ? counted.keys().next().value : undefined;
    if (oldest !== undefined) counted.delete(oldest);
    latest = { id, own };
    return own;
  };
  return (organizationId = '') => {
    const own = find(organizationId);
    const place = own.count++ % idsOfDigest;
    if (place === 0) own.digits = digest(`${randomSeed}/${organizationId}/${own.count}`);
    return `req-${own.digits.slice(place * idDigits, (place + 1) * idDigits)}`;
  };
}

/** How many ids an organization got, and the digits for its next ones. */
interface Counted {
  count: number;
  digits: string;
}

const idDigits = 16;
const idsOfDigest = 4;
