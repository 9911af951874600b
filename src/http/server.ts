import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { packageVersion } from '../../lib/package-version.ts';
import { rememberingBy } from '../../lib/remembering.ts';
import { mockHeaders } from '../../openapi/contract/mock-headers.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { isControlTarget } from '../app/admin-api/admin-api.ts';
import type { Access } from '../app/admin-api/guard.ts';
import { answerCall, commonHeaders, type EdgeContext, type Received, recordExchange } from '../app/edge/answer-call.ts';
import {
  type FindRoute,
  isEncoded,
  isKeyFirst,
  notEncoded,
  originForm,
  pathOf,
  type Route,
  sentRequestId,
  unexpectedIn,
} from '../app/edge/request.ts';
import type { Damage, Loss } from '../app/faults/effects.ts';
import { noStatus } from '../app/request-log.ts';
import { answerDocument, pageAliases, pagePath } from '../app/served-documents.ts';
import { servedIndex } from '../app/served-index.ts';
import { answerUnknown } from '../app/unknown-paths.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer, Call } from '../engine/call.ts';
import { BodyReader, readWhole } from './body-reader.ts';
import type { AnswerControl } from './control-edge.ts';
import { corsHeaders, isPreflight, mayRead, preflightHeaders } from './cors.ts';
import { sendPage, wantsPage } from './page.ts';
import type { Tls } from './tls.ts';
import {
  answerOnSocket,
  closeIdle,
  type Deliver,
  endInOrder,
  isEncrypted,
  latestResponseOn,
  originOf,
  refuseHead,
  takeInOrder,
  toRefusal,
  toWire,
  writeWhole,
} from './wire.ts';

/** What the parts of one server share. */
export interface MockContext extends EdgeContext {
  /** The origins of further pages that may read responses, besides those of the open point `cors`. */
  pageOrigins: readonly string[];
  /** Whether the page that sends a request may send it at all; undefined if all may. */
  allowsPage: ((request: IncomingMessage) => boolean) | undefined;
  /** Absent: there is no admin API. */
  answerControl: AnswerControl | undefined;
  /** Who may use it; undefined if there is none. */
  access: Access | undefined;
  /** How long a request may take to arrive, including its body. */
  requestTimeoutMs: number;
  /** When the mock was started, by the clock of the machine. */
  startedAt: string;
}

// Not imported: an import would also load Node's WebSocket client and TLS, which take a sixth of the startup time.
const builtin = process.getBuiltinModule;

/** The mock over HTTP. It judges paths, methods, keys and sizes; the engine judges the rest. */
export function createServer(context: MockContext, tls?: Tls): Server {
  const { requestTimeoutMs } = context;
  const options = {
    // Repeated headers are joined, so that none is mistaken for the only one. Host is checked with the target.
    ...{ joinDuplicateHeaders: true, requireHostHeader: false, keepAliveTimeout: 72_000 },
    // Node applies the longer of the two limits to bodies, and by default checks them only every 30 seconds.
    ...{ requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs },
    connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 30),
  };
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
  server.setTimeout(2 * requestTimeoutMs, (socket) => closeIdle(socket, latestResponseOn(socket)));
  return server;
}

