import { connect, type Socket } from 'node:net';
import { timeLimit } from './time-limit.ts';

/** One response as received over the wire. */
export interface RawAnswer {
  status: number;
  /** Names in lower case, in the order of the wire. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

/** What was received on one connection. */
export interface RawReply {
  /** The final responses, without interim ones (1xx). */
  answers: RawAnswer[];
  /** The bytes after them that are not a complete response. */
  rest: Buffer;
  isClosed: boolean;
  /** All of it, in the pieces in which it was read. */
  pieces: readonly Buffer[];
  /** `end` if the server closed it in an orderly way, an error code if it did not; undefined if it is open. */
  endedBy: string | undefined;
}

/** A request in parts. The length of the body is declared unless a line declares it or chunked coding. */
export interface RawRequest {
  method: string;
  /** As written in the request line: nothing is encoded or resolved. */
  target: string;
  /** Header lines after `Host`. */
  lines?: readonly string[];
  /** Whether `Host` is among the lines. */
  hasOwnHost?: boolean;
  body?: string | Uint8Array;
}

/** A request without a body. */
export function by(method: string, target: string, ...lines: string[]): RawRequest {
  return { method, target, lines };
}

/** How to read what is received. */
export interface ReadOptions {
  /** The methods of the requests, of which only HEAD matters. */
  methods?: readonly string[];
  /** Whether to read until the connection is closed, however many responses come. */
  isReadToEnd?: boolean;
  /** What to send after `nextAfter` responses. */
  next?: () => Promise<string>;
  nextAfter?: number;
  /** Whether to close the sending side, like a client that breaks off. */
  isHalfClosed?: boolean;
}

const deadlineMs = timeLimit(20_000);

/** The bytes of a request. */
export function toBytes({ method, target, lines = [], hasOwnHost = false, body }: RawRequest): Buffer {
  const content = Buffer.from(body ?? '');
  const isDeclared = lines.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const length = body === undefined || isDeclared ? [] : [`Content-Length: ${content.length}`];
  const host = hasOwnHost ? [] : ['Host: mock.test'];
  const head = [`${method} ${target} HTTP/1.1`, ...host, ...lines, ...length, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

/** Sends bytes over a new connection and reads the responses to `methods.length` requests. */
export function exchange(url: string, bytes: string | Uint8Array, options: ReadOptions = {}): Promise<RawReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>();
  const socket = open(url);
  const collected: Buffer[] = [];
  let next = options.next;
  const goOn = () => {
    if (next === undefined || parse(Buffer.concat(collected), options).answers.length < (options.nextAfter ?? 1))
      return;
    void next().then((more) => socket.write(more), reject);
    next = undefined;
  };
  const settle = (endedBy?: string) => {
    socket.destroy();
    resolve({
      ...parse(Buffer.concat(collected), options),
      pieces: collected,
      isClosed: endedBy !== undefined,
      endedBy,
    });
  };
  socket.setTimeout(deadlineMs, () => reject(new Error(`No answer after ${deadlineMs} ms to ${excerpt(bytes)}`)));
  socket.on('data', (chunk) => {
    collected.push(chunk);
    goOn();
    if (!options.isReadToEnd && isComplete(Buffer.concat(collected), options)) settle();
  });
  // A reset is a way to close: what was read before counts.
  socket.on('error', ({ code }: NodeJS.ErrnoException) => settle(code ?? 'error')).on('close', () => settle('end'));
  socket.write(bytes);
  if (options.isHalfClosed) socket.end();
  return promise;
}

/** Sends one request and reads its response. */
export async function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const { answers } = await exchange(url, toBytes(request), { methods: [request.method] });
  const [answer] = answers;
  if (answer === undefined) throw new Error(`The connection was closed without an answer to ${request.method}`);
  return answer;
}

/** An open connection to the server of a URL. */
export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}

/** The value of a header; undefined if it is absent. */
export function headerOf({ headers }: RawAnswer, name: string): string | undefined {
  return headers.find(([candidate]) => candidate === name)?.[1];
}

/** The bytes that can be read as responses, and the rest. */
function parse(bytes: Buffer, { methods = ['GET'] }: ReadOptions = {}): { answers: RawAnswer[]; rest: Buffer } {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (let next = parseOne(rest, methods[0]); next !== undefined; next = parseOne(rest, methods[answers.length])) {
    if (next.answer.status >= 200) answers.push(next.answer);
    rest = next.rest;
  }
  return { answers, rest };
}

function isComplete(bytes: Buffer, options: ReadOptions): boolean {
  return parse(bytes, options).answers.length >= (options.methods?.length ?? 1);
}

interface Parsed {
  answer: RawAnswer;
  rest: Buffer;
}

function parseOne(bytes: Buffer, method: string | undefined): Parsed | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const head = { status, headers: lines.map(toHeader), body: Buffer.alloc(0) };
  const after = bytes.subarray(headEnd + 4);
  return hasBody(status, method) ? withBody(head, after) : { answer: head, rest: after };
}

function toHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function hasBody(status: number, method: string | undefined): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
}

function withBody(head: RawAnswer, after: Buffer): Parsed | undefined {
  if (headerOf(head, 'transfer-encoding') === 'chunked') return withChunks(head, after);
  const length = Number(headerOf(head, 'content-length') ?? Number.NaN);
  if (Number.isNaN(length) || after.length < length) return undefined;
  return { answer: { ...head, body: after.subarray(0, length) }, rest: after.subarray(length) };
}

function withChunks(head: RawAnswer, after: Buffer): Parsed | undefined {
  const chunks: Buffer[] = [];
  for (let rest = after; ; ) {
    const sizeEnd = rest.indexOf('\r\n');
    const size = sizeEnd < 0 ? Number.NaN : Number.parseInt(rest.toString('latin1', 0, sizeEnd), 16);
    const end = sizeEnd + 2 + size;
    if (Number.isNaN(size) || rest.length < end + 2) return undefined;
    if (size === 0) {
      // The trailers end with an empty line.
      const last = rest.indexOf('\r\n\r\n', sizeEnd);
      return last < 0 ? undefined : { answer: { ...head, body: Buffer.concat(chunks) }, rest: rest.subarray(last + 4) };
    }
    chunks.push(rest.subarray(sizeEnd + 2, end));
    rest = rest.subarray(end + 2);
  }
}

function excerpt(bytes: string | Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString('latin1', 0, 80));
}
