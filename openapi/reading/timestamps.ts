/**
 * The time from one timestamp to another, in milliseconds, at the precision of the coarser one: the precision is open
 * (open point `timestamps.precision`). Negative if `later` is before `earlier`; NaN if one is not a timestamp.
 */
export function msBetween(earlier: string, later: string): number {
  const digits = Math.min(fractionDigits(earlier), fractionDigits(later), 3);
  const stepMs = 10 ** (3 - digits);
  return (Math.floor(Date.parse(later) / stepMs) - Math.floor(Date.parse(earlier) / stepMs)) * stepMs;
}

/** How many digits a timestamp has after the seconds. */
export function fractionDigits(timestamp: string): number {
  return /\.(\d+)/.exec(timestamp)?.[1]?.length ?? 0;
}
