import type { Profile } from '../../../openapi/contract/profile.ts';
import { StartError } from '../../workbench/start-error.ts';

/**
 * The profile with `toolsOfNewServer: live` if that is permitted. Throws a {@link StartError} if the profile has it
 * without permission, or if `set` contradicts the permission.
 */
export function withLiveTools(profile: Profile, set: Partial<Profile> = {}, isPermitted: boolean): Profile {
  if (!isPermitted && profile.toolsOfNewServer === 'live') {
    const remedy = 'Allow it with --live-mcp (liveMcp: true in code), or choose none or plausible.';
    throw new StartError('PROFILE_INVALID', `toolsOfNewServer: live makes the mock contact MCP servers. ${remedy}`);
  }
  if (!isPermitted) return profile;
  const { toolsOfNewServer = 'live' } = set;
  if (toolsOfNewServer === 'live') return { ...profile, toolsOfNewServer };
  const remedy = 'Leave one of them out.';
  throw new StartError('PROFILE_INVALID', `toolsOfNewServer=${toolsOfNewServer} contradicts --live-mcp. ${remedy}`);
}
