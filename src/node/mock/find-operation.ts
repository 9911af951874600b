import { remembering } from '../../../lib/remembering.ts';
import { type Operation, operationsAt } from '../../../openapi/contract/operations.ts';
import type { Call } from '../../engine/call.ts';

/** The operation that a request is for, with what its URL says. */
export interface Route extends Pick<Call, 'pathParameters' | 'query'> {
  readonly operation: Operation;
}

/** Finds the operation of a request; undefined if its path is not in the contract or cannot be decoded. */
export type FindOperation = (method: string, url: string) => Route | undefined;

/** Finds the operations below a base path. HEAD is handled like GET. */
export function createFindOperation(operations: readonly Operation[], basePath: string): FindOperation {
  const byMethod = new Map<string, (url: string) => { route?: Route }>();
  for (const method of new Set(operations.map((operation) => operation.method))) {
    const own = operations.filter((operation) => operation.method === method);
    byMethod.set(
      method,
      remembering((url) => routeIn(own, basePath, url)),
    );
  }
  const ofReads = byMethod.get('GET');
  if (ofReads !== undefined) byMethod.set('HEAD', ofReads);
  return (method, url) => byMethod.get(method)?.(url).route;
}

function routeIn(operations: readonly Operation[], basePath: string, url: string): { route?: Route } {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const [rawPath = ''] = target.split('?', 1);
  const path = decoded(rawPath, decodeURI);
  if (path === undefined || !path.startsWith(`${basePath}/`)) return {};
  const [operation] = operationsAt(operations, path.slice(basePath.length));
  const pathParameters = operation && idsIn(operation, rawPath);
  if (operation === undefined || pathParameters === undefined) return {};
  return { route: { operation, pathParameters, query: target.slice(rawPath.length + 1) } };
}

// Counted from the end: the base path may be encoded as well.
function idsIn({ segments }: Operation, rawPath: string): Record<string, string> | undefined {
  const parts = rawPath.split('/').slice(-segments.length);
  const ids: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (!('parameter' in segment)) continue;
    const id = decoded(parts[index] ?? '', decodeURIComponent);
    if (id === undefined) return undefined;
    ids[segment.parameter] = id;
  }
  return ids;
}

function decoded(text: string, decode: (text: string) => string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decode(text);
  } catch {
    return undefined;
  }
}
