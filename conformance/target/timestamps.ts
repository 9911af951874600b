/** The number of decimal places in the seconds of a timestamp. */
function digitsOf(timestamp: string): number {
  return /\.(\d+)/.exec(timestamp)?.[1]?.length ?? 0;
}

/**
 * The time from one timestamp to another, in milliseconds, with the precision of the coarser one: the precision is open (open
 * point `timestampPrecision`). Negative if `later` is before `earlier`; NaN if one is not a timestamp.
 */
export function msBetween(earlier: string, later: string): number {
  const digits = Math.min(digitsOf(earlier), digitsOf(later), 3);
  const stepMs = 10 ** (3 - digits);
  return (Math.floor(Date.parse(later) / stepMs) - Math.floor(Date.parse(earlier) / stepMs)) * stepMs;
}
