import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ApiKey, identify } from './authentication.ts';
import type { Answer } from './call.ts';
import { Refusal } from './refusal.ts';
import { parseTarget, readBody } from './request.ts';
import { findOperation } from './routes.ts';
import type { World } from './world.ts';

/** The state and the keys a server answers with. */
export interface Service {
  readonly world: World;
  readonly keys: readonly ApiKey[];
}

function authenticate(service: Service, request: IncomingMessage): string {
  const organizationId = identify(request.headers, service.keys);
  if (organizationId !== undefined) return organizationId;
  throw new Refusal(401, 'Authentication required', { 'www-authenticate': 'Bearer realm="second"' });
}

function withoutPrefix(prefix: string, segments: readonly string[]): readonly string[] {
  const expected = prefix.split('/').slice(1);
  if (!expected.every((part, at) => part === segments[at])) throw new Refusal(404, 'No such address');
  return segments.slice(expected.length);
}

/** Authentication comes before all else: without a key nobody learns which addresses exist. */
function answerRequest(service: Service, request: IncomingMessage, body: Buffer | undefined): Answer {
  const { world } = service;
  const organizationId = authenticate(service, request);
  const { segments, query } = parseTarget(request.url ?? '');
  const { operation, ids } = findOperation(request.method ?? '', withoutPrefix(world.choices.prefix, segments));
  if (body === undefined) throw new Refusal(413, 'The body is longer than 1 MiB');
  const now = performance.now();
  world.settle(now);
  return operation({
    world,
    organizationId,
    now,
    ids,
    query,
    contentType: request.headers['content-type'] ?? '',
    body,
  });
}

function send(service: Service, response: ServerResponse, answer: Answer, headers: Refusal['headers'] = {}): void {
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (text !== '') response.setHeader('content-type', service.world.choices.contentType);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

function refuse(service: Service, response: ServerResponse, error: Refusal): void {
  const body = service.world.choices.problem(error.status, error.message);
  send(service, response, { status: error.status, body }, error.headers);
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await readBody(request);
    send(service, response, answerRequest(service, request, body));
  } catch (error) {
    if (error instanceof Refusal) refuse(service, response, error);
    // The client went away while it sent its body.
    else if (request.destroyed && !request.complete) response.destroy();
    else send(service, response, { status: 500, body: service.world.choices.problem(500, String(error)) });
  }
}

/** Answers where the HTTP server of Node offers only the bare connection. */
function sendRaw(service: Service, socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { choices } = service.world;
  const text = JSON.stringify(choices.problem(status, message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    `content-type: ${choices.contentType}`,
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
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void handle(service, request, response);
  };
  server.on('request', listener);
  server.on('checkExpectation', listener);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const known = identify(request.headers, service.keys) !== undefined;
    sendRaw(service, socket, known ? 405 : 401, known ? 'This method is not offered here' : 'Authentication required');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    sendRaw(service, socket, PARSER_STATUS[error.code ?? ''] ?? 400, 'This is not a request in HTTP');
  });
}
