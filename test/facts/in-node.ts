/** Finds facts behind `setupServer` of MSW, and prints them. The parent process chooses the major version. */
import { setupServer } from 'msw/node';
import { createHandlers } from '../../src/browser/msw.ts';
import { factOptions, findAll } from './fact.ts';
import { facts } from './facts.ts';
import { factsOfSignals } from './of-signals.ts';

const [, , url = '', adminUrl = '', collecting, names = '[]'] = process.argv;
const asked = new Set<string>(JSON.parse(names));
const server = setupServer(...createHandlers({ ...factOptions, baseUrl: url }));
// The name of this option differs between major versions of MSW.
server.listen({ ...{ onUnhandledFrame: 'error', onUnhandledRequest: 'error' } });
// Garbage is collected, all the time or while a signal is waited for: objects that only live by chance are gone then.
if (collecting === 'always') setInterval(() => globalThis.gc?.(), 5);
const some = facts.filter(({ name }) => asked.has(name));
const found = await findAll(some, { url, adminUrl, fetch }, (fact) => {
  if (factsOfSignals.includes(fact)) setTimeout(() => globalThis.gc?.(), 15);
});
server.close();
process.stdout.write(`FOUND ${JSON.stringify(found)}`);
process.exit();
