import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type preParsingHookHandler,
} from 'fastify';
import { basePathOf, type Operation, type OperationId, operationsAt } from '../../openapi/contract/operations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer, Call } from '../engine/call.ts';
import { systemClock } from '../engine/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { documents, servedAt } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { createRequestIds } from './request-id.ts';
import { hostOf, pathOf, refuseExpectation, refuseTarget } from './target.ts';
import { answerOnSocket, toRefusal } from './wire-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When its first byte was judged, by a clock that only goes forward. */
    startedAtMs: number;
  }
  interface FastifyContextConfig {
    /** Absent where the route is none of the contract. */
    operationId?: OperationId;
  }
}

/** What a server may be told. */
export interface ServerOptions {
  /** Whether pages of other origins may call the mock. */
  hasCors: boolean;
  /** Whether answers say which open points shaped them. */
  hasOpenPoints: boolean;
  /** What has to be waited for before a call is answered, where there is something. */
  prepare?: ((call: Call) => Promise<void> | undefined) | undefined;
  /** Told of each exchange when its answer is written. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Told of what should not have happened. */
  onUnexpected?: ((error: unknown) => void) | undefined;
}

/** What the parts of one server share. */
interface Edge {
  engine: Engine;
  options: ServerOptions;
  basePath: string;
  requestIds: (sent: unknown) => string;
  /** The latest response of each connection. */
  latest: WeakMap<Socket, ServerResponse>;
}

// Long enough for any address that Node itself takes in.
const maxParameterLength = 64 * 1024;
const requestTimeoutMs = 30_000;

/**
 * The mock over HTTP. A request goes through: preflight, unknown path (404), wrong method (405), key (401), size (413),
 * and then through the engine: media type (415), JSON (400), input (422), resource (404).
 */
export function createServer(engine: Engine, options: ServerOptions): FastifyInstance {
  const basePath = basePathOf(engine.contract);
  const edge: Edge = { engine, options, basePath, requestIds: createRequestIds(), latest: new WeakMap() };
  const app = createApp(edge);
  // Judged with the rest of the request, not by Node.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addHooks(app, edge);
  addBodyReader(app);
  app.setErrorHandler((error, request, reply) => answerError(edge, error, request, reply));
  for (const operation of engine.operations) addOperation(app, edge, operation);
  addDocuments(app, edge);
  return app;
}

function createApp(edge: Edge): FastifyInstance {
  return fastify({
    bodyLimit: edge.engine.world.profile.bodySizeLimit,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: true,
    // A repeated header is two values in one, so that neither is taken for the whole. Host is judged with the target.
    http: { joinDuplicateHeaders: true, requireHostHeader: false },
    requestIdHeader: false,
    genReqId: ({ headers }) => edge.requestIds(headers['x-request-id']),
    // The engine reads queries itself, strictly.
    routerOptions: { maxParamLength: maxParameterLength, querystringParser: () => noQuery },
    frameworkErrors: (error, request, reply) => {
      answerError(edge, error, request, reply as FastifyReply);
    },
    clientErrorHandler: (error, socket) => answerBrokenConnection(edge, error, socket),
  });
}

const noQuery = {};

function addHooks(app: FastifyInstance, edge: Edge): void {
  app.decorateRequest('startedAtMs', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    edge.latest.set(request.raw.socket, reply.raw);
    const answer = answerBeforeRouting(edge, request);
    if (answer === undefined) done();
    else send(edge, request, reply, answer);
  });
}

function answerBeforeRouting(edge: Edge, request: FastifyRequest): Answer | undefined {
  const { method, headers, raw } = request;
  if (edge.options.hasCors && isPreflight(method, headers)) return { status: 204, headers: preflightHeaders(headers) };
  const refusal = refuseTarget(request.url, raw.httpVersion, headers) ?? refuseExpectation(headers);
  if (refusal !== undefined) return edge.engine.refusal(refusal);
  return request.is404 || hasEmptyId(request) ? answerUnknown(edge, request) : undefined;
}

// Fastify lets a parameter be empty; in the contract a path with an empty segment is none of its paths.
function hasEmptyId(request: FastifyRequest): boolean {
  return Object.values(request.params as Record<string, string>).includes('');
}

// Whatever is sent is taken in as bytes, up to the limit: what it is declared as, the engine judges after its size.
function addBodyReader(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

const hideMediaType: preParsingHookHandler = (request, _reply, payload, done) => {
  if ('content-type' in request.raw.headers) request.headers = { 'content-type': 'application/octet-stream' };
  done(null, payload);
};

/**
 * Writes an answer as it is. Not through `reply.send`: that would add a charset, which is an open point, or send text
 * and headers in two pieces.
 */
function send({ engine, options }: Edge, request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, headers, body = '', openPoints } = answer;
  const written: Record<string, string | number> = options.hasCors ? { ...corsHeaders(request.raw.headers) } : {};
  written['x-request-id'] = request.id;
  if (openPoints !== undefined && options.hasOpenPoints) written['x-open-points'] = openPoints;
  const { clock } = engine.world;
  if (clock !== systemClock) written.date = new Date(clock.nowMs()).toUTCString();
  const length = Buffer.byteLength(body);
  if (status !== 204) written['content-length'] = length;
  reply.hijack();
  const response = reply.raw.writeHead(status, Object.assign(written, headers));
  // Text of as many bytes as characters is ASCII: Node sends it in one piece with the headers. Other text it would send
  // so as well, and spoil a header that is not ASCII.
  if (length === body.length) response.end(body, 'latin1');
  else response.end(Buffer.from(body));
  tell(options, request, status);
}

