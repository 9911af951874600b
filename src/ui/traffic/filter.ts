import { matches } from '../shared/words.ts';
import { sidesOf, type TrafficEntry } from './judgement.ts';

/** What selects exchanges: a part of the query in the address. Empty fields select all. */
export const noFilter = {
  /** All words must occur in the call, its ids or its bodies. */
  find: '',
  /** A class such as `4xx`, a status such as `404`, or `0` for no response. */
  status: '',
  operation: '',
  /** The side that broke the contract, `any` or `none`; only in a proxy. */
  broke: '',
  /** The id of a fault or of an open point that affected it. */
  ...{ fault: '', point: '' },
};
export type TrafficFilter = Partial<typeof noFilter>;

export function selects(filter: TrafficFilter, entry: TrafficEntry): boolean {
  const { find, status, operation, broke, fault, point } = { ...noFilter, ...filter };
  const { request, answer, operationId, requestId, faults = [], openPoints = [] } = entry;
  const given = String(answer.status);
  const sides = sidesOf(entry);
  const breaks: string[] = sides.length === 0 ? ['none'] : ['any', ...sides];
  return (
    (status === '' || given === status || `${given.charAt(0)}xx` === status) &&
    (operation === '' || operationId === operation) &&
    (fault === '' || faults.includes(fault)) &&
    (point === '' || openPoints.includes(point)) &&
    (broke === '' || breaks.includes(broke)) &&
    (find === '' ||
      matches([request.method, request.url, operationId, requestId, given, request.body, answer.body].join(' '), find))
  );
}

// A delay alone leaves the response to the mock.
const forces = /(?:^|, )(?:code=|example=|dynamic=true)/;

/** The preferences by which a request forced its response, such as `code=413`; undefined if it forced none. */
export function forcedBy({ answer }: Pick<TrafficEntry, 'answer'>): string | undefined {
  const applied = answer.headers['preference-applied'];
  return applied !== undefined && forces.test(applied) ? applied : undefined;
}
