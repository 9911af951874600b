import type { Job, JobResult } from './jobs.ts';
import { mutants } from './mutants/index.ts';

/**
 * The jobs of a part, such as `2/4`: every fourth mutant from the second on, and all other servers with permission to write.
 * The parts together are every run that writes, and every mutant that is read only.
 */
export function partOf(jobs: readonly Job[], part: string): Job[] {
  const [, number, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part)?.map(Number) ?? [];
  if (number === undefined || count === undefined || number > count)
    throw new Error(`--part takes a part and their number, such as 2/4, and not ${part}.`);
  const places = new Map(mutants.map(({ id }, index) => [id, index]));
  const isDrawn = ({ kind, id, mode }: Job) =>
    kind === 'mutant' ? (places.get(id) ?? 0) % count === number - 1 : mode === 'write' || id === 'defaults';
  return jobs.filter(isDrawn);
}

/** The results of the other jobs, as they have to be: mutants killed by their check, and nothing else. */
export function asPublished(all: readonly Job[], judged: readonly Job[]): JobResult[] {
  const isJudged = new Set(judged.map(nameOf));
  const checkOf = new Map(mutants.map(({ id, check }) => [id, check]));
  return all
    .filter((job) => !isJudged.has(nameOf(job)))
    .map((job) => {
      const check = job.kind === 'mutant' ? checkOf.get(job.id) : undefined;
      return { job, exitCode: 0, requests: 0, outcomes: check === undefined ? {} : { [check]: 'failed' } };
    });
}

function nameOf({ kind, id, mode }: Job): string {
  return `${kind} ${id} ${mode}`;
}
