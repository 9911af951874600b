import { run } from './children.ts';

/** What a comparison of a large and a small mock gave: see `scale-worker.ts`. */
export interface ScaleSample {
  largeMs: number[];
  smallMs: number[];
  /** How long the large mock took to start. */
  loadingMs: number;
  /** The heap that the large mock takes beyond its seed, in bytes. */
  heapBytes: number;
}

export type Comparison = 'pages' | 'trees';

const limitMs = 150_000;

/** Compares in a process of its own, whose memory does not burden the other measurements. */
export async function measureScale(comparison: Comparison, count: number): Promise<ScaleSample> {
  const output = await run(
    process.execPath,
    ['--expose-gc', 'bench/scale-worker.ts', comparison, String(count)],
    limitMs,
  );
  return JSON.parse(output) as ScaleSample;
}
