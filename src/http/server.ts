import type { ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';

import { basePathOf, type Operation, operationsAt } from '../../openapi/contract/operations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer, Call } from '../engine/call.ts';
import { systemClock } from '../engine/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { corsOptions } from './cors.ts';
import { documents, servedAt } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { createRequestIds } from './request-id.ts';
import { answerOnSocket, toRefusal } from './wire-errors.ts';

/** What a server may be told. */
export interface ServerOptions {
  /** Whether pages of other origins may call the mock. */
  hasCors: boolean;
  /** Told of each exchange when it is over. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Told of what should not have happened. */
  onUnexpected?: ((error: unknown) => void) | undefined;
}

// Long enough for any address that Node itself takes in.
const maxParameterLength = 64 * 1024;
const requestTimeoutMs = 30_000;

/**
 * The mock over HTTP. A request goes through: preflight, unknown path (404), wrong method (405), key (401), size (413),
 * and then through the engine: media type (415), JSON (400), input (422), resource (404).
 */
export async function createServer(engine: Engine, options: ServerOptions): Promise<FastifyInstance> {
  const app = createApp(engine, options);
  if (options.hasCors) await app.register(cors, corsOptions);
  addHooks(app, engine, options);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => answerError(engine, options, error, reply));
  for (const operation of engine.operations) addOperation(app, engine, operation);
  addDocuments(app, engine);
  return app;
}

function createApp(engine: Engine, options: ServerOptions): FastifyInstance {
  const { profile } = engine.world;
  const app = fastify({
    bodyLimit: profile.bodySizeLimit,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: true,
    requestIdHeader: false,
    genReqId: toRequestId(createRequestIds()),
    // The engine reads queries itself, strictly.
    routerOptions: { maxParamLength: maxParameterLength, querystringParser: () => noQuery },
    frameworkErrors: (error, _request, reply) => answerError(engine, options, error, reply as FastifyReply),
    clientErrorHandler: (error, socket) => {
      const refusal = toRefusal(error, profile.bodySizeLimit);
      if (refusal === undefined) socket.destroy();
      else answerOnSocket(socket, engine.refusal(refusal), engine.world.clock.nowMs());
    },
  });
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { status, headers, body } = engine.refusal(refuse('expectationFailed', 'Only Expect: 100-continue is met.'));
    response.writeHead(status, headers).end(body);
  });
  return app;
}

const noQuery = {};

function toRequestId(requestIds: (sent: unknown) => string) {
  return (request: { headers: Record<string, unknown> }) => requestIds(request.headers['x-request-id']);
}

function addHooks(app: FastifyInstance, engine: Engine, { onExchange }: ServerOptions): void {
  const isStanding = engine.world.clock !== systemClock;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (isStanding) reply.header('date', new Date(engine.world.clock.nowMs()).toUTCString());
    if (request.is404) send(reply, answerUnknown(engine, request));
    else done();
  });
  if (onExchange === undefined) return;
  app.addHook('onResponse', (request, reply, done) => {
    onExchange({
      method: request.method,
      path: request.url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      requestId: request.id,
    });
    done();
  });
}

function send(reply: FastifyReply, { status, headers, body }: Answer): void {
  // As bytes: to text Fastify would add a charset, and whether there is one is an open point.
  reply
    .code(status)
    .headers(headers)
    .send(body === undefined ? undefined : Buffer.from(body));
}

function addOperation(app: FastifyInstance, engine: Engine, operation: Operation): void {
  const url = basePathOf(engine.contract) + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    // A request that may carry a body shows its key before the body is read.
    ...(operation.method === 'GET' ? {} : { onRequest: judgeKeyFirst(engine) }),
    handler: (request, reply) => send(reply, engine.answer(toCall(operation, request))),
  });
}

function judgeKeyFirst(engine: Engine) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (engine.world.profile.judgedFirst === 'input') return done();
    const caller = engine.authenticate(request.headers);
    if (isRefusal(caller)) send(reply, engine.refusal(caller));
    else done();
  };
}

function toCall({ operationId, takesBody }: Operation, request: FastifyRequest): Call {
  const { url } = request;
  const queryStart = url.indexOf('?') + 1;
  return {
    operationId,
    pathParameters: request.params as Record<string, string>,
    query: queryStart === 0 ? '' : url.slice(queryStart),
    headers: request.headers,
    body: takesBody ? (request.body as Uint8Array | undefined) : undefined,
  };
}

function answerUnknown(engine: Engine, request: FastifyRequest): Answer {
  const path = request.url.split('?', 1)[0] as string;
  const basePath = basePathOf(engine.contract);
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

function answerError(engine: Engine, { onUnexpected }: ServerOptions, error: unknown, reply: FastifyReply): void {
  const refusal = toRefusal(error as { code?: unknown }, engine.world.profile.bodySizeLimit);
  if (refusal === undefined) onUnexpected?.(error);
  send(reply, engine.refusal(refusal ?? unexpected));
}

const unexpected: Refusal = refuse('unexpected', 'This is a defect of the mock. Please report it with the request.');

function addDocuments(app: FastifyInstance, engine: Engine): void {
  for (const [path, { contentType, write }] of documents) {
    app.get(path, (request, reply) => {
      const baseUrl = `${request.protocol}://${request.host}${basePathOf(engine.contract)}`;
      reply.type(contentType).send(write(servedAt(engine.contract, baseUrl)));
    });
  }
}
