import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Profile, validateChoices } from '../../openapi/contract/profile.ts';
import type { Violation } from '../../openapi/contract/schemas.ts';
import type { Tenant } from '../domain/store.ts';
import type { Engine } from '../engine/engine.ts';
import { sharedChoices } from '../engine/plays.ts';

/** Choices that replace those of a profile; null takes the own profile of an organization away. */
export type ProfileChange = Partial<Profile> | null;

/** What is wrong with a change of the profile of one organization, or (undefined) of all. */
export function profileViolations(
  change: ProfileChange | undefined,
  tenant: Tenant | undefined,
  { engine, hasLiveMcp }: { engine: Engine; hasLiveMcp: boolean },
): Violation[] {
  if (change === undefined || (change === null && tenant !== undefined)) return [];
  const violation = (openPoint: string, code: string, message: string): Violation => ({
    ...{ location: openPoint === '' ? ['profile'] : ['profile', openPoint], code, message },
  });
  if (change === null) return [violation('', 'scope', 'may be null for one organization only: add ?organization=')];
  const invalid = validateChoices(loadOpenPoints(), change);
  const isOther = (id: (typeof sharedChoices)[number]) => id in change && change[id] !== engine.runtime.profile[id];
  const shared = tenant === undefined ? [] : sharedChoices.filter(isOther);
  // Only whoever starts the mock may allow it to contact anything.
  const isLive = !hasLiveMcp && change.toolsOfNewServer === 'live';
  return [
    ...invalid.map(({ openPoint, message }) => violation(openPoint, 'choice', message)),
    ...shared.map((id) => violation(id, 'scope', whyShared)),
    ...(isLive ? [violation('toolsOfNewServer', 'permission', whyNotLive)] : []),
  ];
}

const whyShared =
  'is the same for all organizations, because a request without one valid key belongs to none; change it for all';
const whyNotLive = 'makes the mock contact MCP servers; start it with --live-mcp to allow that';

/** Changes the profile of one organization, or (undefined) of all that have none of their own. */
export function changeProfile(engine: Engine, tenant: Tenant | undefined, change: ProfileChange): void {
  const before = profileOf(engine, tenant);
  if (tenant === undefined) engine.play({ ...before, ...change });
  else engine.playFor(tenant, change === null ? undefined : { ...before, ...change });
}

/** The profile of one organization, or (undefined) of all that have none of their own. */
export function profileOf(engine: Engine, tenant: Tenant | undefined): Profile {
  return tenant === undefined ? engine.runtime.profile : tenant.organization.runtime.profile;
}
