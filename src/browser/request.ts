import { type Operation, operationsAt } from '../../openapi/contract/operations.ts';
import type { Connection } from '../workbench/connection.ts';
import { decodePath } from '../workbench/edge/target.ts';

/** A request as the parts of this edge read it. */
export interface PageRequest {
  method: string;
  /** Path and query, below what the base address has before its version segment. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  startedAtMs: number;
  /** Its end, as far as waiting needs it. */
  connection: Connection;
  /** The bytes of its body; undefined where it has none. */
  readBody(): Promise<Uint8Array | undefined>;
}

/** Where a mock is in the addresses of a page. */
export interface Place {
  origin: string;
  /** The path before the version segment; mostly empty. */
  prefix: string;
}

/** The path and the query of an address of the mock; undefined for any other address. */
export function targetIn({ origin, prefix }: Place, url: URL): string | undefined {
  const isHere = url.origin === origin && `${url.pathname}/`.startsWith(`${prefix}/`);
  return isHere ? url.pathname.slice(prefix.length) + url.search || '/' : undefined;
}

export function toPageRequest(request: Request, target: string): PageRequest {
  return {
    ...{ method: request.method, target, headers: Object.fromEntries(request.headers) },
    startedAtMs: performance.now(),
    connection: connectionOf(request.signal),
    readBody: async () => (request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())),
  };
}

function connectionOf(signal: AbortSignal): Connection {
  return {
    isInProcess: true,
    get destroyed() {
      return signal.aborted;
    },
    once: (_, listener) => signal.addEventListener('abort', listener, { once: true }),
    off: (_, listener) => signal.removeEventListener('abort', listener),
  };
}

/** The operation that a request is for, with the ids in its path, which must be encoded UTF-8. */
export function routeOf(
  operations: readonly Operation[],
  method: string,
  path: string,
): { operation: Operation; ids: Record<string, string> } | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const operation = operationsAt(operations, decodePath(path)).find((each) => each.method === wanted);
  return operation && { operation, ids: idsIn(operation, path) };
}

function idsIn({ segments }: Operation, path: string): Record<string, string> {
  const parts = path.slice(1).split('/');
  const ids = segments.flatMap((segment, index) =>
    'parameter' in segment ? [[segment.parameter, decodeURIComponent(parts[index] ?? '')]] : [],
  );
  return Object.fromEntries(ids);
}
