import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { rememberingBy } from '../../../lib/remembering.ts';
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
  const byMethod = Map.groupBy(operations, ({ method }) => method);
  return (method, url) => {
    const own = byMethod.get(method === 'HEAD' ? 'GET' : (method as Operation['method']));
    const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
    const [rawPath = ''] = target.split('?', 1);
    const path = decoded(rawPath, decodeURI);
    if (own === undefined || path === undefined || !path.startsWith(`${basePath}/`)) return undefined;
    const [operation] = operationsAt(own, path.slice(basePath.length));
    const pathParameters = operation && idsIn(operation, rawPath);
    if (operation === undefined || pathParameters === undefined) return undefined;
    return { operation, pathParameters, query: target.slice(rawPath.length + 1) };
  };
}

/** What the head of a request says; without a route, it is not for an operation. */
interface Head {
  headers: IncomingHttpHeaders;
  route: Route | undefined;
}

const longestHead = 4_096;

/**
 * Reads the heads of requests. Cached, because most clients keep sending the same few, and the open points of a call
 * with the same head need not be determined again (`applied-profile.ts`): that takes more than a tenth of the time of a
 * request.
 */
export function createReadHead(find: FindOperation): (request: IncomingMessage) => Head {
  return rememberingBy(
    // No part of a head contains a line break.
    ({ method, url, rawHeaders }) => `${method} ${url}\n${rawHeaders.join('\n')}`,
    ({ method = '', url = '', headers }) => ({ headers, route: find(method, url) }),
    longestHead,
  );
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
