/** Why a run could not be done, or not to its end. Never a word about the target's conformance. */
export type SuiteErrorCode =
  | 'CONFIG_INVALID'
  | 'OPTION_INVALID'
  | 'FILE_UNREADABLE'
  | 'FILE_MALFORMED'
  | 'FILE_UNWRITABLE'
  | 'REPORT_INVALID'
  | 'EXPECTED_FAILURES_INVALID'
  | 'TARGET_UNREACHABLE'
  | 'UNKNOWN_CHECK'
  | 'NOTHING_SELECTED'
  | 'STOPPED'
  | 'INTERNAL';

/** A run that could not be done. The message says what was wrong, where, and what to do. */
export class SuiteError extends Error {
  readonly code: SuiteErrorCode;

  constructor(code: SuiteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SuiteError';
    this.code = code;
  }
}
