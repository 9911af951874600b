/** Why a mock or a proxy could not start; `STATE_LOST`: why it had to stop. */
export type StartErrorCode =
  | 'FILE_UNREADABLE'
  | 'FILE_UNWRITABLE'
  | 'FILE_MALFORMED'
  | 'SEED_INVALID'
  | 'PROFILE_INVALID'
  | 'OPTION_INVALID'
  | 'STATE_INVALID'
  | 'STATE_IN_USE'
  | 'STATE_LOST'
  | 'PORT_IN_USE'
  | 'ADDRESS_UNUSABLE'
  | 'NODE_TOO_OLD'
  | 'BROWSER_TOO_OLD'
  | 'ENVIRONMENT_INCOMPLETE'
  | 'PACKAGE_MISSING';

/** A mock or a proxy that could not start. The message shows the error, its place and the fix. */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.code = code;
  }
}
