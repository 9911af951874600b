import { withDefaults } from '../../../openapi/contract/options.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { liveMcpOptions, requireOptions } from '../options.ts';
import { StartError } from '../start-error.ts';
import { allowedHosts, parseHostRule } from './allowed-hosts.ts';
import type { LiveMcpOptions } from './live-mcp-options.ts';
import type { LiveSettings } from './live-tools.ts';
import { generousLimits } from './question.ts';

/** The settings of the options; undefined where nothing may be contacted. Throws a {@link StartError}. */
export function toLiveSettings(liveMcp: boolean | LiveMcpOptions = false): LiveSettings | undefined {
  if (liveMcp === false) return undefined;
  const given = liveMcp === true ? {} : liveMcp;
  requireOptions(liveMcpOptions, given, {}, 'liveMcp.');
  const { timeoutMs, cacheMs, allow = [] } = withDefaults(liveMcpOptions, given);
  const allowed = allowedHosts(allow.map(toHostRule));
  return { limits: { timeoutMs, ...generousLimits }, cacheMs, guard: { allowed } };
}

function toHostRule(text: string) {
  const rule = parseHostRule(text);
  if (rule !== undefined) return rule;
  const remedy = 'Write it as <host> or <host>:<port>, such as mcp.example.com:8443; * allows every public host.';
  throw new StartError('OPTION_INVALID', `${JSON.stringify(text)} is not a host. ${remedy}`);
}

/**
 * The profile with `toolsOfNewServer: live`, where that is permitted. Throws a {@link StartError} when the profile has it
 * without permission, and when `set` contradicts the permission.
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
