/** Why the suite could not do what was asked. None of these says anything about the target's conformance. */
export type SuiteErrorCode =
  /** The config is not right. */
  | 'CONFIG_INVALID'
  /** A file is not there or may not be read. */
  | 'FILE_UNREADABLE'
  /** A file is neither YAML nor JSON. */
  | 'FILE_MALFORMED'
  /** A file is no report, or not a whole one. */
  | 'REPORT_INVALID'
  /** Nobody answers at the base URL. */
  | 'TARGET_UNREACHABLE'
  /** What was asked for leaves no check to run. */
  | 'NOTHING_SELECTED'
  /** There is no check of that name. */
  | 'UNKNOWN_CHECK'
  /** The list of expected failures is not right. */
  | 'EXPECTED_FAILURES_INVALID'
  /** A flag or an option of the library is not right. */
  | 'OPTION_INVALID'
  /** A mistake of the suite itself. */
  | 'INTERNAL';

/** The suite could not do what was asked. The message says what was wrong, where, and what to do. */
export class SuiteError extends Error {
  readonly code: SuiteErrorCode;

  constructor(code: SuiteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SuiteError';
    this.code = code;
  }
}
