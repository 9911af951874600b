import type { Organization } from '../domain/organizations.ts';

const limit = 1_000;
const windowMs = 60_000;

/** The headers of the open point `rateLimits: announced`: calls per minute and organization. Nothing is enforced. */
export function createRateLimitHeaders(): (organization: Organization) => Record<string, string> {
  const windows = new WeakMap<Organization, { startMs: number; calls: number }>();
  return (organization) => {
    const now = organization.world.clock.nowMs();
    const known = windows.get(organization);
    const current = known !== undefined && now - known.startMs < windowMs ? known : { startMs: now, calls: 0 };
    current.calls++;
    windows.set(organization, current);
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - current.calls)),
      'ratelimit-reset': String(Math.ceil((current.startMs + windowMs - now) / 1000)),
    };
  };
}
