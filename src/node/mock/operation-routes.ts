import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import { answerCall, type PendingCall } from '../../workbench/edge/answer-call.ts';
import { isKeyFirst } from '../../workbench/edge/refusals.ts';
import { BodyReader, readWhole } from '../body-reader.ts';
import { type Arrival, arrive } from './arrival.ts';
import { createFindOperation, createReadHead, type Route } from './find-operation.ts';
import type { MockContext } from './mock-context.ts';
import { answerError, guarded, knownOf, loseAnswer, sendAnswer } from './send-answer.ts';

/** Responds to a request if it is for an operation; false if it is not. */
export type TakeOperation = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Responds to requests for operations. `answerEarly` handles refusals that do not depend on the operation. */
export function createTakeOperation(
  context: MockContext,
  answerEarly: (arrival: Arrival) => Answer | undefined,
): TakeOperation {
  const readHead = createReadHead(createFindOperation(context.engine.operations, context.basePath));
  return (request, response) => {
    const { headers, route } = readHead(request);
    request.headers = headers;
    if (route === undefined) return false;
    const arrival = arrive(request, response, route.operation.operationId);
    guarded(context, arrival, () => {
      const early = answerEarly(arrival);
      if (early === undefined) answerRoute(context, arrival, route);
      else sendAnswer(context, arrival, early);
    });
    return true;
  };
}

function answerRoute(context: MockContext, arrival: Arrival, route: Route): void {
  const { operation } = route;
  const refusal = isKeyFirst(operation) ? judgeKey(context, arrival, operation) : undefined;
  if (refusal !== undefined) {
    sendAnswer(context, arrival, context.engine.refusal(refusal, undefined, knownOf(arrival)));
  } else if (isKeyFirst(operation) && hasBody(arrival.request)) {
    readBody(context, arrival, operation).then(
      () => guarded(context, arrival, () => carryOut(context, arrival, route)),
      (error) => answerError(context, error, arrival),
    );
  } else carryOut(context, arrival, route);
}

function judgeKey({ engine }: MockContext, arrival: Arrival, { operationId }: Operation): Refusal | undefined {
  arrival.about = { operationId };
  const caller = engine.authenticate(arrival.request.headers);
  if (isRefusal(caller)) return caller;
  arrival.about = { operationId, organizationId: caller.id };
  return undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

// Bodies are read as bytes, since their size is judged before their media type.
async function readBody({ engine }: MockContext, arrival: Arrival, { takesBody }: Operation): Promise<void> {
  const { request } = arrival;
  // A body that the operation does not take has no size limit: it is not kept.
  if (!takesBody) await new BodyReader(request).skip();
  else arrival.body = await readWhole(request, engine.appliedFor(request.headers).profile.bodySizeLimit);
}

function carryOut(context: MockContext, arrival: Arrival, route: Route): void {
  answerCall(context, toPending(context, arrival, route));
}

function toPending(context: MockContext, arrival: Arrival, { operation, pathParameters, query }: Route): PendingCall {
  const { request, response, body } = arrival;
  const { operationId } = operation;
  return {
    ...{ operation, call: { operationId, pathParameters, query, headers: request.headers, body } },
    ...{ connection: request.socket, exchange: response },
    send: (answer, damage) => sendAnswer(context, arrival, answer, damage),
    lose: (about, how) => loseAnswer(context, arrival, about, how),
    fail: (error) => answerError(context, error, arrival),
  };
}
