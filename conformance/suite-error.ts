import { own, type Sentence } from '../openapi/reading/sentence.ts';

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
  | 'STOPPED'
  | 'INTERNAL';

/** A run that could not start, or not be completed. The message shows the problem, its place and the fix. */
export class SuiteError extends Error {
  readonly code: SuiteErrorCode;
  /** The message; the user's input that it quotes may hold a secret. */
  readonly sentence: Sentence;

  /** A message that is a string quotes nothing. */
  constructor(code: SuiteErrorCode, message: Sentence | string, options?: ErrorOptions) {
    const sentence = typeof message === 'string' ? own(message) : message;
    super(sentence.plain, options);
    this.sentence = sentence;
    this.name = 'SuiteError';
    this.code = code;
  }
}
