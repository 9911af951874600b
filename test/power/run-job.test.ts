import { describe, expect, it } from 'vitest';
import { jobsOf } from './jobs.ts';
import { preparations } from './run-job.ts';

// The mutants and the legal profiles share the settings of the first two.
const special = jobsOf().filter(({ kind, mode }) => !['mutant', 'legal'].includes(kind) && mode === 'write');

describe('the servers of the proof', () => {
  it.each(special)('start with valid settings: $kind $id', async (job) => {
    const { settings, close } = await preparations[job.kind](job);
    await close();
    expect(settings.baseUrl).toMatch(/^http/);
  });
});
