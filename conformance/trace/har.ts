import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../target/exchange.ts';

/** A name with a value, as HAR lists headers and parameters. */
interface Pair {
  name: string;
  value: string;
}

/** One exchange in the format HAR 1.2. What that format has no place for begins with an underscore. */
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

/** What an exchange does not tell: when it began, and the headers that every request of the run has. */
export interface HarFacts {
  startedAt: Date;
  /** The check that sent it, if one did. */
  check: string | undefined;
  headers: Readonly<Record<string, string>>;
}

const httpVersion = 'HTTP/1.1';
const unknownSize = -1;

/** One exchange as an entry of a HAR file. */
export function toHarEntry(exchange: Exchange, { startedAt, check, headers }: HarFacts): HarEntry {
  const { operation, requestId, failure, durationMs } = exchange;
  return {
    startedDateTime: startedAt.toISOString(),
    time: durationMs,
    request: toRequest(exchange, headers),
    response: toResponse(exchange),
    cache: {},
    // The client measures only the whole.
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(requestId === undefined ? {} : { _requestId: requestId }),
    ...(check === undefined ? {} : { _check: check }),
    ...(failure === undefined ? {} : { _error: `${failure.kind}: ${failure.message}` }),
  };
}

function toRequest({ request }: Exchange, always: Readonly<Record<string, string>>): object {
  const { method, url, body } = request;
  const headers = { ...always, ...request.headers };
  return {
    ...{ method, url, httpVersion, cookies: [], headers: toPairs(headers), queryString: queryOf(url) },
    ...(body === undefined ? {} : { postData: { mimeType: contentTypeOf(headers), params: [], text: body } }),
    ...{ headersSize: unknownSize, bodySize: body === undefined ? 0 : Buffer.byteLength(body) },
  };
}

// HAR has no entry without a response: a status of 0 stands for none, as browsers write it.
function toResponse({ response }: Exchange): object {
  const { status, headers, body } = response ?? { status: 0, headers: {}, body: '' };
  const mimeType = contentTypeOf(headers);
  return {
    ...{ status, statusText: STATUS_CODES[status] ?? '', httpVersion, cookies: [], headers: toPairs(headers) },
    content: { size: Buffer.byteLength(body), mimeType, text: body },
    ...{ redirectURL: headerIn(headers, 'location') ?? '', headersSize: unknownSize, bodySize: unknownSize },
  };
}

function toPairs(values: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): Pair[] {
  if (!URL.canParse(url)) return [];
  return Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value }));
}

function contentTypeOf(headers: Readonly<Record<string, string>>): string {
  return headerIn(headers, 'content-type') ?? '';
}

function headerIn(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}
