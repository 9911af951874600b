/** How many digits of a second a timestamp shows. */
function digitsOf(timestamp: string): number {
  return /\.(\d+)/.exec(timestamp)?.[1]?.length ?? 0;
}

/**
 * How far one timestamp lies before another, as precise as the coarser of the two: how precise each is is open (open point
 * `timestampPrecision`). Negative where it lies behind; NaN where one is no timestamp.
 */
export function msBetween(earlier: string, later: string): number {
  const digits = Math.min(digitsOf(earlier), digitsOf(later), 3);
  const stepMs = 10 ** (3 - digits);
  return (Math.floor(Date.parse(later) / stepMs) - Math.floor(Date.parse(earlier) / stepMs)) * stepMs;
}
