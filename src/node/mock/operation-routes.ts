import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Call } from '../../engine/call.ts';
import { answerCall, type PendingCall } from '../../workbench/edge/answer-call.ts';
import { isKeyFirst } from '../../workbench/edge/refusals.ts';
import type { MockContext } from './mock-context.ts';
import { answerError, knownOf, loseAnswer, sendAnswer } from './send-answer.ts';

/** Adds the route of one operation. */
export function addOperation(app: FastifyInstance, context: MockContext, operation: Operation): void {
  app.route({
    method: operation.method,
    url: context.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operationId: operation.operationId, takesBody: operation.takesBody },
    ...(isKeyFirst(operation) ? { onRequest: judgeKeyFirst(context, operation), preParsing: hideMediaType } : {}),
    handler: (request, reply) => answerCall(context, toPending(context, operation, request, reply)),
  });
}

function toPending(
  context: MockContext,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): PendingCall {
  return {
    ...{ operation, call: toCall(operation, request), connection: reply.raw.req.socket, exchange: reply.raw },
    onLate: () => reply.hijack(),
    send: (answer, damage) => sendAnswer(context, reply, answer, damage),
    lose: (about, how) => loseAnswer(context, reply, about, how),
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
