import { describe, expect, it } from 'vitest';
import type { WireFault } from '../../proof/power/mutant.ts';
import { judgeServer } from '../support/judged-server.ts';
import { createBench } from '../support/judging.ts';

const { conformance, reading } = await createBench();

/** A run against a server that counts the requests in progress, and is too busy for more than `most` at once. */
async function run(concurrency: number, most = Number.POSITIVE_INFINITY) {
  let [inProgress, highest, refused] = [0, 0, 0];
  const counting: WireFault = async (_, response, forward) => {
    inProgress++;
    highest = Math.max(highest, inProgress);
    const isTooBusy = inProgress > most;
    const { status, headers, body } = await forward();
    inProgress--;
    if (isTooBusy) refused++;
    response.writeHead(isTooBusy ? 503 : status, isTooBusy ? {} : headers).end(isTooBusy ? '' : body);
  };
  const only = ['listAgents.*', 'getDriveFile.*'];
  const { report } = await judgeServer({ wire: () => counting }, only, { mode: 'read', config: { concurrency } });
  return { report, highest, refused };
}

describe('requests at the same time', () => {
  it.each([1, 3])('never exceed the limit of --concurrency: %i', async (limit) => {
    const { report, highest } = await run(limit);
    expect(highest).toBe(limit);
    expect(report.summary.failed).toBe(0);
  });

  it('become one at a time on a target that is too busy for more', async () => {
    const { report, refused } = await run(8, 1);
    // At most those that were in progress when the first refusal came.
    expect(refused).toBeLessThanOrEqual(8);
    expect(refused).toBeGreaterThan(0);
    expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  });

  it('are limited by a flag of the command line', async () => {
    const { code, stderr } = await conformance(['--concurrency', '0'], reading);
    expect([code, stderr]).toEqual([2, expect.stringContaining('concurrency')]);
    const { code: fine } = await conformance(['--concurrency', '1', '--only', 'listAgents.is-served'], reading);
    expect(fine).toBe(0);
  });
});