// The answer is out: what a listener throws is no business of the client's.
function tell({ onExchange, onUnexpected }: ServerOptions, request: FastifyRequest, status: number): void {
  try {
    onExchange?.(toExchange(request, status));
  } catch (error) {
    onUnexpected?.(error);
  }
}

function toExchange({ method, url, id, startedAtMs }: FastifyRequest, status: number): Exchange {
  return { method, path: url, status, durationMs: performance.now() - startedAtMs, requestId: id };
}

function addOperation(app: FastifyInstance, edge: Edge, operation: Operation): void {
  const url = edge.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    // A request that may carry a body shows its key before the body is read.
    ...(operation.method === 'GET' ? {} : { onRequest: judgeKeyFirst(edge), preParsing: hideMediaType }),
    config: { operationId: operation.operationId },
    handler: (request, reply) => answerCall(edge, request, reply, toCall(operation, request)),
  });
}

function answerCall(edge: Edge, request: FastifyRequest, reply: FastifyReply, call: Call): Promise<void> | void {
  const answer = () => send(edge, request, reply, edge.engine.answer(call));
  const prepared = edge.options.prepare?.(call);
  return prepared === undefined ? answer() : prepared.then(answer);
}

function judgeKeyFirst(edge: Edge) {
  const { engine } = edge;
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (engine.world.profile.judgedFirst === 'input') return done();
    const caller = engine.authenticate(request.headers);
    if (isRefusal(caller)) send(edge, request, reply, engine.refusal(caller, undefined, knownOf(request)));
    else done();
  };
}

/** What is known of a call whose body was not read. */
function knownOf({ routeOptions, raw }: FastifyRequest): Partial<Call> {
  const { operationId } = routeOptions.config;
  return operationId === undefined ? {} : { operationId, headers: raw.headers };
}

function toCall({ operationId, takesBody }: Operation, request: FastifyRequest): Call {
  const { url } = request;
  const queryStart = url.indexOf('?') + 1;
  return {
    operationId,
    pathParameters: request.params as Record<string, string>,
    query: queryStart === 0 ? '' : url.slice(queryStart),
    headers: request.raw.headers,
    body: takesBody ? (request.body as Uint8Array | undefined) : undefined,
  };
}

function answerUnknown({ engine, basePath }: Edge, request: FastifyRequest): Answer {
  const path = pathOf(request.url);
  const methods = path.startsWith(`${basePath}/`)
    ? methodsAt(engine, path.slice(basePath.length))
    : documentMethods(path);
  if (methods.length === 0) return engine.refusal(refuse('unknownPath', unknownPathDetail(engine, basePath, path)));
  const allow = methods.join(', ');
  const answer = engine.refusal(
    refuse('methodNotAllowed', `${request.method} is not for this path. Allowed: ${allow}.`),
  );
  return { ...answer, headers: { ...answer.headers, allow } };
}

function methodsAt(engine: Engine, path: string): string[] {
  const methods = operationsAt(engine.operations, path).map((operation) => operation.method);
  return methods.includes('GET') ? ['HEAD', ...methods].sort() : methods.sort();
}

function documentMethods(path: string): string[] {
  return documents.has(path) ? ['GET', 'HEAD'] : [];
}

function unknownPathDetail(engine: Engine, basePath: string, path: string): string {
  if (methodsAt(engine, path).length > 0) return `There is nothing at this path. Did you mean ${basePath}${path}?`;
  return `There is nothing at this path. The operations are below ${basePath}; /openapi.json lists them.`;
}

function answerError(edge: Edge, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { engine, options } = edge;
  const refusal = toRefusal(error as { code?: unknown }, engine.world.profile.bodySizeLimit);
  if (refusal === undefined) options.onUnexpected?.(error);
  send(edge, request, reply, engine.refusal(refusal ?? unexpected, undefined, knownOf(request)));
}

const unexpected: Refusal = refuse('unexpected', 'This is a defect of the mock. Please report it with the request.');

// What was asked before on the same connection is answered before.
function answerBrokenConnection({ engine, latest, options }: Edge, error: { code?: unknown }, socket: Socket): void {
  const refusal = toRefusal(error, engine.world.profile.bodySizeLimit);
  const pending = latest.get(socket);
  const answer = () => {
    if (refusal === undefined) socket.destroy();
    else answerOnSocket(socket, engine.refusal(refusal), engine.world.clock.nowMs(), options.hasOpenPoints);
  };
  if (pending?.req.complete && !pending.writableFinished) pending.once('finish', answer);
  else if (pending !== undefined && !pending.req.complete && pending.headersSent) socket.destroySoon();
  else answer();
}

function addDocuments(app: FastifyInstance, edge: Edge): void {
  const { engine, basePath } = edge;
  for (const [path, { contentType, write }] of documents) {
    app.get(path, (request, reply) => {
      const origin = `http://${hostOf(request.headers) ?? addressOf(app)}`;
      const body = write(servedAt(engine.contract, origin + basePath));
      send(edge, request, reply, { status: 200, headers: { 'content-type': contentType }, body });
    });
  }
}

/** Where a server listens, as the authority of a URL. */
export function addressOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
