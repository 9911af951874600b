/** Finds all facts in a page: over HTTP, with the function like `fetch`, or behind MSW's Service Worker. */
import { setupWorker } from 'msw/browser';
import { createFetch } from '../../src/browser/fetch.ts';
import { createHandlers } from '../../src/browser/msw.ts';
import { factOptions, findAll } from './fact.ts';
import { facts } from './facts.ts';

const own = facts.filter(({ only }) => only === undefined);
const overNetwork: typeof globalThis.fetch = (...args) => fetch(...args);

Object.assign(globalThis, {
  overHttp: (url: string, adminUrl: string) => findAll(own, { url, adminUrl, fetch: overNetwork }),
  byFunction: (url: string, adminUrl: string) =>
    findAll(own, { url, adminUrl, fetch: createFetch({ ...factOptions, baseUrl: url }) }),
  behindWorker: async (url: string, adminUrl: string) => {
    const worker = setupWorker(...createHandlers({ ...factOptions, baseUrl: url }));
    // The name of this option differs between major versions of MSW.
    await worker.start({ quiet: true, ...{ onUnhandledFrame: 'bypass', onUnhandledRequest: 'bypass' } });
    const found = await findAll(own, { url, adminUrl, fetch: overNetwork });
    worker.stop();
    return found;
  },
});
