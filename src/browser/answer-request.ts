/*
 * The mock in a page: the order of checks before the engine. `fetch.ts` and `msw.ts` are skins over it. A file that
 * needs Node or generates code has a twin of the same name in `instead/`; `.ci/bundle.mjs` swaps them in and lists the
 * files in the bundle.
 */

import { mockHeaders } from '../../openapi/contract/mock-headers.ts';
import { type AdminApi, type ControlReply, closedToPages, isControlTarget } from '../app/admin-api/admin-api.ts';
import type { ControlContext } from '../app/admin-api/control.ts';
import { answerCall, commonHeaders, type EdgeContext, recordExchange } from '../app/edge/answer-call.ts';
import {
  isEncoded,
  isKeyFirst,
  notEncoded,
  pathOf,
  type Route,
  sentRequestId,
  tooLarge,
  unexpectedIn,
} from '../app/edge/request.ts';
import type { Damage } from '../app/faults/effects.ts';
import { noStatus } from '../app/request-log.ts';
import { answerDocument } from '../app/served-documents.ts';
import { answerUnknown } from '../app/unknown-paths.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Answer, Call } from '../engine/call.ts';
import { LostConnection } from './connection.ts';
import type { PageRequest, Place } from './request.ts';
import { causeOf, lengthBytesOf, toEventResponse, toResponse } from './to-response.ts';

/** Everything that the parts of this edge share. */
export interface PageContext extends EdgeContext, Place {
  plane: AdminApi<ControlContext> | undefined;
}

/** Handles one request in the same order as the HTTP edge: path, method, key, size of the body, then the engine. */
export async function answerRequest(context: PageContext, request: PageRequest): Promise<Response> {
  const { plane } = context;
  if (plane !== undefined && isControlTarget(request.target)) return answerControl(context, plane, request);
  try {
    return await answerContract(context, request);
  } catch (error) {
    if (error instanceof LostConnection) throw error;
    context.onUnexpected(error);
    const { headers } = request;
    return end(context, request, context.engine.refusal(unexpectedIn('mock'), undefined, { headers }));
  }
}

function answerContract(context: PageContext, request: PageRequest): Response | Promise<Response> {
  const { engine, basePath, origin, prefix } = context;
  const { method, target, headers } = request;
  const answerTo = (refusal: Refusal) => engine.refusal(refusal, undefined, { headers });
  if (!isEncoded(target)) return end(context, request, answerTo(notEncoded));
  const path = pathOf(target);
  const isRead = method === 'GET' || method === 'HEAD';
  const baseUrl = origin + prefix + basePath;
  const document = isRead ? answerDocument(engine, headers, { path, baseUrl }) : undefined;
  if (document !== undefined) return end(context, request, document);
  const route = context.findRoute(method, target);
  if (route !== undefined) return answerRoute(context, request, route);
  return end(context, request, answerUnknown(engine, basePath, method, path, answerTo));
}

async function answerRoute(context: PageContext, request: PageRequest, route: Route): Promise<Response> {
  const { engine } = context;
  const { headers } = request;
  const { operation, pathParameters, query } = route;
  const { operationId } = operation;
  const body = isKeyFirst(operation) ? await judgedBody(context, request, operation) : undefined;
  if (body?.refusal !== undefined) {
    const answer = engine.refusal(body.refusal, undefined, { operationId, headers });
    const about = { operationId, ...body.caller };
    return end(context, request, { ...answer, about });
  }
  return send(context, request, operation, { operationId, pathParameters, query, headers, body: body?.bytes });
}

/** The body, or why it is refused before it is parsed. Without a valid key it is not read. */
async function judgedBody(
  { engine }: PageContext,
  { headers, readBody }: PageRequest,
  { takesBody }: Route['operation'],
): Promise<{ bytes?: Uint8Array | undefined; refusal?: Refusal; caller?: { organizationId: string } }> {
  const caller = engine.authenticate(headers);
  if (isRefusal(caller)) return { refusal: caller };
  if (!takesBody) return {};
  const limitBytes = engine.appliedFor(headers).profile.bodySizeLimit;
  const bytes = await readBody();
  if (bytes === undefined || bytes.length <= limitBytes) return { bytes };
  return { refusal: tooLarge(limitBytes), caller: { organizationId: caller.id } };
}

function send(
  context: PageContext,
  request: PageRequest,
  operation: Route['operation'],
  call: Call,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const { connection } = request;
  answerCall(context, {
    ...{ operation, call, connection, exchange: connection },
    send: (answer, damage) => resolve(end(context, request, answer, { body: call.body, damage })),
    lose: (about, how) => {
      record(context, request, { status: noStatus, headers: {}, about }, call.body);
      reject(new LostConnection(causeOf({ about }, how)));
    },
    fail: reject,
  });
  return promise;
}

/** Records an answer and returns it as a `Response`. */
function end(
  context: PageContext,
  request: PageRequest,
  answer: Answer,
  { body, damage }: { body?: Uint8Array | undefined; damage?: Damage | undefined } = {},
): Response {
  const requestId = record(context, request, answer, body);
  const date = new Date(context.engine.clock.nowMs()).toUTCString();
  const more = { date, ...commonHeaders(context, answer), [mockHeaders.requestId]: requestId };
  return toResponse(request, answer, { more, damage });
}

function record(context: PageContext, request: PageRequest, answer: Answer, body: Uint8Array | undefined): string {
  const { method, target: url, headers, startedAtMs } = request;
  const requestId = sentRequestId(headers) ?? context.requestIds(answer.about?.organizationId);
  const durationMs = performance.now() - startedAtMs;
  const answerBytes = lengthBytesOf(answer.body ?? '');
  recordExchange(context, { method, url, headers, body, requestId, durationMs, answerBytes }, answer);
  return requestId;
}

// Only this page, or this process, can call it, so there is no access check. The headers are the same as over HTTP.
async function answerControl(
  { origin, prefix, onUnexpected }: PageContext,
  plane: AdminApi<ControlContext>,
  asked: PageRequest,
): Promise<Response> {
  const { method, target, readBody } = asked;
  const { origin: _, ...headers } = asked.headers;
  const request = {
    method,
    target,
    headers: { ...headers, host: 'localhost' },
    origin: origin + prefix,
    isLocal: true,
  };
  try {
    const refused = plane.guard({ ...request, body: undefined });
    const answer = refused ?? plane.answer({ ...request, body: await readBody() });
    const { stream } = answer as ControlReply;
    if (stream !== undefined && method !== 'HEAD') return toEventResponse(asked, stream, closedToPages);
    return toResponse(asked, answer, { more: closedToPages, damage: undefined });
  } catch (error) {
    if (error instanceof LostConnection) throw error;
    onUnexpected(error);
    return toResponse(asked, plane.refusal(unexpectedIn('admin API')), { more: closedToPages, damage: undefined });
  }
}
