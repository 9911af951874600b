import { DataFileError, type DataViolation, loadDataFile as load } from '../../openapi/contract/data-file.ts';
import { StartError, type StartErrorCode } from './start-error.ts';

export type { DataViolation } from '../../openapi/contract/data-file.ts';

/** The value of a YAML or JSON file, when `validate` finds nothing wrong with it; else a {@link StartError}. */
export function loadDataFile<T>(
  file: string,
  invalid: StartErrorCode,
  validate: (value: unknown) => DataViolation[],
): T {
  try {
    return load(file, validate);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new StartError(error.code === 'FILE_INVALID' ? invalid : error.code, error.message, { cause: error });
  }
}
