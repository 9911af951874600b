import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdminApi, type ControlReply, closedToPages } from '../app/admin-api/admin-api.ts';
import { originForm, unexpectedIn } from '../app/edge/request.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Answer } from '../engine/call.ts';
import { readWhole } from './body-reader.ts';
import { controlCorsHeaders } from './cors.ts';
import { isLocal, originOf, refuseHead, toRefusal, toWire, writeWhole } from './wire.ts';

// Snapshots may be large, but restoring one blocks everybody: about a second per 32 MB.
const bodyLimitBytes = 67_108_864;

/** Responds to an admin API request; with `refusal` if the request could not even be routed. */
export type AnswerControl = (request: IncomingMessage, response: ServerResponse, refusal?: Refusal) => void;

/** The HTTP edge of the admin API of a mock or proxy. `onRefused` is told who may not use it. */
export function createControlEdge<Context>(
  plane: AdminApi<Context>,
  onUnexpected: (error: unknown) => void,
  onRefused: OnRefused = () => undefined,
): AnswerControl {
  return (request, response, refusal) => {
    reply(plane, request, refusal, onRefused)
      .catch((error: unknown) => {
        const known = toRefusal(error as { code?: unknown }, bodyLimitBytes);
        if (known === undefined) onUnexpected(error);
        return plane.refusal(known ?? unexpected);
      })
      .then((answer) => write(request, response, answer, plane.allowsPage(request.headers)))
      .catch((error: unknown) => {
        onUnexpected(error);
        response.destroy();
      });
  };
}

type OnRefused = (request: IncomingMessage, answer: Answer) => void;

/** The response to an unexpected error. */
export const unexpected = unexpectedIn('admin API');

async function reply<Context>(
  plane: AdminApi<Context>,
  message: IncomingMessage,
  early: Refusal | undefined,
  onRefused: OnRefused,
): Promise<ControlReply> {
  const { method = 'GET', url = '/', headers } = message;
  const refusal = early ?? refuseHead(message);
  if (refusal !== undefined) return plane.refusal(refusal);
  const origin = originOf(message);
  const request = { method, target: originForm(url), headers, origin, isLocal: isLocal(message), body: undefined };
  const refused = plane.guard(request);
  if (refused !== undefined) {
    onRefused(message, refused);
    return refused;
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return plane.answer(hasBody ? { ...request, body: await readWhole(message, bodyLimitBytes) } : request);
}

// Slower readers are disconnected: the data waiting for them would grow without limit.
const waitingBytes = 1_048_576;

function write(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  answer: ControlReply,
  isAllowedPage: boolean,
): void {
  const guards = { ...closedToPages, ...(isAllowedPage ? controlCorsHeaders(method, headers) : {}) };
  if (answer.stream === undefined || method === 'HEAD') {
    writeWhole(response, toWire(answer, guards));
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'text/event-stream', ...guards });
  const stop = answer.stream((piece) => {
    // Checked before the write: a single large event is no sign of a slow reader.
    if (response.writableLength > waitingBytes) response.destroy();
    else response.write(piece);
  });
  if (response.destroyed) stop();
  else response.on('close', stop);
}
