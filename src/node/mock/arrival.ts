import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { rememberingBy } from '../../../lib/remembering.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer } from '../../engine/call.ts';
import type { MockContext } from './mock-context.ts';

/** One request whose head has arrived, and what is known of it so far. */
export interface Arrival {
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

/** Records that the head of a request has arrived. */
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
 * Returns the same object for requests with the same headers: most clients keep sending the same few, and results
 * computed from headers are cached by their object.
 */
export function createSameHeaders(): (request: IncomingMessage) => IncomingHttpHeaders {
  // Names and values contain no line breaks.
  return rememberingBy(
    ({ rawHeaders }) => rawHeaders.join('\n'),
    ({ headers }) => headers,
    longestHeaders,
  );
}
