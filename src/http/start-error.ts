import { nodeProblem } from '../app/node-version.ts';
import { requireGlobals, StartError } from '../app/start-error.ts';

/** Why a server cannot listen, as a {@link StartError}; other errors unchanged. */
export function toListenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return error;
  if (code === 'EADDRINUSE') {
    const remedy = `Stop that server, or choose a different port, such as --port ${port + 10}; port 0 picks a free one.`;
    const who = 'perhaps by an earlier mock, whose data may have changed';
    return new StartError('PORT_IN_USE', `Port ${port} on ${host} is in use, ${who}. ${remedy}`, { cause: error });
  }
  const remedy = host.startsWith('[')
    ? 'Write an IPv6 address without brackets.'
    : 'Choose an address of this machine and a port that you may use.';
  return new StartError('ADDRESS_UNUSABLE', `Cannot listen on ${host}, port ${port} (${code}). ${remedy}`, {
    cause: error,
  });
}

/** Throws a {@link StartError} if Node is too old: clearer than an error from deep inside. */
export function requireNode(version = process.versions.node): void {
  const problem = nodeProblem(version);
  if (problem !== undefined) throw new StartError('NODE_TOO_OLD', problem);
  // Tested by name: the CommonJS build defines them itself.
  const types = {
    structuredClone: typeof structuredClone,
    TextDecoder: typeof TextDecoder,
    TextEncoder: typeof TextEncoder,
  };
  requireGlobals(Object.entries(types).flatMap(([name, type]) => (type === 'undefined' ? [name] : [])));
}
