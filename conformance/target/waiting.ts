import { ClientRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Reply } from './reply.ts';

const longestWaitMs = 30_000;

/** How long a target that answers 429 asks to wait; undefined if it does not say, or asks for more than half a minute. */
export function retryAfterMs(reply: Reply): number | undefined {
  if (reply.status !== 429) return undefined;
  const value = reply.headers['retry-after'] ?? '';
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  const waitMs = Math.max(0, seconds * 1_000);
  return waitMs <= longestWaitMs ? waitMs : undefined;
}

/** Waits, unless the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** Whether a request used a connection that had carried another one. */
export function isReused(request: object): boolean {
  const sent: unknown = Reflect.get(request, 'req');
  return sent instanceof ClientRequest && sent.reusedSocket;
}
