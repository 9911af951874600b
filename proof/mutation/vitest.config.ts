import { defineConfig } from 'vitest/config';

/** Runs the tests of one part in one thread, so that each mutant meets the tests that reach it, and no others. */
export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    env: { TEST_DEPTH: 'quick', TEST_SEED: process.env.TEST_SEED ?? '1', TEST_SLOWNESS: '1' },
    setupFiles: ['test/support/set-up.ts', 'proof/mutation/fail-at-once.ts'],
    // Stryker has a plan for each run; what is recorded before runs without it.
    ...(process.env.MUTATION_PLAN === undefined ? {} : { runner: 'proof/mutation/warm/runner.ts' }),
    isolate: false,
    // Where a test waits for what a fault has made impossible, the wait is the price of the fault.
    expect: { requireAssertions: true, poll: { timeout: 4000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
