// Loads the files that options name. Why a start fails: `start-error.ts`; exit codes: `src/cli/exit-codes.ts`.
import { type DataViolation, loadDataFile as load } from '../../openapi/contract/data-file.ts';
import { type Profile, toProfile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { choiceViolations, plainChoices, toChoices, toSeed } from '../app/settings.ts';
import type { StartErrorCode } from '../app/start-error.ts';
import type { Seed } from '../domain/seed.ts';
import { validateSeed } from '../domain/validate-seed.ts';
import { orStartError } from './read-text.ts';

/** A seed: the built-in one, one from a file, or a value. */
export function loadSeed(seed: Seed | string = 'demo'): Seed {
  if (typeof seed !== 'string' || seed === 'demo') return toSeed(seed);
  return loadDataFile(seed, 'SEED_INVALID', validateSeed);
}

/** A profile: defaults, overridden by the choices of a file or a value. */
export function loadProfile(choices: Partial<Profile> | string = {}, overrides: Partial<Profile> = {}): Profile {
  return toProfile(loadOpenPoints(), loadChoices(choices, overrides));
}

/** The user's choices: from a file or a value, overridden by others. */
export function loadChoices(
  choices: Partial<Profile> | string = {},
  overrides: Partial<Profile> = {},
): Partial<Profile> {
  if (typeof choices !== 'string') return toChoices(choices, overrides);
  const base = loadDataFile<Partial<Profile>>(choices, 'PROFILE_INVALID', choiceViolations);
  return { ...plainChoices(base), ...toChoices(overrides) };
}

/** The value of a YAML or JSON file. Throws a {@link StartError} if `validate` finds errors. */
function loadDataFile<T>(file: string, invalid: StartErrorCode, validate: (value: unknown) => DataViolation[]): T {
  return orStartError(invalid, () => load(file, validate));
}
