/** Why a mock could not start. */
export type StartErrorCode =
  | 'FILE_UNREADABLE'
  | 'FILE_MALFORMED'
  | 'SEED_INVALID'
  | 'PROFILE_INVALID'
  | 'OPTION_INVALID'
  | 'PORT_IN_USE'
  | 'ADDRESS_UNUSABLE';

/** A mock that could not start. The message says what was wrong, where, and what to do. */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.code = code;
  }
}
