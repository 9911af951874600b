import type { TrafficEntry } from './judgement.ts';

// A delay alone leaves the response to the mock.
const forces = /(?:^|, )(?:code=|example=|dynamic=true)/;

/** The preferences by which a request forced its response, such as `code=413`; undefined if it forced none. */
export function forcedBy({ answer }: Pick<TrafficEntry, 'answer'>): string | undefined {
  const applied = answer.headers['preference-applied'];
  return applied !== undefined && forces.test(applied) ? applied : undefined;
}
