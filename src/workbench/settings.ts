/*
 * What `createMock` accepts as a seed: `src/domain/record-schemas.ts` and `seed.ts`; from files:
 * `src/node/load-settings.ts`; a state saved as a seed: `src/domain/to-seed.ts`.
 */
import { copyOf, loadOpenPoints } from '../../openapi/contract/load.ts';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import { placeOf } from '../../openapi/contract/place.ts';
import { type Profile, toProfile, validateChoices } from '../../openapi/contract/profile.ts';
import type { Seed } from '../domain/seed.ts';
import { validateSeed } from '../domain/validate-seed.ts';
import { Engine } from '../engine/engine.ts';
import { isClockTime, MockClock } from '../engine/mock-clock.ts';
import type { SandboxRules } from '../engine/sandboxes.ts';
import { drawProfile, type Impact } from './draw-profile.ts';
import { mockOptions } from './options.ts';
import { StartError, type StartErrorCode } from './start-error.ts';

type Validate = (value: unknown) => { location: readonly (string | number)[]; message: unknown }[];

/** The seed with which the mock starts if no other is given. */
export const loadDemoSeed = copyOf(() => loadOwnYaml('src/domain/demo-seed.yaml') as Seed);

/** The value, if nothing is wrong with it; else a {@link StartError}. */
export function checked<T>(value: T, code: StartErrorCode, validate: Validate): T {
  const violations = validate(value);
  if (violations.length === 0) return value;
  throw new StartError(
    code,
    violations.map(({ location, message }) => `${placeOf(location) || 'The value'} ${message}`).join('\n'),
  );
}

/** Choices without the `$schema` that names their schema to editors. */
export function withoutSchema(choices: Partial<Profile>): Partial<Profile> {
  const { $schema, ...rest } = choices as Partial<Profile> & { $schema?: unknown };
  return rest;
}

/** What is wrong with choices, in the words of a data file. A text as `$schema` is for editors. */
export function choiceViolations(given: unknown): { location: string[]; message: string }[] {
  const value = hasSchema(given) ? withoutSchema(given) : given;
  return validateChoices(loadOpenPoints(), value).map(({ openPoint, message }) => ({
    location: openPoint === '' ? [] : [openPoint],
    message: `is invalid: ${message}`,
  }));
}

function hasSchema(value: unknown): value is Partial<Profile> {
  return typeof value === 'object' && value !== null && '$schema' in value && typeof value.$schema === 'string';
}

/** A seed that is given as a value, or as `demo`. Throws a {@link StartError}. */
export function toSeed(seed: Seed | 'demo' = 'demo'): Seed {
  return seed === 'demo' ? loadDemoSeed() : checked(seed, 'SEED_INVALID', validateSeed);
}

/** The choices of the user, overridden by others. Throws a {@link StartError}. */
export function toChoices(choices: Partial<Profile> = {}, overrides: Partial<Profile> = {}): Partial<Profile> {
  const base = checked(choices, 'PROFILE_INVALID', choiceViolations);
  return withoutSchema({ ...base, ...checked(overrides, 'PROFILE_INVALID', choiceViolations) });
}

/** The profile with these choices. Under `vary` the others are drawn: the choices of the user never vary. */
export function toProfileInUse(chosen: Partial<Profile>, vary: Impact | undefined, randomSeed: number): Profile {
  const openPoints = loadOpenPoints();
  const profile = toProfile(openPoints, chosen);
  if (vary === undefined) return profile;
  const varying = openPoints.filter(({ id }) => !Object.hasOwn(chosen, id));
  return drawProfile(varying, profile, vary, randomSeed);
}

/** The options that an engine takes as they are. */
export interface EngineOptions {
  clock?: string | Date;
  openKeys?: boolean;
  maxSandboxes?: number;
}

/** The engine of a mock without what is around it. Throws a {@link StartError}. */
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

/** A drawn random seed is below this: short enough to be typed again. */
const drawnSeedLimit = 1_000_000;

/** The random seed: the one given, the default, or under `vary` one that `draw` gives, below a limit. */
export function toRandomSeed(
  { randomSeed, vary }: { randomSeed?: number; vary?: Impact },
  draw: (limit: number) => number,
): number {
  return randomSeed ?? (vary === undefined ? mockOptions.randomSeed.default : draw(drawnSeedLimit));
}

/** Milliseconds since the epoch of a Date, or an ISO date-time with a zone; else a {@link StartError}. */
function parseTime(clock: string | Date): number {
  const text = clock instanceof Date && !Number.isNaN(clock.getTime()) ? clock.toISOString() : String(clock);
  const timeMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (isClockTime(timeMs)) return timeMs;
  const years = 'The clock must be in the years 1 to 9998 (UTC), which every response can show';
  if (!Number.isNaN(timeMs)) throw new StartError('OPTION_INVALID', `${years}; it is ${JSON.stringify(text)}.`);
  const example = '2026-03-02T08:15:00Z';
  throw new StartError(
    'OPTION_INVALID',
    `The clock must be an ISO date-time with a zone, such as ${example}; it is ${JSON.stringify(text)}.`,
  );
}
