import { shuffledByName } from '../../test/support/random-seed.ts';
import type { Job, JobResult } from './jobs.ts';
import { singleChoices } from './legal-servers.ts';
import { mutants } from './mutants/index.ts';
import { oddLegalServers } from './odd-legal-servers.ts';

/**
 * The jobs of a part, such as `2/4`: every fourth mutant, every fourth server with a single listed choice and every fourth
 * odd one, from the second on, and all other servers with permission to write. The parts together are every run that
 * writes, and every mutant that is read only. Each part uses each single choice: in servers that make several.
 */
export function partOf(jobs: readonly Job[], part: string): Job[] {
  const [, number, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part)?.map(Number) ?? [];
  if (number === undefined || count === undefined || number > count)
    throw new Error(`--part takes a part and their number, such as 2/4, and not ${part}.`);
  const places = { mutant: placesOf(mutants), legal: placesOf(singleChoices()), odd: placesOf(oddLegalServers) };
  const isDrawn = ({ kind, id, mode }: Job) => {
    if (kind !== 'mutant' && mode === 'read') return id === 'defaults';
    const place = kind === 'mutant' || kind === 'legal' || kind === 'odd' ? places[kind].get(id) : undefined;
    return place === undefined || place % count === number - 1;
  };
  return jobs.filter(isDrawn);
}

/** Some of the jobs, which the random seed draws. */
export function drawnFrom(jobs: readonly Job[], count: number, randomSeed: number): Job[] {
  return shuffledByName(jobs, randomSeed, nameOf).slice(0, count);
}

function placesOf(servers: readonly { id: string }[]): Map<string, number> {
  return new Map(servers.map(({ id }, index) => [id, index]));
}

/** The results of the other jobs, as they have to be: mutants killed by their check, and nothing else. */
export function asPublished(all: readonly Job[], judged: readonly Job[]): JobResult[] {
  const isJudged = new Set(judged.map(nameOf));
  const checkOf = new Map(mutants.map(({ id, check }) => [id, check]));
  return all
    .filter((job) => !isJudged.has(nameOf(job)))
    .map((job) => {
      const check = job.kind === 'mutant' ? checkOf.get(job.id) : undefined;
      // No server that is degenerate may end well.
      const exitCode = job.kind === 'degenerate' ? 1 : 0;
      return { job, exitCode, requests: 0, outcomes: check === undefined ? {} : { [check]: 'failed' } };
    });
}

function nameOf({ kind, id, mode }: Job): string {
  return `${kind} ${id} ${mode}`;
}
