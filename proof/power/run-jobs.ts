import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isKilled } from './figures.ts';
import type { Job, JobResult } from './jobs.ts';
import { runJob } from './run-job.ts';

/** So many runs wait for each other in one process: a run sends several requests at once, and waits now and then. */
const runsPerProcess = 3;

/**
 * Runs all jobs, spread over the processors. The results are in the order of the jobs. A mutant that is missed is judged
 * again, alone: its run has short time limits, and a busy machine may have hidden it.
 */
export async function runJobs(jobs: readonly Job[], tell: (done: number) => void): Promise<JobResult[]> {
  const results = await runSideBySide(jobs, tell);
  for (const [index, result] of results.entries()) if (isMissed(result)) results[index] = await runJob(result.job);
  return results;
}

function isMissed(result: JobResult): boolean {
  return result.job.kind === 'mutant' && result.job.mode === 'write' && !isKilled(result);
}

async function runSideBySide(jobs: readonly Job[], tell: (done: number) => void): Promise<JobResult[]> {
  const results: JobResult[] = [];
  const queue = jobs.map((job, index) => ({ job, index }));
  const workers = Array.from({ length: availableParallelism() }, startWorker);
  const lanes = workers.flatMap((worker) => Array.from({ length: runsPerProcess }, () => worker));
  let done = 0;
  await Promise.all(
    lanes.map(async (worker) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        results[next.index] = await worker.run(next.job);
        tell(++done);
      }
    }),
  );
  for (const worker of workers) worker.end();
  return results;
}

interface Worker {
  run(job: Job): Promise<JobResult>;
  end(): void;
}

function startWorker(): Worker {
  const child = fork(join(import.meta.dirname, 'worker.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<string, (result: JobResult) => void>();
  child.on('message', (result: JobResult) => waiting.get(JSON.stringify(result.job))?.(result));
  const broken = brokenBefore(child);
  const run = (job: Job) =>
    Promise.race([
      new Promise<JobResult>((resolve) => waiting.set(JSON.stringify(job), resolve).size && child.send(job)),
      broken,
    ]);
  return { run, end: () => child.disconnect() };
}

function brokenBefore(child: ChildProcess): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`a worker of the proof ended with ${code}`)));
  });
  broken.catch(() => undefined);
  return broken;
}
