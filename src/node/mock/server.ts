import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { copyOf } from '../../../openapi/contract/load.ts';
import { loadOwnText } from '../../../openapi/contract/own-files.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import { pathOf } from '../../workbench/edge/target.ts';
import { answerDocument, documents, questionsPath } from '../../workbench/served-documents.ts';
import { answerUnknown } from '../../workbench/unknown-paths.ts';
import { isPreflight, preflightHeaders } from '../cors.ts';
import { originOf, refuseExpectation, refuseTarget } from '../request.ts';
import { answerOnSocket, closeIdle, toRefusal } from '../wire-errors.ts';
import { type Arrival, arrivalOf } from './arrival.ts';
import type { MockContext } from './mock-context.ts';
import { createTakeOperation } from './operation-routes.ts';
import { addPage, isOfPage } from './page-routes.ts';
import { answerError, isForControl, sendAnswer, sendUnrecorded } from './send-answer.ts';
import type { Tls } from './tls.ts';

/** The mock over HTTP. It judges paths, methods, keys and sizes; the engine judges the rest. */
export function createServer(context: MockContext, tls?: Tls): FastifyInstance {
  const app = createApp(context, tls);
  // An expectation is judged with the rest of the request, not by Node.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addHooks(app, context);
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    answerError(context, error, arrivalOf(context, request, reply.raw));
  });
  app.server.setTimeout(2 * context.requestTimeoutMs, (socket) => closeIdle(socket, context.latest.get(socket)));
  addOperations(app, context);
  addDocuments(app, context);
  addPage(app, context);
  return app;
}

// Fastify answers what is for no operation.
function addOperations({ server }: FastifyInstance, context: MockContext): void {
  const take = createTakeOperation(context, (arrival) => answerBeforeRouting(context, arrival));
  const others = server.listeners('request');
  server.removeAllListeners('request').on('request', (request, response) => {
    if (!take(request, response)) for (const other of others) other.call(server, request, response);
  });
}

// Repeated headers are joined, so that none is mistaken for the only one. Host is judged with the target.
const wire = { joinDuplicateHeaders: true, requireHostHeader: false };

// Node takes the longer of the two limits for bodies, whichever that is; and it looks at them only every 30 seconds.
function limitsOf({ requestTimeoutMs }: MockContext) {
  return { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 30) };
}

function createApp(context: MockContext, tls: Tls | undefined): FastifyInstance {
  const options = { ...wire, ...limitsOf(context) };
  return fastify({
    ...(tls === undefined ? { http: options } : { https: { ...options, ...tls } }),
    requestTimeout: context.requestTimeoutMs,
    forceCloseConnections: true,
    requestIdHeader: false,
    genReqId: () => '',
    routerOptions: { querystringParser: () => noQuery },
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      answerError(context, error, arrivalOf(context, request, reply.raw));
    },
    clientErrorHandler: (error, socket) => answerBrokenConnection(context, error, socket),
  });
}

const noQuery = {};

function addHooks(app: FastifyInstance, context: MockContext): void {
  app.decorateRequest('arrival', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const arrival = arrivalOf(context, request, reply.raw);
    const isControl = isForControl(context, request.raw);
    const answer = isControl ? undefined : (answerBeforeRouting(context, arrival) ?? answerUnrouted(context, request));
    if (!isControl && answer === undefined) {
      done();
      return;
    }
    reply.hijack();
    if (answer === undefined) context.answerControl?.(request.raw, reply.raw);
    else sendAnswer(context, arrival, answer);
  });
}

const foreignPage =
  'With --live-mcp, pages of other machines may not call the mock. Allow their origin with --live-mcp-origin.';

/** The answer to a request that is refused, or answered, whatever its path is; undefined for all others. */
function answerBeforeRouting(context: MockContext, { request }: Arrival): Answer | undefined {
  const { method = '', headers, url = '', httpVersion } = request;
  const answerTo = (refusal: Refusal) => context.engine.refusal(refusal, undefined, { headers });
  if (!context.allowsPage(request)) return answerTo(refuse('forbidden', foreignPage));
  if (context.hasCors && isPreflight(method, headers)) return { status: 204, headers: preflightHeaders(headers) };
  const refusal = refuseTarget(url, httpVersion, headers) ?? refuseExpectation(headers);
  return refusal && answerTo(refusal);
}

/** The answer where there is nothing at a path. */
function answerUnrouted({ engine, basePath }: MockContext, { is404, raw }: FastifyRequest): Answer | undefined {
  const { method = '', url = '', headers } = raw;
  // The router takes `*` for `/`.
  if (!is404 && url !== '*') return undefined;
  return answerUnknown(engine, basePath, method, pathOf(url), (refusal) =>
    engine.refusal(refusal, undefined, { headers }),
  );
}

// Earlier requests on the same connection are answered first.
function answerBrokenConnection(
  { engine, latest, hasOpenPoints }: MockContext,
  error: { code?: unknown },
  socket: Socket,
): void {
  const refusal = toRefusal(error, engine.runtime.profile.bodySizeLimit);
  const pending = latest.get(socket);
  const answer = () => {
    if (refusal === undefined) socket.destroy();
    else answerOnSocket(socket, engine.refusal(refusal), engine.runtime.clock.nowMs(), hasOpenPoints);
  };
  if (pending?.req.complete && !pending.writableFinished) pending.once('finish', answer);
  else if (pending !== undefined && !pending.req.complete && pending.headersSent) socket.destroySoon();
  else answer();
}

function addDocuments(app: FastifyInstance, context: MockContext): void {
  const { engine, basePath } = context;
  for (const path of documents.keys()) {
    app.get(path, (request, reply) => {
      const { headers, raw } = request;
      const origin = originOf(raw);
      const where = { path, baseUrl: origin + basePath, questions: origin + questionsPath };
      const answer = answerDocument(engine, headers, where);
      if (answer !== undefined) sendDocument(context, request, reply, answer);
    });
  }
  app.get(questionsPath, (request, reply) => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    sendDocument(context, request, reply, { status: 200, headers, body: loadQuestions() });
  });
}

// What the developer page loads is no traffic.
function sendDocument(context: MockContext, request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  const send = isOfPage(request) ? sendUnrecorded : sendAnswer;
  send(context, arrivalOf(context, request, reply.raw), answer);
}

const loadQuestions = copyOf(() => loadOwnText('docs/questions.html'));
