import { test as base, expect } from '@playwright/test';

/**
 * `test` in a sandbox of its own. Each worker makes up a key, which opens a sandbox with a fresh copy of the seed, and every
 * request of `page` and `request` carries it. Before each test the sandbox goes back to the seed.
 */
export const test = base.extend<{ freshSandbox: undefined }>({
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use, { workerIndex }) => {
    await use({ ...extraHTTPHeaders, 'X-API-Key': `worker-${workerIndex}` });
  },
  freshSandbox: [
    async ({ request }, use) => {
      await expect(await request.post('/__admin/reset?organization=self')).toBeOK();
      await use(undefined);
    },
    { auto: true },
  ],
});

export { expect };
