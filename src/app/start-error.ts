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

const remedy = 'With Jest, use the environment "node", or "jest-fixed-jsdom" in place of "jsdom".';

/** Throws a {@link StartError} if globals are absent, as in jsdom. It names them all, and the fix. */
export function requireGlobals(absent: readonly string[]): void {
  if (absent.length === 0) return;
  const names = absent.join(', ');
  const message = `agent-platform-contract needs ${names}, which the global object lacks here. ${remedy}`;
  throw new StartError('ENVIRONMENT_INCOMPLETE', message);
}
