/** One mock, as a process of its own: `node shard.js <port> [<file for its state>]`. */
import { createMock } from 'agent-platform-contract';
import { mockOptions } from './mock-options.js';

const [port, state] = process.argv.slice(2);
const mock = await createMock({ ...mockOptions, port: Number(port), ...(state && { state }) });
// Nothing outlives the process that started it.
process.once('disconnect', () => mock.close());
process.send({ address: new URL(mock.url).host });
