/** Finds all facts behind `setupServer` of MSW, and prints them. The parent process chooses the major version. */
import { setupServer } from 'msw/node';
import { createHandlers } from '../../../src/browser/msw.ts';
import { factOptions, findAll } from './fact.ts';
import { facts } from './facts.ts';

const [, , url = '', adminUrl = '', collectEveryMs = ''] = process.argv;
const server = setupServer(...createHandlers({ ...factOptions, baseUrl: url }));
// The name of this option differs between major versions of MSW.
server.listen({ ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
// Garbage is collected while a fact waits: objects that only live by chance are gone before it ends.
const collecting = setInterval(() => globalThis.gc?.(), Number(collectEveryMs));
const found = await findAll(facts, { url, adminUrl, fetch }, () => collecting.refresh());
server.close();
process.stdout.write(`FOUND ${JSON.stringify(found)}`);
process.exit();
