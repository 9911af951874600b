/** The figures of one subject, in the order in which they were taken. */
export type Samples = readonly number[];

export function median(samples: Samples): number {
  return percentile(samples, 50);
}

/** The value below which `percent` of the samples lie, between the two nearest where it falls between. */
export function percentile(samples: Samples, percent: number): number {
  if (samples.length === 0) throw new Error('There is no sample.');
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
