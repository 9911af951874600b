import { isKilled } from './certificate.ts';
import type { JobResult } from './jobs.ts';

/** How a round ended otherwise than another: kills of mutants, and every outcome on the legal servers. */
export function differences(first: readonly JobResult[], again: readonly JobResult[]): string[] {
  return first.flatMap((result, index) => {
    const other = again[index];
    if (other === undefined) return [`${result.job.id} was not run again`];
    return differencesOf(result, other).map(
      (difference) => `${result.job.kind} ${result.job.id} (${result.job.mode}): ${difference}`,
    );
  });
}

function differencesOf(result: JobResult, other: JobResult): string[] {
  if (result.job.kind === 'degenerate')
    return result.exitCode === 0 || other.exitCode === 0 ? ['ended with exit code 0'] : [];
  if (result.job.kind === 'mutant') {
    return isKilled(result) === isKilled(other) ? [] : [`killed: ${isKilled(result)}, then ${isKilled(other)}`];
  }
  // What is busy now and then lets a check be judged now and then.
  if (result.job.kind === 'odd') return alarmsIn(other);
  const ids = new Set([...Object.keys(result.outcomes), ...Object.keys(other.outcomes)]);
  return [...ids].flatMap((id) => {
    const [was = 'passed', is = 'passed'] = [result.outcomes[id], other.outcomes[id]];
    return was === is ? [] : [`${id} ${was}, then ${is}`];
  });
}

function alarmsIn({ outcomes }: JobResult): string[] {
  return Object.entries(outcomes).flatMap(([id, outcome]) => (outcome === 'failed' ? [`${id} failed`] : []));
}
