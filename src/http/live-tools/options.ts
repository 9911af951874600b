import type { Profile } from '../../../openapi/contract/profile.ts';
import { defaultLiveMcp } from '../mock-defaults.ts';
import { StartError } from '../start-error.ts';
import { allowedHosts, parseHostRule } from './allowed-hosts.ts';
import { generousLimits } from './limits.ts';
import type { LiveMcpOptions } from './live-mcp-options.ts';
import type { LiveSettings } from './live-tools.ts';

/** What the options mean; undefined where nothing may be contacted. Throws a {@link StartError}. */
export function toLiveSettings(liveMcp: boolean | LiveMcpOptions = false): LiveSettings | undefined {
  if (liveMcp === false) return undefined;
  const given = { ...defaultLiveMcp, ...(liveMcp === true ? {} : liveMcp) };
  const { timeoutMs, cacheMs, allow = [] } = given;
  requireWhole('liveMcp.timeoutMs', timeoutMs, 1);
  requireWhole('liveMcp.cacheMs', cacheMs, 0);
  const allowed = allowedHosts(allow.map(toHostRule));
  return { limits: { timeoutMs, ...generousLimits }, cacheMs, guard: { allowed } };
}

// As long as a timer can be.
const longestMs = 2 ** 31 - 1;

function requireWhole(name: string, value: number, minimum: number): void {
  if (Number.isInteger(value) && value >= minimum && value <= longestMs) return;
  throw new StartError('OPTION_INVALID', `${name} is a whole number from ${minimum} to ${longestMs}; it is ${value}.`);
}

function toHostRule(text: string) {
  const rule = parseHostRule(text);
  if (rule !== undefined) return rule;
  const remedy = 'Write it as <host> or <host>:<port>, such as mcp.example.com:8443; * stands for every public host.';
  throw new StartError('OPTION_INVALID', `${JSON.stringify(text)} is no host that could be allowed. ${remedy}`);
}

/**
 * The profile in which MCP servers are asked, where that is permitted. Throws a {@link StartError} when the profile asks
 * without permission, and when `set` chooses something else in spite of it.
 */
export function withLiveTools(profile: Profile, set: Partial<Profile> = {}, isPermitted: boolean): Profile {
  if (!isPermitted && profile.toolsOfNewServer === 'live') {
    const remedy = 'Permit it with --live-mcp (liveMcp: true in code), or choose none or plausible.';
    throw new StartError('PROFILE_INVALID', `toolsOfNewServer: live has the mock contact MCP servers. ${remedy}`);
  }
  if (!isPermitted) return profile;
  const { toolsOfNewServer = 'live' } = set;
  if (toolsOfNewServer === 'live') return { ...profile, toolsOfNewServer };
  const remedy = 'Leave one of them out.';
  throw new StartError('PROFILE_INVALID', `toolsOfNewServer=${toolsOfNewServer} contradicts --live-mcp. ${remedy}`);
}
