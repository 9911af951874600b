import { nodeProblem } from '../app/node-version.ts';
import { requireGlobals, StartError } from '../app/start-error.ts';

/** The part of the global object that shows where this runs. */
type Global = Readonly<Record<string, unknown>>;

// Any browser that has the features below has these; test environments such as jsdom may not.
const classes = ['Request', 'Response', 'Headers', 'ReadableStream', 'TextEncoder', 'TextDecoder', 'structuredClone'];

// Everything else used is older. The docs name the browsers.
const needed: readonly (readonly [name: string, isThere: (global: Global) => boolean])[] = [
  ['Map.groupBy', ({ Map: map }) => has(map, 'groupBy')],
  ['Promise.withResolvers', ({ Promise: promise }) => has(promise, 'withResolvers')],
  ['Iterator.prototype.map', ({ Iterator: iterator }) => has((iterator as { prototype?: unknown })?.prototype, 'map')],
];

function has(owner: unknown, name: string): boolean {
  return typeof (owner as Record<string, unknown> | undefined)?.[name] === 'function';
}

/** Throws a {@link StartError} if Node or the browser is too old: clearer than an error from deep inside. */
export function requirePlatform(global: Global = globalThis as unknown as Global): void {
  const { versions } = (global.process ?? {}) as { versions?: { node?: string } };
  const problem = versions?.node === undefined ? undefined : nodeProblem(versions.node);
  if (problem !== undefined) throw new StartError('NODE_TOO_OLD', problem);
  requireGlobals(classes.filter((name) => typeof global[name] !== 'function'));
  const missing = needed.filter(([, isThere]) => !isThere(global)).map(([name]) => name);
  if (missing.length === 0) return;
  const message = `agent-platform-contract needs ${missing.join(', ')}, which this browser lacks. Use Chrome 122, Firefox 131, Safari 18.4 or later.`;
  throw new StartError('BROWSER_TOO_OLD', message);
}
