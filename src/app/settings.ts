/*
 * What `createMock` accepts as a seed: `src/domain/resources.ts` and `seed.ts`; from files:
 * `src/http/load-settings.ts`; a state saved as a seed: `src/domain/to-seed.ts`.
 */
import { placeOf } from '../../lib/place.ts';
import { shownValue } from '../../lib/sentence.ts';
import { copyOf } from '../../openapi/contract/load.ts';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import {
  byCase,
  type Choices,
  type OpenPointId,
  type Profile,
  toProfile,
  validateChoices,
  withoutSchema,
} from '../../openapi/contract/profile.ts';
import type { Violation } from '../../openapi/contract/schemas.ts';
import { loadOpenPoints, sharedPoints } from '../../openapi/points/index.ts';
import type { Seed } from '../domain/seed.ts';
import type { Sandbox } from '../domain/store.ts';
import { validateSeed } from '../domain/validate-seed.ts';
import { withShared } from '../engine/applied-profile.ts';
import { Engine } from '../engine/engine.ts';
import { isClockTime, MockClock } from '../engine/mock-clock.ts';
import type { SandboxRules } from '../engine/sandboxes.ts';
import { mockOptions, parseClock } from '../options/mock-options.ts';
import { drawProfile, type Impact } from './draw-profile.ts';
import { StartError, type StartErrorCode } from './start-error.ts';

type Validate = (value: unknown) => { location: readonly (string | number)[]; message: unknown }[];

/** The seed with which the mock starts if no other is given. */
const loadDemoSeed = copyOf(() => loadOwnYaml('src/domain/demo-seed.yaml') as Seed);

/** Returns the value if it is valid. Throws a {@link StartError} otherwise. */
function checked<T>(value: T, code: StartErrorCode, validate: Validate): T {
  const violations = validate(value);
  if (violations.length === 0) return value;
  throw new StartError(
    code,
    violations.map(({ location, message }) => `${placeOf(location) || 'The value'} ${message}`).join('\n'),
  );
}

/** Choices with one entry for each case, without the `$schema` that names their schema to editors. */
export function plainChoices(choices: Choices): Partial<Profile> {
  return byCase(loadOpenPoints(), withoutSchema(choices)) as Partial<Profile>;
}

/** The errors in choices, worded as for a data file. A string `$schema` is allowed: it is for editors. */
export function choiceViolations(given: unknown): { location: string[]; message: string }[] {
  const points = loadOpenPoints();
  return validateChoices(points, withoutSchema(given)).map(({ location, message }) => ({
    location,
    message: `is invalid: ${message}`,
  }));
}

/** A seed that is given as a value, or as `demo`. Throws a {@link StartError}. */
export function toSeed(seed: Seed | 'demo' = 'demo'): Seed {
  if (seed === 'demo') return loadDemoSeed();
  const refuse = (why: string, cause: unknown) =>
    new StartError('SEED_INVALID', `The seed must consist of JSON values.${why}`, { cause });
  return checked(jsonCopy(seed, refuse), 'SEED_INVALID', validateSeed);
}

/** A copy, so that later changes by the caller have no effect. Throws what `refuse` returns if a value is not JSON. */
export function jsonCopy<T>(value: T, refuse: (why: string, cause: unknown) => StartError): T {
  try {
    return JSON.parse(JSON.stringify(value, requireJson));
  } catch (error) {
    throw refuse(`\n${(error as Error).message}`, error);
  }
}

// JSON would leave such values out, or replace them.
function requireJson(key: string, value: unknown): unknown {
  const kind = typeof value === 'number' ? String(value) : Object.prototype.toString.call(value).slice(8, -1);
  if (/^(Object|Array|String|Boolean|Null|Undefined|-?\d.*)$/.test(kind)) return value;
  throw new TypeError(`${key === '' ? 'It' : `The value of ${key}`} is not JSON: ${kind}.`);
}

/** The user's choices, overridden by others. Throws a {@link StartError}. */
export function toChoices(choices: Choices = {}, overrides: Choices = {}): Partial<Profile> {
  const base = checked(choices, 'PROFILE_INVALID', choiceViolations);
  return { ...plainChoices(base), ...plainChoices(checked(overrides, 'PROFILE_INVALID', choiceViolations)) };
}