function createListener(context: MockContext): RequestListener {
  const readHead = createReadHead(context.findRoute);
  return (request, response) => {
    const { headers, route } = readHead(request);
    request.headers = headers;
    const arrival: Arrival = {
      ...{ request, response, startedAtMs: performance.now() },
      ...{ operationId: route?.operation.operationId, about: undefined, body: undefined },
    };
    guarded(context, arrival, () => {
      if (route === undefined) return takeOther(context, arrival);
      const early = answerAnyway(context, arrival);
      if (early === undefined) answerRoute(context, arrival, route);
      else sendAnswer(context, arrival, early);
    });
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
  else if (!serveDocument(context, arrival, path)) {
    // Browsers hide the response to a refused preflight: the log says how to allow the page.
    const why = `may not call the mock (open point cors: ${engine.runtime.profile.cors}). --set cors=any allows them.`;
    const notes = isPreflight(method, headers) ? { notes: [`Pages from ${headers.origin} ${why}`] } : {};
    sendAnswer(context, arrival, { ...answerUnknown(engine, basePath, method, path, answerTo), ...notes });
  }
}

const foreignPage =
  'With --live-mcp, pages from other machines may not call the mock. Allow their origin with --live-mcp-origin.';

/** The response to a request that is refused or served whatever its path; undefined for all others. */
function answerAnyway(context: MockContext, { request }: Arrival): Answer | undefined {
  const { method = '', headers } = request;
  const answerTo = (refusal: Refusal) => context.engine.refusal(refusal, undefined, { headers });
  if (context.allowsPage?.(request) === false) return answerTo(refuse('forbidden', foreignPage));
  if (
    isPreflight(method, headers) &&
    mayRead(headers.origin ?? '', context.engine.runtime.profile.cors, context.pageOrigins)
  )
    return { status: 204, headers: preflightHeaders(headers) };
  const refusal = refuseHead(request);
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

/** One request whose head has arrived, and what is known of it so far. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When its head was read, by a monotonic clock. */
  readonly startedAtMs: number;
  /** Absent if it is not for an operation. */
  readonly operationId: OperationId | undefined;
  /** Operation and organization, as far as they are known before the engine gets the call. */
  about: Answer['about'] | undefined;
  /** Its body, once read. */
  body: Uint8Array | undefined;
}

function answerRoute(context: MockContext, arrival: Arrival, route: Route): void {
  const { operation } = route;
  if (!isKeyFirst(operation)) return void carryOut(context, arrival, route);
  const { engine } = context;
  const { request } = arrival;
  const { headers } = request;
  const { operationId, takesBody } = operation;
  const caller = engine.authenticate(headers);
  arrival.about = isRefusal(caller) ? { operationId } : { operationId, organizationId: caller.id };
  if (isRefusal(caller))
    return void sendAnswer(context, arrival, engine.refusal(caller, undefined, { operationId, headers }));
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (!hasBody) return void carryOut(context, arrival, route);
  // As bytes: their number is judged before the media type. A body that the operation does not take may have any size.
  const read = async () => {
    if (!takesBody) await new BodyReader(request).skip();
    else arrival.body = await readWhole(request, engine.appliedFor(headers).profile.bodySizeLimit);
  };
  read().then(
    () => guarded(context, arrival, () => carryOut(context, arrival, route)),
    (error) => answerError(context, error, arrival),
  );
}

function carryOut(context: MockContext, arrival: Arrival, { operation, pathParameters, query }: Route): void {
  const { request, response, body } = arrival;
  const { operationId } = operation;
  answerCall(context, {
    ...{ operation, call: { operationId, pathParameters, query, headers: request.headers, body } },
    ...{ connection: request.socket, exchange: response },
    send: (answer, damage) => sendAnswer(context, arrival, answer, damage),
    lose: (about, how) => loseAnswer(context, arrival, about, how),
    fail: (error) => answerError(context, error, arrival),
  });
}

/** What the head of a request says; without a route, it is not for an operation. */
interface Head {
  headers: IncomingHttpHeaders;
  route: Route | undefined;
}

const longestHead = 4_096;

/**
 * Reads the heads of requests. Cached, because most clients keep sending the same few, and the open points of a call
 * with the same head need not be determined again (`applied-profile.ts`): that takes more than a tenth of the time of a
 * request.
 */
function createReadHead(find: FindRoute): (request: IncomingMessage) => Head {
  return rememberingBy(
    // No part of a head contains a line break.
    ({ method, url, rawHeaders }) => `${method} ${url}\n${rawHeaders.join('\n')}`,
    ({ method = '', url = '', headers }) => ({ headers, route: find(method, url) }),
    longestHead,
  );
}

/** Serves documents and the developer page. Returns false if the path is none of theirs. */
function serveDocument(context: MockContext, arrival: Arrival, path: string): boolean {
  const { method, headers } = arrival.request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (path === pagePath) {
    servePage(context, arrival);
    return true;
  }
  if (pageAliases.has(path)) {
    sendUnrecorded(context, arrival, { status: 302, headers: { location: pagePath } });
    return true;
  }
  const origin = originOf(arrival.request);
  const pointsAt = `${origin}${pagePath}#/points/`;
  const answer = answerDocument(context.engine, headers, { path, baseUrl: origin + context.basePath, pointsAt });
  if (answer === undefined) return false;
  // Requests by the developer page are not traffic; its browser marks them.
  const send = headers['sec-fetch-site'] === 'same-origin' ? sendUnrecorded : sendAnswer;
  send(context, arrival, answer);
  return true;
}

/** Serves the developer page, or the index to clients that do not ask for HTML. Neither is traffic. */
function servePage(context: MockContext, arrival: Arrival): void {
  const { basePath, access, startedAt, save } = context;
  const { request, response } = arrival;
  if (wantsPage(request.headers.accept)) {
    sendPage(request, response).catch((error) => answerError(context, error, arrival));
    return;
  }
  const facts = { basePath, version: packageVersion(), startedAt, keepsState: save !== undefined };
  const index = servedIndex(originOf(request), { ...facts, access });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache', vary: 'Accept, Origin' };
  sendUnrecorded(context, arrival, { status: 200, headers, body: `${JSON.stringify(index, null, 2)}\n` });
}

/** Sends a response, damaged or not, and records the exchange. */
function sendAnswer(context: MockContext, arrival: Arrival, answer: Answer, damage?: Damage): void {
  if (context.save?.() !== undefined) return void arrival.response.destroy();
  const deliver = deliverDamaged(damage);
  const requestId = requestIdOf(context, arrival, answer);
  const more = headersFor(context, arrival, answer);
  more[mockHeaders.requestId] = requestId;
  const wire = toWire(answer, more);
  deliver(arrival.response, wire);
  record(context, arrival, answer, { requestId, answerBytes: wire.lengthBytes });
}

/** Sends a response for the developer page or about the mock. It is not traffic, so it is not recorded. */
function sendUnrecorded(context: MockContext, arrival: Arrival, answer: Answer): void {
  writeWhole(arrival.response, toWire(answer, headersFor(context, arrival, answer)));
}

/** Ends an exchange without a response, and records it. */
function loseAnswer(context: MockContext, arrival: Arrival, about: NonNullable<Answer['about']>, how: Loss): void {
  endings[how](arrival.response);
  const answer = { status: noStatus, headers: {}, about };
  record(context, arrival, answer, { requestId: requestIdOf(context, arrival, answer), answerBytes: 0 });
}

/** Runs `act` for a request; turns a thrown error into a response. */
function guarded(context: MockContext, arrival: Arrival, act: () => void): void {
  try {
    act();
  } catch (error) {
    answerError(context, error, arrival);
  }
}

/** Responds to a request that failed with an error. */
function answerError(context: MockContext, error: unknown, arrival: Arrival): void {
  const { engine, onUnexpected, answerControl } = context;
  const { request, response, about } = arrival;
  const { bodySizeLimit } = engine.appliedFor(request.headers).profile;
  const refusal = toRefusal(error as { code?: unknown }, bodySizeLimit);
  if (refusal === undefined) onUnexpected(error);
  if (isForControl(context, request)) {
    answerControl?.(request, response, refusal ?? unexpected);
    return;
  }
  const answer = engine.refusal(refusal ?? unexpected, undefined, knownOf(arrival));
  sendAnswer(context, arrival, about === undefined ? answer : { ...answer, about });
}

const unexpected = unexpectedIn('mock');

/** Whether a request is for the admin API. */
function isForControl({ answerControl }: MockContext, { url = '' }: IncomingMessage): boolean {
  return answerControl !== undefined && isControlTarget(originForm(url));
}

/** The known part of a call whose body was not read. */
function knownOf({ operationId, request: { headers } }: Arrival): Partial<Call> {
  return operationId === undefined ? { headers } : { operationId, headers };
}

function headersFor(context: MockContext, { request }: Arrival, answer: Answer): Record<string, string> {
  const { engine, pageOrigins, allowsPage } = context;
  const common = commonHeaders(context, answer);
  if (allowsPage?.(request) === false) return common;
  return { ...corsHeaders(request.headers, engine.runtime.profile.cors, pageOrigins), ...common };
}

// Requests without an id get one with the response, when the organization is known.
function requestIdOf({ requestIds }: MockContext, { request }: Arrival, { about }: Answer): string {
  return sentRequestId(request.headers) ?? requestIds(about?.organizationId);
}

function record(
  context: MockContext,
  { request, startedAtMs, body }: Arrival,
  answer: Answer,
  facts: Pick<Received, 'requestId' | 'answerBytes'>,
): void {
  const { method = '', url = '', headers } = request;
  const durationMs = performance.now() - startedAtMs;
  recordExchange(context, { method, url, headers, body, durationMs, ...facts }, answer);
}

/** How a response with this damage is written: its headers immediately, then its body. */
function deliverDamaged(damage: Damage | undefined): Deliver {
  if (damage === undefined) return writeWhole;
  return (response, { status, headers, body }) => {
    response.writeHead(status, headers);
    response.flushHeaders();
    damage(Buffer.from(response.req.method === 'HEAD' ? '' : body), {
      write: (piece) => piece.length > 0 && response.write(piece),
      end: () => response.end(),
      breakOff: () => response.socket?.destroySoon(),
    });
  };
}

/** How an exchange ends without a response: by a reset (TCP RST), or by a regular close. */
const endings: Readonly<Record<Loss, (response: ServerResponse) => void>> = {
  connectionReset: ({ socket }) => socket && reset(socket),
  emptyAnswer: ({ socket }) => socket?.destroySoon(),
};

// A TLS connection cannot be reset; it ends without a closing alert.
function reset(connection: Socket): void {
  if (isEncrypted(connection)) connection.destroy();
  else connection.resetAndDestroy();
}
