/** Writes the milliseconds from `createMock()` to its first response: `node bench/first-answer-worker.ts`. */
import { loadBuilt } from './built.ts';
import { connectTo } from './connection.ts';

const { createMock } = await loadBuilt();
const startedMs = performance.now();
const mock = await createMock();
const connection = await connectTo(mock.url);
const { status } = await connection.send('GET', '/agents');
console.log(performance.now() - startedMs);
connection.close();
await mock.close();
if (status !== 200) throw new Error(`The first response has status ${status}.`);
