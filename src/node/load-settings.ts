import { DataFileError, type DataViolation, loadDataFile as load } from '../../openapi/contract/data-file.ts';
import { copyOf, loadOpenPoints, loadOwnYaml } from '../../openapi/contract/load.ts';
import { type Profile, toProfile, validateChoices } from '../../openapi/contract/profile.ts';
import type { Seed } from '../domain/seed.ts';
import { validateSeed } from '../domain/validate-seed.ts';
import { drawProfile, type Loudness } from '../workbench/draw-profile.ts';
import { StartError, type StartErrorCode } from './start-error.ts';

const loadDemoSeed = copyOf(() => loadOwnYaml(new URL('../domain/demo-seed.yaml', import.meta.url)) as Seed);

/** A seed: the built-in one, one from a file, or a value. */
export function loadSeed(seed: Seed | string = 'demo'): Seed {
  if (seed === 'demo') return loadDemoSeed();
  if (typeof seed === 'string') return loadDataFile(seed, 'SEED_INVALID', validateSeed);
  return checked(seed, 'SEED_INVALID', validateSeed);
}

/** A profile: defaults, overridden by the choices of a file or a value. */
export function loadProfile(choices: Partial<Profile> | string = {}, overrides: Partial<Profile> = {}): Profile {
  return toProfile(loadOpenPoints(), loadChoices(choices, overrides));
}

/** A drawn profile. The choices of the user never vary. */
export function loadDrawnProfile(
  chosen: Partial<Profile>,
  { loudness, randomSeed }: { loudness: Loudness; randomSeed: number },
): Profile {
  const openPoints = loadOpenPoints();
  const varying = openPoints.filter(({ id }) => !Object.hasOwn(chosen, id));
  return drawProfile(varying, toProfile(openPoints, chosen), loudness, randomSeed);
}

/** The choices of the user: those of a file or a value, overridden by others. */
export function loadChoices(
  choices: Partial<Profile> | string = {},
  overrides: Partial<Profile> = {},
): Partial<Profile> {
  const openPoints = loadOpenPoints();
  const validate = (value: unknown): DataViolation[] =>
    validateChoices(openPoints, value).map(({ openPoint, message }) => ({
      location: openPoint === '' ? [] : [openPoint],
      message: `is invalid: ${message}`,
    }));
  const base =
    typeof choices === 'string'
      ? loadDataFile<Partial<Profile>>(choices, 'PROFILE_INVALID', validate)
      : checked(choices, 'PROFILE_INVALID', validate);
  return { ...base, ...checked(overrides, 'PROFILE_INVALID', validate) };
}

function checked<T>(value: T, code: StartErrorCode, validate: (value: unknown) => DataViolation[]): T {
  const violations = validate(value);
  if (violations.length === 0) return value;
  throw new StartError(
    code,
    violations.map(({ location, message }) => `${location.join('.') || 'The value'} ${message}`).join('\n'),
  );
}

export type { DataViolation } from '../../openapi/contract/data-file.ts';

/** The value of a YAML or JSON file, when `validate` finds nothing wrong with it; else a {@link StartError}. */
function loadDataFile<T>(file: string, invalid: StartErrorCode, validate: (value: unknown) => DataViolation[]): T {
  try {
    return load(file, validate);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new StartError(error.code === 'FILE_INVALID' ? invalid : error.code, error.message, { cause: error });
  }
}
