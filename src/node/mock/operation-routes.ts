import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { FaultMatch } from '../../workbench/faults/fault.ts';
import { type MatchedCall, matchFaults, playFaults } from '../../workbench/faults/play-faults.ts';
import { toStatusAnswer } from '../../workbench/faults/status-answer.ts';
import { mayPrefer } from '../../workbench/forced/preferences.ts';
import type { MockContext } from './mock-context.ts';
import { answerError, knownOf, loseAnswer, sendAnswer } from './send-answer.ts';

/** Adds the route of one operation. */
export function addOperation(app: FastifyInstance, context: MockContext, operation: Operation): void {
  app.route({
    method: operation.method,
    url: context.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operationId: operation.operationId, takesBody: operation.takesBody },
    // A request that may carry a body is authenticated before the body is read.
    ...(operation.method === 'GET' ? {} : { onRequest: judgeKeyFirst(context, operation), preParsing: hideMediaType }),
    handler: (request, reply) => answerCall({ context, operation, call: toCall(operation, request), reply }),
  });
}

/** One call with everything that is needed to answer it. */
interface PendingCall {
  context: MockContext;
  operation: Operation;
  call: Call;
  reply: FastifyReply;
}

function answerCall(pending: PendingCall): void {
  const { context, call, reply } = pending;
  const { faults, engine } = context;
  const match = matchFaults(faults, engine, call);
  if (match !== undefined) playFaults(faults.held, match, toMatchedCall(pending, match));
  else carryOut(pending, (answer) => sendAnswer(context, reply, answer));
}

/** Passes the answer to a call on, at once or later; never when nobody is left to answer. */
function carryOut({ context, operation, call, reply }: PendingCall, then: (answer: Answer) => void): void {
  const { engine, prepare } = context;
  const later = mayPrefer(call.query, call.headers)
    ? context.answerPreferring(operation, call, reply.raw)
    : prepare?.(call)?.then(() => engine.answer(call));
  if (later === undefined) {
    then(engine.answer(call));
    return;
  }
  reply.hijack();
  later.then((answer) => answer && then(answer)).catch((error) => answerError(context, error, reply));
}

function toMatchedCall(pending: PendingCall, { organizationId, faults }: FaultMatch): MatchedCall {
  const { context, operation, call, reply } = pending;
  const about = { operationId: call.operationId, organizationId, faults };
  return {
    connection: reply.raw.req.socket,
    carryOut: (then) => carryOut(pending, then),
    statusAnswer: (status) => toStatusAnswer(context.engine, operation, call.headers, status),
    send: (answer, damage) => sendAnswer(context, reply, { ...answer, about }, damage),
    lose: (how) => loseAnswer(context, reply, about, how),
    fail: (error) => answerError(context, error, reply),
  };
}

const hideMediaType: preParsingHookHandler = (request, _reply, payload, done) => {
  if ('content-type' in request.raw.headers) request.headers = { 'content-type': 'application/octet-stream' };
  done(null, payload);
};

function judgeKeyFirst(context: MockContext, { operationId }: Operation) {
  const { engine } = context;
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    request.about = { operationId };
    const caller = engine.authenticate(request.headers);
    if (isRefusal(caller)) {
      return sendAnswer(context, reply, engine.refusal(caller, undefined, knownOf(request)));
    }
    request.about = { operationId, organizationId: caller.id };
    done();
  };
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
