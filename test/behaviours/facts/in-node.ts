/** Finds all facts behind `setupServer` of MSW, and prints them. Another process chooses the major. */
import { setupServer } from 'msw/node';
import { createHandlers } from '../../../src/browser/msw.ts';
import { factOptions, findAll } from './fact.ts';
import { facts } from './facts.ts';

const [, , url = '', adminUrl = ''] = process.argv;
const server = setupServer(...createHandlers({ ...factOptions, baseUrl: url }));
// The name of this option differs between the majors of MSW.
server.listen({ ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
// Garbage is collected all the time: what only lives by chance is gone before a fact ends.
setInterval(() => globalThis.gc?.(), 5);
const found = await findAll(facts, { url, adminUrl, fetch });
server.close();
process.stdout.write(`FOUND ${JSON.stringify(found)}`);
process.exit();
