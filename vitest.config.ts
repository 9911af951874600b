import { defineConfig } from 'vitest/config';
import { measureSlowness } from './test/support/time-limit.ts';

const seed = Number(process.env.TEST_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const slowness = measureSlowness();
const limitMs = 60_000 * slowness;

/** `vitest run` is the quick run, `vitest run --mode full` the full one: see test/support/depth.ts. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'full' ? [] : ['test/**/*.full.test.ts'],
    env: {
      TEST_DEPTH: mode === 'full' ? 'full' : 'quick',
      TEST_SEED: String(seed),
      TEST_SLOWNESS: String(slowness),
    },
    setupFiles: ['test/support/set-up.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    // Every server takes a free port, and no file leaves anything behind in its process: any order, any two at a time.
    sequence: { shuffle: true, seed },
    maxWorkers: 2,
    isolate: false,
    testTimeout: limitMs,
    hookTimeout: limitMs,
  },
}));
