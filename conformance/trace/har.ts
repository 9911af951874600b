import { STATUS_CODES } from 'node:http';
import { harTimes, toHarRequest, toHarResponse } from '../../lib/har.ts';
import type { Exchange } from '../target/exchange.ts';

/** One exchange in HAR 1.2. Additional members begin with an underscore. */
export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: object;
  response: object;
  cache: object;
  timings: { send: number; wait: number; receive: number };
  comment?: string;
  _operation?: string;
  _requestId?: string;
  _check?: string;
  _error?: string;
}

/** What an exchange lacks: when it began, and the headers common to all requests of the run. */
export interface HarFacts {
  startedAt: Date;
  /** The check that sent it, if one did. */
  check: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** One exchange as an entry of a HAR file. */
export function toHarEntry(exchange: Exchange, { startedAt, check, headers }: HarFacts): HarEntry {
  const { operation, requestId, request, response, failure, durationMs } = exchange;
  const received = response ?? { status: 0, headers: {}, body: '' };
  return {
    startedDateTime: startedAt.toISOString(),
    request: toHarRequest({ ...request, headers: { ...headers, ...request.headers } }),
    response: toHarResponse(received, STATUS_CODES[received.status] ?? ''),
    ...harTimes(durationMs),
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(requestId === undefined ? {} : { _requestId: requestId }),
    ...(check === undefined ? {} : { _check: check }),
    ...(failure === undefined ? {} : { _error: `${failure.kind}: ${failure.message}` }),
  };
}
