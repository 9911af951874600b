import { DataFileError } from '../../lib/file-text.ts';
import { StartError, type StartErrorCode } from '../app/start-error.ts';

/** Calls `read`. A {@link DataFileError} becomes a {@link StartError}, with the code `invalid` if it is about a wrong value. */
export function orStartError<T>(invalid: StartErrorCode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new StartError(error.code === 'FILE_INVALID' ? invalid : error.code, error.message, { cause: error });
  }
}
