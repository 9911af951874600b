import type { AddressInfo, Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { basePathOf, type OperationId } from '../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { addBodyReader } from './body-reader.ts';
import { addControlPlane, refuseOnControlPlane } from './control/control-plane.ts';
import { isControlPath } from './control/guard.ts';
import { isPreflight, preflightHeaders } from './cors.ts';
import { send } from './deliver.ts';
import { documents, servedAt } from './documents.ts';
import type { Edge, ServerOptions } from './edge.ts';
import { createPreferring } from './forced/preferring.ts';
import { Journal } from './journal/journal.ts';
import { addOperation, knownOf } from './operation-routes.ts';
import { createRequestIds } from './request-id.ts';
import { hostOf, refuseExpectation, refuseTarget } from './target.ts';
import { answerUnknown } from './unknown-paths.ts';
import { answerOnSocket, toRefusal } from './wire-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When its first byte was judged, by a clock that only goes forward. */
    startedAtMs: number;
    /** For whom and what it is, as far as that is known before the engine has it. */
    about: Answer['about'] | undefined;
  }
  interface FastifyContextConfig {
    /** Absent where the route is none of the contract. */
    operationId?: OperationId;
  }
}

// Long enough for any address that Node itself takes in.
const maxParameterLength = 64 * 1024;
const requestTimeoutMs = 30_000;

/**
 * The mock over HTTP. A request goes through: preflight, unknown path (404), wrong method (405), key (401), size (413),
 * and then through the engine: media type (415), JSON (400), input (422), resource (404).
 */
export function createServer(engine: Engine, options: ServerOptions): FastifyInstance {
  const edge = createEdge(engine, options);
  const app = createApp(edge);
  // Judged with the rest of the request, not by Node.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addHooks(app, edge);
  addBodyReader(app, () => engine.world.profile.bodySizeLimit);
  app.setErrorHandler(edge.fail);
  for (const operation of engine.operations) addOperation(app, edge, operation);
  addDocuments(app, edge);
  if (options.control !== undefined) addControlPlane(app, edge, options.control);
  return app;
}

function createEdge(engine: Engine, options: ServerOptions): Edge {
  const edge: Edge = {
    engine,
    options,
    basePath: basePathOf(engine.contract),
    requestIds: createRequestIds(),
    latest: new WeakMap(),
    answerPreferring: createPreferring(engine),
    fail: (error, request, reply) => answerError(edge, error, request, reply),
    journal: options.journal === undefined ? undefined : new Journal(options.journal),
  };
  return edge;
}

function createApp(edge: Edge): FastifyInstance {
  return fastify({
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
  app.decorateRequest('about', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    edge.latest.set(request.raw.socket, reply.raw);
    const answer = answerBeforeRouting(edge, request);
    if (answer === undefined) done();
    else send(edge, request, reply, answer);
  });
}

function answerBeforeRouting(edge: Edge, request: FastifyRequest): Answer | undefined {
  const { method, headers, raw, url } = request;
  // It judges all of its requests itself.
  if (isOfControlPlane(edge, request)) return undefined;
  if (edge.options.hasCors && isPreflight(method, headers)) {
    return { status: 204, headers: preflightHeaders(headers) };
  }
  const refusal = refuseTarget(url, raw.httpVersion, headers) ?? refuseExpectation(headers);
  if (refusal !== undefined) return edge.engine.refusal(refusal);
  return request.is404 || hasEmptyId(request) ? answerUnknown(edge, request) : undefined;
}

function isOfControlPlane({ options }: Edge, { url }: FastifyRequest): boolean {
  return options.control !== undefined && isControlPath(url);
}

// Fastify lets a parameter be empty; in the contract a path with an empty segment is none of its paths.
function hasEmptyId(request: FastifyRequest): boolean {
  return Object.values(request.params as Record<string, string>).includes('');
}

function answerError(edge: Edge, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { engine, options } = edge;
  if (isOfControlPlane(edge, request)) {
    refuseOnControlPlane(edge, error, reply);
    return;
  }
  const refusal = toRefusal(error as { code?: unknown }, engine.world.profile.bodySizeLimit);
  if (refusal === undefined) options.onUnexpected?.(error);
  const answer = engine.refusal(refusal ?? unexpected, undefined, knownOf(request));
  send(edge, request, reply, request.about === undefined ? answer : { ...answer, about: request.about });
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
