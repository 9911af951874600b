import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Operation } from '../../openapi/contract/operations.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Answer, Call } from '../engine/call.ts';
import { lose, send } from './deliver.ts';
import type { Edge } from './edge.ts';
import { noStatus } from './exchange.ts';
import type { Strike } from './faults/fault.ts';
import { playStrike, type StruckCall, strikeOf } from './faults/play-strike.ts';
import { toStatusAnswer } from './faults/status-answer.ts';
import { mayPrefer } from './forced/preferences.ts';

/** Adds the route of one operation. */
export function addOperation(app: FastifyInstance, edge: Edge, operation: Operation): void {
  const url = edge.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    // A request that may carry a body shows its key before the body is read.
    config: { operationId: operation.operationId },
    ...(operation.method === 'GET' ? {} : { onRequest: judgeKeyFirst(edge, operation), preParsing: hideMediaType }),
    handler: (request, reply) => answerCall({ edge, operation, call: toCall(operation, request), request, reply }),
  });
}

/** One call with all that it takes to answer it. */
interface Asked {
  edge: Edge;
  operation: Operation;
  call: Call;
  request: FastifyRequest;
  reply: FastifyReply;
}

function answerCall(asked: Asked): void {
  const { edge, call, request, reply } = asked;
  const strike = strikeOf(edge.options.faults, edge.engine, call);
  if (strike !== undefined) playStrike(edge.options.faults.held, strike, toStruckCall(asked, strike));
  else carryOut(asked, (answer) => send(edge, request, reply, answer));
}

/** Hands on the answer to a call, at once or later; never, when there is nobody left to answer. */
function carryOut({ edge, operation, call, request, reply }: Asked, then: (answer: Answer) => void): void {
  const later = mayPrefer(call.query, call.headers)
    ? edge.answerPreferring(operation, call, reply.raw)
    : edge.options.prepare?.(call)?.then(() => edge.engine.answer(call));
  if (later === undefined) return void then(edge.engine.answer(call));
  reply.hijack();
  later.then((answer) => answer && then(answer)).catch((error) => edge.fail(error, request, reply));
}

function toStruckCall(asked: Asked, strike: Strike): StruckCall {
  const { edge, operation, call, request, reply } = asked;
  const { organizationId, faults } = strike;
  const about = { operationId: call.operationId, organizationId, faults };
  return {
    response: reply.raw,
    answer: (then) => carryOut(asked, then),
    statusAnswer: (status) => toStatusAnswer(edge.engine, operation, status),
    send: (answer, deliver) => send(edge, request, reply, { ...answer, about }, deliver),
    lose: (end) => lose(edge, request, reply, { status: noStatus, headers: {}, about }, end),
    fail: (error) => edge.fail(error, request, reply),
  };
}

const hideMediaType: preParsingHookHandler = (request, _reply, payload, done) => {
  if ('content-type' in request.raw.headers) request.headers = { 'content-type': 'application/octet-stream' };
  done(null, payload);
};

function judgeKeyFirst(edge: Edge, { operationId }: Operation) {
  const { engine } = edge;
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    request.about = { operationId };
    if (engine.world.profile.judgedFirst === 'input') return done();
    const caller = engine.authenticate(request.headers);
    if (isRefusal(caller)) {
      send(edge, request, reply, engine.refusal(caller, undefined, knownOf(request)));
      return;
    }
    request.about = { operationId, organizationId: caller.id };
    done();
  };
}

/** What is known of a call whose body was not read. */
export function knownOf({ routeOptions, raw }: FastifyRequest): Partial<Call> {
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
