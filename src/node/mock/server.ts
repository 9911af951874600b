import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { basePathOf, type OperationId } from '../../../openapi/contract/operations.ts';
import { packageVersion } from '../../../openapi/contract/package-version.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { ControlPlane, isControlTarget } from '../../workbench/control-plane/control-plane.ts';
import { controlHandlers, loadControlDocument } from '../../workbench/control-plane/handlers.ts';
import { createPreferring } from '../../workbench/forced/preferring.ts';
import { createMockJournal, type MockJournal } from '../../workbench/journal/entry.ts';
import { documents, servedAt } from '../../workbench/served-documents.ts';
import { readWhole } from '../body-reader.ts';
import { createControlEdge } from '../control-edge.ts';
import { isPreflight, preflightHeaders } from '../cors.ts';
import { createRequestIds, originForm, originOf, refuseExpectation, refuseTarget } from '../request.ts';
import { prismProblem } from '../start-error.ts';
import { answerOnSocket, toRefusal } from '../wire-errors.ts';
import type { MockContext, ServerOptions } from './mock-context.ts';
import { addOperation, knownOf } from './operation-routes.ts';
import { sendAnswer } from './send-answer.ts';
import { answerUnknown } from './unknown-paths.ts';

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
  }
}

// Long enough for any address that Node itself takes.
const maxParameterLength = 64 * 1024;
const requestTimeoutMs = 30_000;

/**
 * The mock over HTTP. Order of judgement: preflight, unknown path (404), wrong method (405), key (401), size (413), and
 * then in the engine: media type (415), JSON (400), input (422), resource (404).
 */
export function createServer(engine: Engine, options: ServerOptions): FastifyInstance {
  const context = createContext(engine, options);
  const app = createApp(context);
  // An expectation is judged with the rest of the request, not by Node.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addHooks(app, context);
  // Any body is read as bytes: its size is judged before its media type. Not by Fastify's own reader, whose limit cannot
  // change while it listens; the limit of the profile can.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ raw }: FastifyRequest) => readWhole(raw, engine.runtime.profile.bodySizeLimit));
  app.setErrorHandler(context.fail);
  for (const operation of engine.operations) addOperation(app, context, operation);
  addDocuments(app, context);
  return app;
}

function createContext(engine: Engine, options: ServerOptions): MockContext {
  const journal = options.journal && createMockJournal(options.journal);
  const context: MockContext = {
    ...{ engine, options, journal },
    basePath: basePathOf(engine.contract),
    requestIds: createRequestIds(),
    latest: new WeakMap(),
    answerPreferring: createPreferring(engine, prismProblem()),
    fail: (error, request, reply) => answerError(context, error, request, reply),
    answerControl: createControl(engine, options, journal),
  };
  return context;
}

function createControl(engine: Engine, options: ServerOptions, journal: MockJournal | undefined) {
  const { control, faults, prepare, onUnexpected } = options;
  if (control === undefined) return undefined;
  const definition = { loadDocument: loadControlDocument, handlers: controlHandlers };
  const context = {
    ...{ engine, journal, faults, version: packageVersion(), vary: control.vary },
    hasLiveMcp: prepare !== undefined,
    hasToken: control.token !== undefined,
    digest: (text: string) => createHash('sha256').update(text).digest('hex'),
  };
  return createControlEdge(new ControlPlane(definition, context, control.token), onUnexpected);
}

function createApp(context: MockContext): FastifyInstance {
  return fastify({
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: true,
    // Repeated headers are joined, so that none is mistaken for the only one. Host is judged with the target.
    http: { joinDuplicateHeaders: true, requireHostHeader: false },
    requestIdHeader: false,
    genReqId: ({ headers }) => context.requestIds(headers['x-request-id']),
    // The engine reads queries itself, strictly.
    routerOptions: { maxParamLength: maxParameterLength, querystringParser: () => noQuery },
    frameworkErrors: (error, request, reply) => {
      answerError(context, error, request, reply as FastifyReply);
    },
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
    else sendAnswer(context, request, reply, answer);
  });
}

function isForControl({ answerControl }: MockContext, { url }: FastifyRequest): boolean {
  return answerControl !== undefined && isControlTarget(originForm(url));
}

function answerBeforeRouting(context: MockContext, request: FastifyRequest): Answer | undefined {
  const { method, headers, raw, url } = request;
  if (context.options.hasCors && isPreflight(method, headers))
    return { status: 204, headers: preflightHeaders(headers) };
  const refusal = refuseTarget(url, raw.httpVersion, headers) ?? refuseExpectation(headers);
  if (refusal !== undefined) return context.engine.refusal(refusal);
  return request.is404 || hasEmptyId(request) ? answerUnknown(context, request) : undefined;
}

// Fastify lets a parameter be empty; in the contract no path has an empty segment.
function hasEmptyId(request: FastifyRequest): boolean {
  return Object.values(request.params as Record<string, string>).includes('');
}

function answerError(context: MockContext, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { engine, options, answerControl } = context;
  const refusal = toRefusal(error as { code?: unknown }, engine.runtime.profile.bodySizeLimit);
  if (refusal === undefined) options.onUnexpected(error);
  if (isForControl(context, request)) {
    reply.hijack();
    answerControl?.(request.raw, reply.raw, refusal ?? unexpected);
    return;
  }
  const answer = engine.refusal(refusal ?? unexpected, undefined, knownOf(request));
  sendAnswer(context, request, reply, request.about === undefined ? answer : { ...answer, about: request.about });
}

const unexpected = refuse('unexpected', 'This is a defect of the mock. Please report it with the request.');

// Earlier requests on the same connection are answered first.
function answerBrokenConnection(
  { engine, latest, options }: MockContext,
  error: { code?: unknown },
  socket: Socket,
): void {
  const refusal = toRefusal(error, engine.runtime.profile.bodySizeLimit);
  const pending = latest.get(socket);
  const answer = () => {
    if (refusal === undefined) socket.destroy();
    else answerOnSocket(socket, engine.refusal(refusal), engine.runtime.clock.nowMs(), options.hasOpenPoints);
  };
  if (pending?.req.complete && !pending.writableFinished) pending.once('finish', answer);
  else if (pending !== undefined && !pending.req.complete && pending.headersSent) socket.destroySoon();
  else answer();
}

function addDocuments(app: FastifyInstance, context: MockContext): void {
  const { engine, basePath } = context;
  for (const [path, { contentType, write }] of documents) {
    app.get(path, (request, reply) => {
      const body = write(servedAt(engine.contract, originOf(request.raw) + basePath));
      sendAnswer(context, request, reply, { status: 200, headers: { 'content-type': contentType }, body });
    });
  }
}
