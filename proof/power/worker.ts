/** A process that runs the jobs it is sent, a few at a time, and sends back what came of each. */
import type { Job } from './jobs.ts';
import { runJob } from './run-job.ts';

process.on('message', async (job: Job) => {
  process.send?.(await runJob(job));
});
process.on('disconnect', () => process.exit(0));
