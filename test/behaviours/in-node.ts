/**
 * Runs all behaviours behind `setupServer` of the MSW version that the parent process chooses, and prints the outcomes.
 */
import { setupServer } from 'msw/node';
import { createHandlers } from '../../src/browser/msw.ts';
import { outcomesOn } from './behaviours.ts';

const [, , url = '', adminUrl = ''] = process.argv;
const server = setupServer();
// The name of this option differs between major versions of MSW.
server.listen({ ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
const found = await outcomesOn((options) => {
  server.resetHandlers(...createHandlers({ baseUrl: url, ...options }));
  return { url, adminUrl, fetch };
});
server.close();
process.stdout.write(`FOUND ${JSON.stringify(found)}`);
