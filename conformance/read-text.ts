import { DataFileError, readFileText } from '../lib/file-text.ts';
import { SuiteError, type SuiteErrorCode } from './suite-error.ts';

/** The text of a file from an earlier run. Throws a {@link SuiteError}. */
export function readText(file: string): string {
  return orSuiteError('FILE_MALFORMED', () => readFileText(file));
}

/** Calls `read`. A {@link DataFileError} becomes a {@link SuiteError}, with the code `invalid` for a wrong value. */
export function orSuiteError<T>(invalid: SuiteErrorCode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new SuiteError(error.code === 'FILE_INVALID' ? invalid : error.code, error.sentence);
  }
}
