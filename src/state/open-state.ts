import { placeOf } from '../../lib/place.ts';
import { differingChoices, type Profile, toProfile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { choiceViolations, type EngineOptions, rulesOf } from '../app/settings.ts';
import { StartError } from '../app/start-error.ts';
import { Engine } from '../engine/engine.ts';
import { MockClock } from '../engine/mock-clock.ts';
import { type OpenState, restoreState, type SavedStart, type SavedState, toSavedState } from './saved-state.ts';
import { StateFile } from './state-file.ts';

export { KeptState } from './kept-state.ts';

/** Opens the state file with this name. Throws a {@link StartError} that shows the error and the fix. */
export function openState(name: string): OpenState {
  const { file, rows } = StateFile.open(name);
  try {
    if (rows === undefined) return { file, saved: undefined };
    const saved = toSavedState(rows);
    return { file, saved: { ...saved, start: checkedStart(name, saved.start) } };
  } catch (error) {
    file.close();
    throw error instanceof StartError ? error : doesNotFit(name, undefined, error);
  }
}

function checkedStart(name: string, start: SavedStart): SavedStart {
  const [violation] = [start.profile, start.askedProfile].flatMap(choiceViolations);
  if (violation === undefined)
    return { ...start, profile: completed(start.profile), askedProfile: completed(start.askedProfile) };
  const about = `${placeOf(violation.location)} ${violation.message}`;
  throw new StartError(
    'STATE_INVALID',
    `${name} was written by version ${start.writtenBy}, whose profile this version cannot use: ${about}. Use that version, or choose a different file.`,
  );
}

// An earlier version may not have known all open points.
function completed(choices: Partial<Profile>): Profile {
  return toProfile(loadOpenPoints(), choices);
}

/**
 * The engine that resumes from a saved state, with the state's seed, random seed and clock start. The profile comes
 * from the options, except for choices that were changed while a mock ran. Throws a {@link StartError}.
 */
export function continueEngine(name: string, saved: SavedState, options: EngineOptions, asked: Profile): Engine {
  const { seed, randomSeed, startedAtMs, profile, clockMs, askedProfile, writtenBy } = saved.start;
  const runtime = { profile, clock: new MockClock(clockMs), randomSeed, startedAtMs };
  const engine = new Engine(runtime, seed, rulesOf(options));
  try {
    restoreState(engine, saved);
  } catch (error) {
    throw doesNotFit(name, writtenBy, error);
  }
  const applied = { ...asked, ...differingChoices(askedProfile, profile) };
  if (Object.keys(differingChoices(profile, applied)).length > 0) engine.apply(applied);
  return engine;
}

function doesNotFit(name: string, writtenBy = 'unknown', cause: unknown): StartError {
  const remedy = `It was written by version ${writtenBy}: use that version, or choose a different file.`;
  return new StartError('STATE_INVALID', `${name} does not fit this version. ${remedy}`, { cause });
}
