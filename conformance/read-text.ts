import { DataFileError, readFileText } from '../openapi/contract/file-text.ts';
import { SuiteError } from './suite-error.ts';

/** The text of a file that a run left. Throws a {@link SuiteError}. */
export function readText(file: string): string {
  try {
    return readFileText(file);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new SuiteError(error.code === 'FILE_UNREADABLE' ? error.code : 'FILE_MALFORMED', error.sentence);
  }
}
