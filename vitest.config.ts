import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    // Every server takes a free port and every test its own server: files may run side by side, in any order.
    sequence: { shuffle: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
