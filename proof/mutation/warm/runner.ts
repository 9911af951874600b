import { resolve } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { TestRunner } from 'vitest';
import { type Answer, channelName, type Order } from './messages.ts';
import { carryOut } from './orders.ts';
import { TestRun } from './test-run.ts';

/** Runs no test of its own, but for each order those that it names: in this thread, with the modules that it has loaded. */
export default class WarmRunner extends TestRunner {
  async onBeforeCollect(): Promise<void> {
    const files = (process.env.MUTATION_TESTS ?? '').split(',').map((file) => resolve(file));
    const channel = new BroadcastChannel(channelName);
    const newRun = () => new TestRun(this.config, this);
    let last = Promise.resolve();
    const answer = async (order: Order) => channel.postMessage(await carryOut(order, files, newRun));
    channel.onmessage = ({ data }: { data: unknown }) => {
      last = last.then(() => answer(data as Order));
    };
    channel.postMessage({ order: 0, tests: [] } satisfies Answer);
    // Stryker ends the process.
    await new Promise<never>(() => {});
  }
}
