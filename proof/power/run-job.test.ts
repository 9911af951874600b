import { describe, expect, it } from 'vitest';
import { isFull } from '../../test/support/depth.ts';
import { jobsOf } from './jobs.ts';
import { preparations, runJob } from './run-job.ts';

// The mutants and the legal profiles share the settings of the first two.
const special = jobsOf().filter(({ kind, mode }) => !['mutant', 'legal'].includes(kind) && mode === 'write');

describe('the servers of the proof', () => {
  it.each(special)('start with valid settings: $kind $id', async (job) => {
    const { settings, close } = await preparations[job.kind](job);
    await close();
    expect(settings.baseUrl).toMatch(/^http/);
  });
});

// Found by exploring: the run itself had created drives since the list was read that the pages were compared with.
it.runIf(isFull)('checks in another order find a total that counts what is left', async () => {
  const job = jobsOf(217_045_894).find(({ id, mode }) => id === 'total-counts-what-is-left' && mode === 'write');
  if (job === undefined) throw new Error('there is no such job');
  expect((await runJob(job)).outcomes['listDrives.total-coherent']).toBe('warned');
});
