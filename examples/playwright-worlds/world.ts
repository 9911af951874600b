import { test as base, expect } from '@playwright/test';

/**
 * `test` in a world of its own. Each worker makes up a key, which opens a world with a fresh copy of the seed, and every
 * request of `page` and `request` carries it. Before each test the world goes back to the seed.
 */
export const test = base.extend<{ freshWorld: undefined }>({
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use, { workerIndex }) => {
    await use({ ...extraHTTPHeaders, 'X-API-Key': `worker-${workerIndex}` });
  },
  freshWorld: [
    async ({ request }, use) => {
      await expect(await request.post('/__admin/reset?organization=self')).toBeOK();
      await use(undefined);
    },
    { auto: true },
  ],
});

export { expect };
