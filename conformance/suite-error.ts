import { CodedError } from '../lib/sentence.ts';

/** Why a run could not start, or not be completed. It says nothing about the target's conformance. */
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
  | 'PACKAGE_MISSING'
  | 'STOPPED'
  | 'INTERNAL';

/** A run that could not start, or not be completed. The message shows the problem, its place and the fix. */
export class SuiteError extends CodedError<SuiteErrorCode> {}
