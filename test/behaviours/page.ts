/** Runs all behaviours in a page, behind MSW's Service Worker. Bundled by `behaviours.test.ts`. */
import { setupWorker } from 'msw/browser';
import { createHandlers } from '../../src/browser/msw.ts';
import { outcomesOn } from './behaviours.ts';

async function runAll(url: string, adminUrl: string): Promise<unknown[]> {
  const worker = setupWorker();
  // The name of this option differs between major versions of MSW.
  await worker.start({ quiet: true, ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
  const found = await outcomesOn((options) => {
    worker.resetHandlers(...createHandlers({ baseUrl: url, ...options }));
    return { url, adminUrl, fetch: (address, init) => fetch(address, init) };
  });
  worker.stop();
  return found;
}

Object.assign(globalThis, { runAll });