/** The profile with these choices. Under `vary` the others are drawn: the user's choices never vary. */
export function toProfileInUse(chosen: Partial<Profile>, vary: Impact | undefined, randomSeed: number): Profile {
  const openPoints = loadOpenPoints();
  const profile = toProfile(openPoints, chosen);
  if (vary === undefined) return profile;
  const varying = openPoints.filter(({ id }) => !Object.hasOwn(chosen, id));
  return drawProfile(varying, profile, vary, randomSeed);
}

/** The options that an engine takes unchanged. */
export interface EngineOptions {
  /** A Date, or an ISO date-time, at which to freeze the clock. Default: the machine's clock. */
  clock?: string | Date;
  /** Whether each unknown key gets its own sandbox: a fresh copy of the seed's first organization. Default false. */
  openKeys?: boolean;
  /** The maximum number of sandboxes. At the limit, a new one replaces the least recently used one, unchanged ones first. */
  maxSandboxes?: number;
}

/** The engine of a mock, without its surroundings. Throws a {@link StartError}. */
export function createEngine(options: EngineOptions, randomSeed: number, profile: Profile, seed: Seed): Engine {
  const clock = new MockClock(options.clock === undefined ? undefined : parseTime(options.clock));
  return new Engine({ profile, clock, randomSeed, startedAtMs: clock.nowMs() }, seed, rulesOf(options));
}

/** The rules for sandboxes. */
export function rulesOf({
  openKeys = false,
  maxSandboxes = mockOptions.maxSandboxes.default,
}: EngineOptions): SandboxRules {
  return { hasOpenKeys: openKeys, limit: maxSandboxes };
}

/** Drawn random seeds are below this, so that they are easy to retype. */
const drawnSeedLimit = 1_000_000;

/** The random seed: the given one, the default, or under `vary` one from `draw`, below a limit. */
export function toRandomSeed(
  { randomSeed, vary }: { randomSeed?: number; vary?: Impact },
  draw: (limit: number) => number,
): number {
  return randomSeed ?? (vary === undefined ? mockOptions.randomSeed.default : draw(drawnSeedLimit));
}

/** Converts a Date or an ISO date-time with a zone to milliseconds since the epoch. Throws a {@link StartError}. */
function parseTime(clock: string | Date): number {
  const text = clock instanceof Date && !Number.isNaN(clock.getTime()) ? clock.toISOString() : String(clock);
  const timeMs = parseClock(text);
  if (timeMs !== undefined && isClockTime(timeMs)) return timeMs;
  const years = 'in the years 1 to 9998 (UTC), which every response can show';
  const rule = timeMs === undefined ? mockOptions.clock.form.words : years;
  throw new StartError('OPTION_INVALID', `The clock must be ${rule}; it is ${shownValue(text)}.`);
}

/** Choices that replace a profile's; null removes the profile of an organization. */
export type ProfileChange = Choices | null;

/** The errors in a profile change for one organization, or for all if undefined. */
export function profileViolations(
  change: ProfileChange | undefined,
  sandbox: Sandbox | undefined,
  mock: MockInUse,
): Violation[] {
  if (change === undefined || (change === null && sandbox !== undefined)) return [];
  if (change === null) return [violation([], 'scope', 'may be null for one organization only: add ?organization=')];
  const points = loadOpenPoints();
  const invalid = validateChoices(points, change);
  return [
    ...invalid.map(({ location, message }) => violation(location, 'choice', `is invalid: ${message}`)),
    ...unusableChoices(plainChoices(change), sandbox, mock),
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
  const isOther = (id: OpenPointId) => id in change && change[id] !== engine.runtime.profile[id];
  const shared = sandbox === undefined ? [] : [...sharedPoints].filter(isOther);
  // Only whoever starts the mock may allow outbound connections.
  const isLive = !hasLiveMcp && change.toolsOfNewServer === 'live';
  return [
    ...shared.map((id) => violation([id], 'scope', whyShared)),
    ...(isLive ? [violation(['toolsOfNewServer'], 'permission', whyNotLive)] : []),
  ];
}

function violation(location: readonly string[], code: string, message: string): Violation {
  return { location: ['profile', ...location], code, message };
}

const whyShared =
  'is the same for all organizations, because it applies before the mock knows which organization a request belongs to; change it for all';
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
