/**
 * Runs all behaviours behind `setupServer` of the MSW version that the parent process chooses, and prints the outcomes.
 */
import { setupServer } from 'msw/node';
import { createHandlers } from '../../src/browser/msw.ts';
import { behaviours } from './behaviours.ts';
import { createClient } from './client.ts';

const [, , baseUrl = '', adminUrl = ''] = process.argv;
const server = setupServer();
// The name of this option differs between major versions of MSW.
server.listen({ ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
const found: unknown[] = [];
for (const { options, run } of behaviours) {
  server.resetHandlers(...createHandlers({ baseUrl, ...options }));
  found.push(await run(createClient({ url: baseUrl, adminUrl, fetch })).catch((error: unknown) => `failed: ${error}`));
}
server.close();
process.stdout.write(JSON.stringify(found));
