import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Operation } from '../../openapi/contract/operations.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Call } from '../engine/call.ts';
import { send } from './deliver.ts';
import type { Edge } from './edge.ts';

/** Adds the route of one operation. */
export function addOperation(app: FastifyInstance, edge: Edge, operation: Operation): void {
  const url = edge.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    // A request that may carry a body shows its key before the body is read.
    ...(operation.method === 'GET' ? {} : { onRequest: judgeKeyFirst(edge, operation), preParsing: hideMediaType }),
    handler: (request, reply) => send(edge, request, reply, edge.engine.answer(toCall(operation, request))),
  });
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
      send(edge, request, reply, { ...engine.refusal(caller), about: request.about });
      return;
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
