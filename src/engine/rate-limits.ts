/*
 * To add a choice: `openapi/points/http.ts`, here and `engine.ts`. To add an error response:
 * `openapi/contract/refusals.ts`. Headers are recognised in the room of their open point.
 */
import type { Clock } from '../domain/clock.ts';

const limit = 1_000;
const windowMs = 60_000;

/** The headers of `rateLimits: announced`, which count each caller's calls per minute. No limit is enforced. */
export function createRateLimitHeaders(): (caller: object, clock: Clock) => Record<string, string> {
  const windows = new WeakMap<object, { startMs: number; calls: number }>();
  return (caller, clock) => {
    const now = clock.nowMs();
    const known = windows.get(caller);
    const current = known !== undefined && now - known.startMs < windowMs ? known : { startMs: now, calls: 0 };
    current.calls++;
    windows.set(caller, current);
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - current.calls)),
      'ratelimit-reset': String(Math.ceil((current.startMs + windowMs - now) / 1000)),
    };
  };
}
