import { byCase, type Profile, validateChoices } from '../../openapi/contract/profile.ts';
import type { Violation } from '../../openapi/contract/schemas.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Sandbox } from '../domain/store.ts';
import { sharedChoices, withShared } from '../engine/applied-profile.ts';
import type { Engine } from '../engine/engine.ts';
import type { Impact } from './draw-profile.ts';
import { plainChoices, toProfileInUse } from './settings.ts';

/** Choices that replace a profile's; null removes the profile of an organization. */
export type ProfileChange = Partial<Profile> | null;

/** The errors in a profile change for one organization, or for all if undefined. */
export function profileViolations(
  change: ProfileChange | undefined,
  sandbox: Sandbox | undefined,
  mock: MockInUse,
): Violation[] {
  if (change === undefined || (change === null && sandbox !== undefined)) return [];
  if (change === null) return [violation('', 'scope', 'may be null for one organization only: add ?organization=')];
  const points = loadOpenPoints();
  const invalid = validateChoices(points, byCase(points, change));
  return [
    ...invalid.map(({ openPoint, message }) => violation(openPoint, 'choice', message)),
    ...unusableChoices(change, sandbox, mock),
  ];
}

/** What determines which legal choices can be used. */
interface MockInUse {
  engine: Engine;
  hasLiveMcp: boolean;
}

/** The legal choices that one organization, or all if undefined, cannot use on this mock. */
export function unusableChoices(
  change: Partial<Profile>,
  sandbox: Sandbox | undefined,
  { engine, hasLiveMcp }: MockInUse,
): Violation[] {
  const isOther = (id: (typeof sharedChoices)[number]) => id in change && change[id] !== engine.runtime.profile[id];
  const shared = sandbox === undefined ? [] : sharedChoices.filter(isOther);
  // Only whoever starts the mock may allow outbound connections.
  const isLive = !hasLiveMcp && change.toolsOfNewServer === 'live';
  return [
    ...shared.map((id) => violation(id, 'scope', whyShared)),
    ...(isLive ? [violation('toolsOfNewServer', 'permission', whyNotLive)] : []),
  ];
}

function violation(openPoint: string, code: string, message: string): Violation {
  return { location: openPoint === '' ? ['profile'] : ['profile', openPoint], code, message };
}

const whyShared =
  'is the same for all organizations, because a request without one valid key belongs to none; change it for all';
const whyNotLive = 'makes the mock contact MCP servers; start it with --live-mcp to allow that';

/** Changes the profile of one organization or, if undefined, of all without their own. */
export function changeProfile(engine: Engine, sandbox: Sandbox | undefined, change: ProfileChange): void {
  const before = profileOf(engine, sandbox);
  const choices = change === null ? {} : plainChoices(change);
  if (sandbox === undefined) engine.apply({ ...before, ...choices });
  else engine.applyFor(sandbox, change === null ? undefined : { ...before, ...choices });
}

/** The profile of one organization or, if undefined, of all without their own. */
export function profileOf(engine: Engine, sandbox: Sandbox | undefined): Profile {
  return sandbox === undefined ? engine.runtime.profile : sandbox.organization.runtime.profile;
}

/**
 * The profile of a mock like this one, started with `vary` and `randomSeed` and no other choices. For one organization,
 * with the shared choices.
 */
export function drawnProfileFor(
  sandbox: Sandbox | undefined,
  { engine, hasLiveMcp }: MockInUse,
  vary: Impact,
  randomSeed: number,
): Profile {
  const drawn = toProfileInUse({}, vary, randomSeed);
  const usable: Profile = hasLiveMcp ? { ...drawn, toolsOfNewServer: 'live' } : drawn;
  return sandbox === undefined ? usable : withShared(usable, engine.runtime.profile);
}
