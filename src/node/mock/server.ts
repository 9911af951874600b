import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import { notEncoded } from '../../workbench/edge/refusals.ts';
import { isEncoded, originForm, pathOf } from '../../workbench/edge/target.ts';
import { answerUnknown } from '../../workbench/unknown-paths.ts';
import { isPreflight, mayRead, preflightHeaders } from '../cors.ts';
import { endInOrder, latestResponseOn, takeInOrder } from '../pipelining.ts';
import { refuseExpectation, refuseTarget } from '../request.ts';
import { answerOnSocket, closeIdle, toRefusal } from '../wire-errors.ts';
import { type Arrival, arrive } from './arrival.ts';
import { serveDocument } from './document-routes.ts';
import type { MockContext } from './mock-context.ts';
import { createTakeOperation } from './operation-routes.ts';
import { guarded, isForControl, sendAnswer } from './send-answer.ts';
import type { Tls } from './tls.ts';

// Not imported: an import would also load Node's WebSocket client and TLS, which take a sixth of the startup time.
const builtin = process.getBuiltinModule;

/** The mock over HTTP. It judges paths, methods, keys and sizes; the engine judges the rest. */
export function createServer(context: MockContext, tls?: Tls): Server {
  const options = { ...wire, ...limitsOf(context) };
  const server =
    tls === undefined
      ? builtin('node:http').createServer(options)
      : builtin('node:https').createServer({ ...options, ...tls });
  // Expectations are judged with the rest of the request, not by Node.
  takeInOrder(server, createListener(context));
  server.on('clientError', (error, socket) =>
    answerBrokenConnection(context, error as { code?: unknown }, socket as Socket),
  );
  // Node hands over the connection of a CONNECT request.
  server.on('connect', (_, socket) => endConnection(context, socket as Socket, noTunnel));
  server.setTimeout(2 * context.requestTimeoutMs, (socket) => closeIdle(socket, latestResponseOn(socket)));
  return server;
}

// Repeated headers are joined, so that none is mistaken for the only one. Host is checked with the target.
const wire = { joinDuplicateHeaders: true, requireHostHeader: false, keepAliveTimeout: 72_000 };

// Node applies the longer of the two limits to bodies, and by default checks them only every 30 seconds.
function limitsOf({ requestTimeoutMs }: MockContext) {
  const connectionsCheckingInterval = Math.ceil(requestTimeoutMs / 30);
  return { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs, connectionsCheckingInterval };
}

function createListener(context: MockContext): RequestListener {
  const takeOperation = createTakeOperation(context, (arrival) => answerAnyway(context, arrival));
  return (request, response) => {
    if (takeOperation(request, response)) return;
    const arrival = arrive(request, response);
    guarded(context, arrival, () => takeOther(context, arrival));
  };
}

/** Responds to a request that is not for an operation. */
function takeOther(context: MockContext, arrival: Arrival): void {
  const { engine, basePath } = context;
  const { request, response } = arrival;
  const { method = '', headers } = request;
  const answerTo = (refusal: Refusal) => engine.refusal(refusal, undefined, { headers });
  const target = originForm(request.url ?? '');
  const refusal = isEncoded(target) ? undefined : notEncoded;
  if (isForControl(context, request)) {
    context.answerControl?.(request, response, refusal);
    return;
  }
  const path = pathOf(target);
  const answer = refusal === undefined ? answerAnyway(context, arrival) : answerTo(refusal);
  if (answer !== undefined) sendAnswer(context, arrival, answer);
  else if (!serveDocument(context, arrival, path))
    sendAnswer(context, arrival, {
      ...answerUnknown(engine, basePath, method, path, answerTo),
      ...notesFor(context, request),
    });
}

/** Browsers hide the response to a refused preflight: the log says how to allow the page. */
function notesFor({ pageRule }: MockContext, { method = '', headers }: IncomingMessage): Pick<Answer, 'notes'> {
  if (!isPreflight(method, headers)) return {};
  const { choice } = pageRule();
  return {
    notes: [
      `Pages of ${headers.origin} may not call the mock (open point cors: ${choice}). --set cors=any allows them.`,
    ],
  };
}

const foreignPage =
  'With --live-mcp, pages of other machines may not call the mock. Allow their origin with --live-mcp-origin.';

/** The response to a request that is refused or served whatever its path; undefined for all others. */
function answerAnyway(context: MockContext, { request }: Arrival): Answer | undefined {
  const { method = '', headers, url = '', httpVersion } = request;
  const answerTo = (refusal: Refusal) => context.engine.refusal(refusal, undefined, { headers });
  if (!context.allowsPage(request)) return answerTo(refuse('forbidden', foreignPage));
  if (isPreflight(method, headers) && mayRead(headers.origin ?? '', context.pageRule()))
    return { status: 204, headers: preflightHeaders(headers) };
  const refusal = refuseTarget(url, httpVersion, headers) ?? refuseExpectation(headers);
  return refusal && answerTo(refusal);
}

const noTunnel = refuse(
  'malformedRequest',
  'CONNECT opens a tunnel, and the mock is not a proxy. Send requests to it directly.',
);

const notEncrypted = refuse(
  'malformedRequest',
  'This port serves HTTPS, and the request was plain HTTP. Use https://.',
);

function answerBrokenConnection(context: MockContext, error: { code?: unknown }, socket: Socket): void {
  // Node has no public API for the connection below TLS. Without it, the client would see an empty reply.
  const { _parent: plain } = socket as { _parent?: Socket };
  if (error.code === 'ERR_SSL_HTTP_REQUEST' && plain !== undefined) endConnection(context, plain, notEncrypted);
  else endConnection(context, socket, toRefusal(error, context.engine.runtime.profile.bodySizeLimit));
}

/** Ends a connection on which nothing more is read, with this error response if there is one. */
function endConnection({ engine, hasOpenPoints }: MockContext, socket: Socket, refusal?: Refusal): void {
  socket.on('error', () => undefined);
  endInOrder(socket, () => {
    if (refusal === undefined) socket.destroy();
    else answerOnSocket(socket, engine.refusal(refusal), engine.runtime.clock.nowMs(), hasOpenPoints);
  });
}
