// Loads the files that options name. Why a start fails: `start-error.ts`; exit codes: `src/cli/exit-codes.ts`.
import { loadDataFile } from '../../openapi/contract/data-file.ts';
import { type Choices, type Profile, toProfile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { choiceViolations, plainChoices, toChoices, toSeed } from '../app/settings.ts';
import type { Seed } from '../domain/seed.ts';
import { validateSeed } from '../domain/validate-seed.ts';
import { orStartError } from './or-start-error.ts';

/** A seed: the built-in one, one from a file, or a value. */
export function loadSeed(seed: Seed | string = 'demo'): Seed {
  if (typeof seed !== 'string' || seed === 'demo') return toSeed(seed);
  return orStartError('SEED_INVALID', () => loadDataFile(seed, validateSeed));
}

/** A profile: defaults, overridden by the choices of a file or a value. */
export function loadProfile(choices: Choices | string = {}, overrides: Choices = {}): Profile {
  return toProfile(loadOpenPoints(), loadChoices(choices, overrides));
}

/** The user's choices: from a file or a value, overridden by others. */
export function loadChoices(choices: Choices | string = {}, overrides: Choices = {}): Partial<Profile> {
  if (typeof choices !== 'string') return toChoices(choices, overrides);
  const base = orStartError('PROFILE_INVALID', () => loadDataFile<Choices>(choices, choiceViolations));
  return { ...plainChoices(base), ...toChoices(overrides) };
}
