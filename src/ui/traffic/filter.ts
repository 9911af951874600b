import { matches } from '../shared/words.ts';
import { sidesOf, type TrafficEntry } from './judgement.ts';

/** Which exchanges are listed: a part of the query in the address. Empty fields select all. */
export interface TrafficFilter {
  /** All words must occur in the call, its ids or its bodies. */
  find?: string;
  /** A class such as `4xx`, a status such as `404`, or `0` for no response. */
  status?: string;
  operation?: string;
  /** The side that broke the contract, `any` or `none`; only in a proxy. */
  broke?: string;
  /** The id of a fault or of an open point that affected it. */
  fault?: string;
  point?: string;
}

export function selects(filter: TrafficFilter, entry: TrafficEntry): boolean {
  const { find = '', status = '', operation = '', broke = '', fault = '', point = '' } = filter;
  const { request, answer, operationId, requestId, faults = [], openPoints = [] } = entry;
  const given = String(answer.status);
  const sides = broke === '' ? [] : sidesOf(entry);
  return (
    (status === '' || given === status || `${given.charAt(0)}xx` === status) &&
    (operation === '' || operationId === operation) &&
    (fault === '' || faults.includes(fault)) &&
    (point === '' || openPoints.includes(point)) &&
    (broke === '' ||
      (broke === 'none'
        ? sides.length === 0
        : broke === 'any'
          ? sides.length > 0
          : sides.some((side) => side === broke))) &&
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
