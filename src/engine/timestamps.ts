import type { Profile } from '../../openapi/contract/profile.ts';

/** Writes a time in UTC under the open points `timestamps.precision` and `timestamps.zone` (section 2). */
export function createTimestamps(profile: Profile): (timeMs: number) => string {
  const zone = profile['timestamps.zone'];
  switch (profile['timestamps.precision']) {
    case 'milliseconds':
      return (timeMs) => new Date(timeMs).toISOString().slice(0, -1) + zone;
    case 'seconds':
      return (timeMs) => new Date(timeMs).toISOString().slice(0, -5) + zone;
    case 'microseconds':
      return (timeMs) => `${new Date(timeMs).toISOString().slice(0, -1)}000${zone}`;
  }
}
