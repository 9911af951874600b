import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, Refusal } from './call.ts';
import { findOperation } from './operations.ts';
import type { Sandbox } from './sandbox.ts';

/** The state and the keys a server answers with. */
interface Service {
  readonly sandbox: Sandbox;
  /** The organization of each key. */
  readonly keys: ReadonlyMap<string, string>;
}

const BODY_LIMIT = 1024 * 1024;

/**
 * The organization of the caller. One valid key is enough, in either header; with two valid keys
 * the one in `Authorization` counts.
 */
function identify({ keys }: Service, headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  return keys.get(bearer ?? '') ?? keys.get(String(headers['x-api-key']));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'The address holds a wrong percent-encoding');
  }
}

/** Splits before it decodes: an encoded slash belongs to its segment. */
function parseTarget(url: string, prefix: string): { segments: string[]; query: URLSearchParams } {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const [path = '', query = ''] = local.split(/\?(.*)/s);
  const segments = path.split('/').slice(1).map(decode);
  const expected = prefix.split('/').slice(1);
  if (!expected.every((part, at) => part === segments[at])) throw new Refusal(404, 'No such address');
  return { segments: segments.slice(expected.length), query: new URLSearchParams(query) };
}

/**
 * Reads the whole body, but keeps no more than the limit. A longer body is read to its end before
 * it is refused: a client that still writes would otherwise see a reset instead of the answer.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : undefined;
}

/** Authentication comes before all else: without a key nobody learns which addresses exist. */
function answerRequest(service: Service, request: IncomingMessage, body: Buffer | undefined): Answer {
  const { sandbox } = service;
  const organizationId = identify(service, request.headers);
  if (organizationId === undefined) {
    throw new Refusal(401, 'Authentication required', { 'www-authenticate': 'Bearer realm="second"' });
  }
  const { segments, query } = parseTarget(request.url ?? '', sandbox.choices.prefix);
  const { operation, ids } = findOperation(request.method ?? '', segments);
  if (body === undefined) throw new Refusal(413, 'The body is longer than 1 MiB');
  const now = performance.now();
  sandbox.settle(now);
  const contentType = request.headers['content-type'] ?? '';
  return operation({ sandbox, organizationId, now, ids, query, contentType, body });
}

function send(
  { sandbox }: Service,
  response: ServerResponse,
  { status, body }: Answer,
  headers: Refusal['headers'],
): void {
  const text = JSON.stringify(body);
  const about = { 'content-type': sandbox.choices.contentType, 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...about }).end(text);
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    send(service, response, answerRequest(service, request, await readBody(request)), {});
  } catch (error) {
    // The client went away while it sent its body.
    if (request.destroyed && !request.complete) return void response.destroy();
    const { status, message, headers } = error instanceof Refusal ? error : new Refusal(500, String(error));
    send(service, response, { status, body: service.sandbox.choices.problem(status, message) }, headers);
  }
}

/** Answers where the HTTP server of Node offers only the bare connection. */
function sendRaw({ sandbox }: Service, socket: Duplex, status: number, message: string): void {
  if (!socket.writable) return void socket.destroy();
  const text = JSON.stringify(sandbox.choices.problem(status, message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${sandbox.choices.contentType}`,
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Makes the HTTP server answer for the service. */
export function attach(server: Server, service: Service): void {
  for (const event of ['request', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => void handle(service, request, response));
  }
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const isKnown = identify(service, request.headers) !== undefined;
    sendRaw(service, socket, isKnown ? 405 : 401, isKnown ? 'No such method' : 'Authentication required');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    sendRaw(service, socket, PARSER_STATUS[error.code ?? ''] ?? 400, 'This is not a request in HTTP');
  });
}
