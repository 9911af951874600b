import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { startSockets } from './upstream.ts';

/** A request as bytes from the wire. */
export interface WireRequest {
  /** The request line. */
  line: string;
  method: string;
  target: string;
  /** Names in lower case, in the order of the wire. */
  headers: [name: string, value: string][];
  body: string;
  trailers: [name: string, value: string][];
  /** Whether its body is complete. */
  isWhole: boolean;
}

/** A response: its pieces, and what the server does afterwards. Default: it keeps the connection open. */
export interface WireAnswer {
  pieces: readonly string[];
  ending?: 'close' | 'reset';
}

export interface WireOptions {
  /** The bytes of a response. Default: 200 with the target. */
  answer?: (request: WireRequest) => string | WireAnswer;
  /** Whether it reads each body as the next request, as careless servers do with GET. */
  isDeaf?: boolean;
}

/**
 * Starts a server that parses HTTP itself, so that no library hides bytes from a test. It returns each request's target,
 * and counts a request as soon as its head has arrived. It reads a body only if the head frames one: all other bytes are
 * the next request.
 */
export async function startWireUpstream({ answer = echo, isDeaf = false }: WireOptions = {}) {
  const requests: WireRequest[] = [];
  const leftovers: (() => string)[] = [];
  const sending: Promise<void>[] = [];
  const closed: Promise<unknown>[] = [];
  const { url, close } = await startSockets((socket) => {
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    leftovers.push(readRequests(socket, requests, (request) => sending.push(send(socket, answer(request))), isDeaf));
  });
  return {
    url,
    /** Everything that began as a request, in order of arrival. */
    requests,
    connections: () => closed.length,
    /** Waits until all pieces of its responses are sent. */
    sent: () => Promise.all(sending),
    /** Waits until all connections are closed. Resolves with the bytes that do not belong to a request. */
    drained: async () => {
      await Promise.all(closed);
      return leftovers.map((rest) => rest()).filter((rest) => rest !== '');
    },
    close,
  };
}

export type WireUpstream = Awaited<ReturnType<typeof startWireUpstream>>;

/** Returns 200 with the target as JSON. */
export function echo({ method, target }: WireRequest): string {
  const body = JSON.stringify({ target });
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return method === 'HEAD' ? head : head + body;
}

function readRequests(
  socket: Socket,
  requests: WireRequest[],
  onRequest: (request: WireRequest) => void,
  isDeaf: boolean,
): () => string {
  let bytes = '';
  let open: WireRequest | undefined;
  const readNext = (): boolean => {
    if (open === undefined) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return false;
      open = toRequest(bytes.slice(0, end));
      requests.push(open);
      bytes = bytes.slice(end + 4);
    }
    const read = isDeaf ? { body: '', trailers: '', rest: bytes } : readBody(open, bytes);
    if (read === undefined) return false;
    open.body = read.body;
    open.trailers = toPairs(read.trailers.split('\r\n').filter((each) => each !== ''));
    open.isWhole = true;
    bytes = read.rest;
    onRequest(open);
    open = undefined;
    return true;
  };
  socket.on('data', (chunk) => {
    bytes += chunk.toString('latin1');
    try {
      while (readNext());
    } catch (error) {
      bytes = String(error);
      open = undefined;
      socket.destroy();
    }
  });
  return () => (open === undefined ? bytes : '');
}

async function send(socket: Socket, answer: string | WireAnswer): Promise<void> {
  const { pieces, ending } = typeof answer === 'string' ? { pieces: [answer], ending: undefined } : answer;
  for (const [index, piece] of pieces.entries()) {
    // Long enough to be read separately from the previous piece.
    if (index > 0) await setTimeout(20);
    socket.write(piece, 'latin1');
  }
  if (ending === 'close') socket.end();
  if (ending === 'reset') socket.resetAndDestroy();
}

function toRequest(head: string): WireRequest {
  const [line = '', ...lines] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  return { line, method, target, headers: toPairs(lines), body: '', trailers: [], isWhole: false };
}

function toPairs(lines: readonly string[]): [name: string, value: string][] {
  return lines.map((each) => {
    const colon = each.indexOf(':');
    return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
  });
}

interface ReadBody {
  body: string;
  trailers: string;
  rest: string;
}

function readBody({ headers }: WireRequest, bytes: string): ReadBody | undefined {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = Object.fromEntries(headers);
  if (coding !== undefined) return readChunks(bytes);
  const end = Number(length);
  return bytes.length < end ? undefined : { body: bytes.slice(0, end), trailers: '', rest: bytes.slice(end) };
}

function readChunks(bytes: string): ReadBody | undefined {
  let body = '';
  for (let rest = bytes; ; ) {
    const start = rest.indexOf('\r\n') + 2;
    if (start < 2) return undefined;
    const line = rest.slice(0, start);
    if (!/^[\da-f]+\r\n$/i.test(line)) throw new Error(`not the size of a chunk: ${JSON.stringify(line)}`);
    const size = Number.parseInt(line, 16);
    if (rest.length < start + size + 2) return undefined;
    if (size > 0 && !rest.startsWith('\r\n', start + size)) throw new Error('a chunk that is longer than its size');
    if (size > 0) {
      body += rest.slice(start, start + size);
      rest = rest.slice(start + size + 2);
      continue;
    }
    // The trailers end with an empty line.
    const end = rest.indexOf('\r\n\r\n');
    return end < 0 ? undefined : { body, trailers: rest.slice(start, end), rest: rest.slice(end + 4) };
  }
}
