/** Runs all behaviours in a page, behind MSW's Service Worker. Bundled by `behaviours.test.ts`. */
import { setupWorker } from 'msw/browser';
import { createHandlers } from '../../src/browser/msw.ts';
import { behaviours } from './behaviours.ts';
import { createClient } from './client.ts';

async function runAll(baseUrl: string, adminUrl: string): Promise<unknown[]> {
  const worker = setupWorker();
  // The name of this option differs between major versions of MSW.
  await worker.start({ quiet: true, ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
  const found: unknown[] = [];
  for (const { options, run } of behaviours) {
    worker.resetHandlers(...createHandlers({ baseUrl, ...options }));
    const client = createClient({ url: baseUrl, adminUrl, fetch: (url, init) => fetch(url, init) });
    found.push(await run(client).catch((error: unknown) => `failed: ${error}`));
  }
  worker.stop();
  return found;
}

Object.assign(globalThis, { runAll });
