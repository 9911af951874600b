import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import { rememberingBy } from '../../../openapi/reading/remembering.ts';
import type { Answer } from '../../engine/call.ts';
import type { MockContext } from './mock-context.ts';

/** One request whose head has arrived, and what is known of it so far. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When its head was read, by a clock that only goes forward. */
  readonly startedAtMs: number;
  /** Absent where it is for no operation. */
  readonly operationId: OperationId | undefined;
  /** Operation and organization, as far as they are known before the engine has the call. */
  about: Answer['about'] | undefined;
  /** Its body, once it was read. */
  body: Uint8Array | undefined;
}

/** Notes that the head of a request has arrived. */
export function arrive(
  { sameHeaders }: MockContext,
  request: IncomingMessage,
  response: ServerResponse,
  operationId?: OperationId,
): Arrival {
  request.headers = sameHeaders(request);
  return { request, response, startedAtMs: performance.now(), operationId, about: undefined, body: undefined };
}

const longestHeaders = 4_096;

/**
 * Gives requests whose headers are the same one object with them: most clients send the same few again and again, and what
 * was made of headers is known by the object that holds them.
 */
export function createSameHeaders(): (request: IncomingMessage) => IncomingHttpHeaders {
  // No name and no value holds a line break.
  return rememberingBy(
    ({ rawHeaders }) => rawHeaders.join('\n'),
    ({ headers }) => headers,
    longestHeaders,
  );
}
