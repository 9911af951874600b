import { ClientRequest } from 'node:http';
import { answeredByGateway, type Reply } from './reply.ts';

/** How long a target that is too busy (429, 503) asks to wait, in seconds or until a date; undefined if it does not say. */
export function retryAfterMs({ status, headers }: Pick<Reply, 'status' | 'headers'>): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || (status !== 429 && status !== 503)) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds * 1_000);
}

/** Whether the target itself did not respond. A target that names a time to come back is there. */
export function isSilent(reply: Reply): boolean {
  const { failure, status } = reply;
  if (failure !== undefined) return failure !== 'tooLarge';
  return answeredByGateway.includes(status) && retryAfterMs(reply) === undefined;
}

/** Whether a request used a connection that had carried an earlier one. */
export function isReused(request: object): boolean {
  const sent: unknown = Reflect.get(request, 'req');
  return sent instanceof ClientRequest && sent.reusedSocket;
}
