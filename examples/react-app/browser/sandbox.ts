import { type APIRequestContext, test as base, expect } from '@playwright/test';

/** `test` in a sandbox of its own: each worker makes up a key, which Vite's proxy passes on, and resets its sandbox. */
export const test = base.extend<{ freshSandbox: undefined }>({
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use, { workerIndex }) => {
    await use({ ...extraHTTPHeaders, 'X-API-Key': `worker-${workerIndex}` });
  },
  freshSandbox: [
    async ({ request }, use) => {
      await control(request, 'reset?organization=self', {});
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Asks the mock itself for what the API cannot do. */
export async function control(request: APIRequestContext, path: string, data: object) {
  const response = await request.post(new URL(`/__admin/${path}`, process.env.SERVICE_URL).href, { data });
  await expect(response).toBeOK();
  return response.json();
}

export { expect };
