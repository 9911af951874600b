import { StartError } from './start-error.ts';

const remedy = 'With Jest, use the environment "node", or "jest-fixed-jsdom" in place of "jsdom".';

/** Throws a {@link StartError} if anything is absent from the global object, as in jsdom. Names all of it, and the remedy. */
export function requireGlobals(absent: readonly string[]): void {
  if (absent.length === 0) return;
  const names = absent.join(', ');
  const message = `agent-platform-contract needs ${names}, which the global object lacks here. ${remedy}`;
  throw new StartError('ENVIRONMENT_INCOMPLETE', message);
}
