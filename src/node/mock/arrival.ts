import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer } from '../../engine/call.ts';

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
export function arrive(request: IncomingMessage, response: ServerResponse, operationId?: OperationId): Arrival {
  return { request, response, startedAtMs: performance.now(), operationId, about: undefined, body: undefined };
}
