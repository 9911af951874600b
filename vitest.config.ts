import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { repositorySeed } from './test/support/random-seed.ts';
import { measureSlowness } from './test/support/time-limit.ts';

const seed = Number(process.env.TEST_SEED ?? repositorySeed);
const slowness = measureSlowness();
// A limit only ends what hangs: the longest test takes 15 s in the quick run and 100 s in the full one.
const limitsMs = { quick: 120_000, full: 600_000 };
const tests = 'test/**/*.test.ts';
// Of the proof, the quick run takes what guards the power of the suite.
const guard = 'proof/power/{guard/*,mutants}.test.ts';
const proof = 'proof/**/*.test.ts';
const deepest = 'test/**/*.full.test.ts';
// The mutation tests install what they need below them.
const installed = '**/node_modules/**';

// CI runs the full tests after the quick ones, and then only what goes deeper.
function deeperFiles(): string[] {
  const isDeeper = (file: string) => /\b(depth\(|sampleOf\(|story\(|isFull\b)/.test(readFileSync(file, 'utf8'));
  const quick = globSync([tests, guard], { exclude: [installed, deepest] }).filter((file) => !isDeeper(file));
  return globSync([tests, guard], { exclude: [installed] }).filter((file) => !quick.includes(file));
}

function included(mode: string): string[] {
  if (mode === 'proof') return [proof];
  return mode === 'full' && process.env.AFTER_QUICK_RUN !== undefined ? deeperFiles() : [tests, guard];
}

/**
 * `vitest run` is the quick run, `vitest run --mode full` the full one: see test/support/depth.ts. `--mode proof` runs the
 * tests of the proof.
 */
export default defineConfig(({ mode }) => {
  const depth = ['full', 'proof'].includes(mode) ? 'full' : 'quick';
  const limitMs = limitsMs[depth] * slowness;
  return {
    test: {
      include: included(mode),
      exclude: depth === 'full' ? [installed] : [installed, deepest],
      env: {
        TEST_DEPTH: depth,
        TEST_SEED: String(seed),
        TEST_SLOWNESS: String(slowness),
      },
      globalSetup: ['test/support/temporary-folder.ts'],
      setupFiles: ['test/support/set-up.ts'],
      // In CI, nobody reads thousands of check marks, or what tests that pass print.
      silent: process.env.CI ? 'passed-only' : false,
      reporters: [process.env.CI ? 'dot' : 'default', './test/support/closing-line.ts'],
      // Every server takes a free port, and no file leaves anything behind in its process: any order, any at the same time.
      // The longest files start first, the seed draws the order of the others.
      // Three workers keep two cores busy, since many tests wait for other processes.
      sequence: { shuffle: true, seed, sequencer: LongestFirst },
      maxWorkers: 3,
      isolate: false,
      // A test that asserts nothing proves nothing. What a test waits for comes late on a busy machine: the default of one
      // second is too short.
      expect: { requireAssertions: true, poll: { timeout: limitMs / 2 } },
      testTimeout: limitMs,
      hookTimeout: limitMs,
    },
  };
});
