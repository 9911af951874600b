import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { copyOf } from '../../../openapi/contract/load.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import { loadOwnText } from '../../../openapi/contract/own-files.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import { sentRequestId } from '../../workbench/edge/end-exchange.ts';
import { pathOf } from '../../workbench/edge/target.ts';
import { answerDocument, documents, questionsPath } from '../../workbench/served-documents.ts';
import { answerUnknown } from '../../workbench/unknown-paths.ts';
import { BodyReader, readWhole } from '../body-reader.ts';
import { isPreflight, preflightHeaders } from '../cors.ts';
import { originOf, refuseExpectation, refuseTarget } from '../request.ts';
import { answerOnSocket, toRefusal } from '../wire-errors.ts';
import type { MockContext } from './mock-context.ts';
import { addOperation } from './operation-routes.ts';
import { addPage, isOfPage } from './page-routes.ts';
import { answerError, isForControl, sendAnswer, sendUnrecorded } from './send-answer.ts';
import type { Tls } from './tls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When its head was read, by a clock that only goes forward. */
    startedAtMs: number;
    /** Operation and organization, as far as they are known before the engine has the call. */
    about: Answer['about'] | undefined;
  }
  interface FastifyContextConfig {
    /** Absent where the route is not one of the contract. */
    operationId?: OperationId;
    /** Whether the operation takes a body. */
    takesBody?: boolean;
  }
}

// Long enough for any address that Node itself takes.
const maxParameterLength = 64 * 1024;

/** The mock over HTTP. It judges paths, methods, keys and sizes; the engine judges the rest. */
export function createServer(context: MockContext, tls?: Tls): FastifyInstance {
  const { engine } = context;
  const app = createApp(context, tls);
  // An expectation is judged with the rest of the request, not by Node.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addHooks(app, context);
  // Any body is read as bytes: its size is judged before its media type. Not by Fastify's own reader, whose limit cannot
  // change while it listens; the limit of the profile can.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ raw, routeOptions }: FastifyRequest) =>
    // A body that no operation takes has no limit: it is not kept.
    routeOptions.config.takesBody === true
      ? readWhole(raw, engine.playOf(raw.headers).profile.bodySizeLimit)
      : new BodyReader(raw).skip(),
  );
  app.setErrorHandler((error, _, reply) => answerError(context, error, reply));
  app.server.setTimeout(2 * context.requestTimeoutMs, (socket) => closeIdle(context, socket));
  for (const operation of engine.operations) addOperation(app, context, operation);
  addDocuments(app, context);
  addPage(app, context);
  return app;
}

/** Closes a connection on which nothing happens, also where the client reads nothing; not where an answer is delayed. */
function closeIdle({ latest }: MockContext, socket: Socket): void {
  const response = latest.get(socket);
  const isDelayed = response !== undefined && !response.writableFinished && socket.writableLength === 0;
  if (!isDelayed) socket.destroy();
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
    // Who sent none gets one with the answer, when the organization is known.
    genReqId: ({ headers }) => sentRequestId(headers) ?? '',
    // The engine reads queries itself, strictly.
    routerOptions: { maxParamLength: maxParameterLength, querystringParser: () => noQuery },
    frameworkErrors: (error, _, reply) => answerError(context, error, reply as FastifyReply),
    clientErrorHandler: (error, socket) => answerBrokenConnection(context, error, socket),
  });
}

const noQuery = {};

function addHooks(app: FastifyInstance, context: MockContext): void {
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('about', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    context.latest.set(request.raw.socket, reply.raw);
    if (isForControl(context, request)) {
      reply.hijack();
      context.answerControl?.(request.raw, reply.raw);
      return;
    }
    const answer = answerBeforeRouting(context, request);
    if (answer === undefined) done();
    else sendAnswer(context, reply, answer);
  });
}

const foreignPage =
  'With --live-mcp, pages of other machines may not call the mock. Allow their origin with --live-mcp-origin.';

function answerBeforeRouting(context: MockContext, request: FastifyRequest): Answer | undefined {
  const { method, headers, raw, url } = request;
  const answerTo = (refusal: Refusal) => context.engine.refusal(refusal, undefined, { headers });
  if (!context.allowsPage(raw)) return answerTo(refuse('forbidden', foreignPage));
  if (context.hasCors && isPreflight(method, headers)) return { status: 204, headers: preflightHeaders(headers) };
  const refusal = refuseTarget(url, raw.httpVersion, headers) ?? refuseExpectation(headers);
  if (refusal !== undefined) return answerTo(refusal);
  // The router takes `*` for `/`.
  return request.is404 || hasEmptyId(request) || url === '*'
    ? answerUnknown(context.engine, context.basePath, method, pathOf(url), answerTo)
    : undefined;
}

// Fastify lets a parameter be empty; in the contract no path has an empty segment.
function hasEmptyId(request: FastifyRequest): boolean {
  return Object.values(request.params as Record<string, string>).includes('');
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
    app.get(path, ({ headers, raw }, reply) => {
      const origin = originOf(raw);
      const where = { path, baseUrl: origin + basePath, questions: origin + questionsPath };
      const answer = answerDocument(engine, headers, where);
      if (answer !== undefined) sendDocument(context, reply, answer);
    });
  }
  app.get(questionsPath, (_, reply) => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    sendDocument(context, reply, { status: 200, headers, body: loadQuestions() });
  });
}

// What the developer page loads is no traffic.
function sendDocument(context: MockContext, reply: FastifyReply, answer: Answer): void {
  const send = isOfPage(reply.request) ? sendUnrecorded : sendAnswer;
  send(context, reply, answer);
}

const loadQuestions = copyOf(() => loadOwnText('docs/questions.html'));
