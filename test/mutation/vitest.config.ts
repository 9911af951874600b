import { defineConfig } from 'vitest/config';

/** Runs the tests of one part in one process, so that each mutant meets the tests that reach it, and no others. */
export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    env: { TEST_DEPTH: 'quick', TEST_SEED: process.env.TEST_SEED ?? '1', TEST_SLOWNESS: '1' },
    setupFiles: ['test/support/set-up.ts'],
    isolate: false,
    expect: { requireAssertions: true, poll: { timeout: 10_000 } },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
