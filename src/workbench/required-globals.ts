import { StartError } from './start-error.ts';

const remedy = 'With Jest, use the environment "node", or "jest-fixed-jsdom" in place of "jsdom".';

/** Throws a {@link StartError} if globals are absent, as in jsdom. It names them all, and the fix. */
export function requireGlobals(absent: readonly string[]): void {
  if (absent.length === 0) return;
  const names = absent.join(', ');
  const message = `agent-platform-contract needs ${names}, which the global object lacks here. ${remedy}`;
  throw new StartError('ENVIRONMENT_INCOMPLETE', message);
}
