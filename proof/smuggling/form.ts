/** A request as it must arrive at the upstream. */
export interface Arrived {
  method: string;
  target: string;
  body: string;
}

/** What a client sends on one connection, and what must become of it. */
export interface ClientForm {
  group: string;
  name: string;
  /** Each character is one byte. */
  bytes: string;
  /** The requests that must arrive, each exactly once and with exactly this body. None: the proxy refuses. */
  arrives: readonly Arrived[];
  /** The status of a refusal. */
  refusal: number;
  /** Whether the flaw is in the body: a proxy that streams has sent the head by then, and breaks off. */
  isLate?: boolean;
  /** Whether the client ends its side after these bytes. It may go without a refusal then. */
  isHalfClosed?: boolean;
}

/** A request that a careless server would find in the body of another one. */
export const hidden = 'POST /v0.1/hidden HTTP/1.1\r\nHost: mock.test\r\nX-API-Key: k\r\nContent-Length: 0\r\n\r\n';
export const size = hidden.length;
export const length = `Content-Length: ${size}`;
export const coding = 'Transfer-Encoding: chunked';
export const chunks = `${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

/** The usual target of a method: an operation of the contract for GET and POST. */
function targetOf(method: string): string {
  return method === 'POST' ? '/v0.1/drives' : '/v0.1/agents';
}

/** How a head differs from the usual one. */
export interface HeadOptions {
  version?: string;
  target?: string;
  /** Default: `Host: mock.test`. */
  host?: readonly string[];
}

export function head(method: string, lines: readonly string[], options: HeadOptions = {}): string {
  const { version = '1.1', target = targetOf(method), host = ['Host: mock.test'] } = options;
  return [`${method} ${target} HTTP/${version}`, ...host, 'X-API-Key: k', ...lines, '', ''].join('\r\n');
}

/** Of a table: the name of a form, and the header lines that make it. */
export type Row = readonly [name: string, ...lines: string[]];

const isChunkedBy = (lines: readonly string[]) => lines.some((line) => /^transfer-encoding:\s*chunked/i.test(line));
const hasLength = (lines: readonly string[]) => lines.some((line) => /^content-length:/i.test(line));

/** One request whose body looks like another. It arrives with this body. */
export function whole(
  group: string,
  method: string,
  [name, ...lines]: Row,
  { arrivesAt = targetOf(method), ...options }: HeadOptions & { arrivesAt?: string } = {},
): ClientForm {
  const isChunked = isChunkedBy(lines);
  const framing = isChunked || hasLength(lines) ? [] : [length];
  const bytes = head(method, [...lines, ...framing], options) + (isChunked ? chunks : hidden);
  const arrives = [{ method, target: arrivesAt, body: hidden }];
  return { group, name: `${method}: ${name}`, bytes, arrives, refusal: 400 };
}

/** A head that no server may accept. */
export function refused(
  group: string,
  [name, ...lines]: Row,
  options: HeadOptions & { method?: string; body?: string; refusal?: number } = {},
): ClientForm {
  const { method = 'POST', body = chunks, refusal = 400, ...rest } = options;
  return { group, name, bytes: head(method, lines, rest) + body, arrives: [], refusal };
}

/** A request with a chunked body that no server may accept. */
export function badChunks(name: string, body: string, refusal = 400): ClientForm {
  return { ...refused('chunks', [name, coding], { body, refusal }), isLate: true };
}

/** A request with an unusual chunked body, which is clear all the same. */
export function oddChunks(name: string, sent: string, body: string, ...lines: string[]): ClientForm {
  const arrives = [{ method: 'POST', target: targetOf('POST'), body }];
  return { group: 'chunks', name, bytes: head('POST', [coding, ...lines]) + sent, arrives, refusal: 400 };
}

/** An honest request with an empty body, and another one after it on the same connection. */
export function pipelined(method: string, [name, ...lines]: Row, body = ''): ClientForm {
  const arrives = [
    { method, target: targetOf(method), body: '' },
    { method: 'POST', target: '/v0.1/hidden', body: '' },
  ];
  return {
    group: 'pipelining',
    name: `${method}: ${name}`,
    bytes: head(method, lines) + body + hidden,
    arrives,
    refusal: 400,
  };
}
