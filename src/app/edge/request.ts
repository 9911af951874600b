import { pathParametersIn } from '../../../lib/query.ts';
import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import { type Operation, operationsAt } from '../../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { type Answer, type Call, type RequestHeaders, withHeaders } from '../../engine/call.ts';

/** Path and query of a request target, without the origin that clients of a proxy put before them. */
export function originForm(target: string): string {
  const form = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return form.startsWith('?') || form === '' ? `/${form}` : form;
}

/**
 * The path of a request target without its query, with unnecessarily encoded characters decoded (RFC 3986, section
 * 6.2.2.2): `/drives` for `http://a/%64rives?limit=1`.
 */
export function pathOf(target: string): string {
  const [path = ''] = originForm(target).split('?', 1);
  return decoded(path) ?? path;
}

/** The operation that a request is for, with what its URL says. */
export interface Route extends Pick<Call, 'pathParameters' | 'query'> {
  readonly operation: Operation;
}

/** Finds the operation of a request; undefined if its path is not in the contract or cannot be decoded. */
export type FindRoute = (method: string, target: string) => Route | undefined;

/** Finds the operations below a base path. HEAD is handled like GET. */
export function createFindRoute(operations: readonly Operation[], basePath: string): FindRoute {
  const byMethod = Map.groupBy(operations, ({ method }) => method);
  return (method, target) => {
    const own = byMethod.get(method === 'HEAD' ? 'GET' : method);
    const form = target.startsWith('/') ? target : originForm(target);
    const [rawPath = ''] = form.split('?', 1);
    const path = decoded(rawPath);
    if (own === undefined || path === undefined || !path.startsWith(`${basePath}/`)) return undefined;
    const [operation] = operationsAt(own, path.slice(basePath.length));
    const pathParameters = operation && idsIn(operation, rawPath);
    if (operation === undefined || pathParameters === undefined) return undefined;
    return { operation, pathParameters, query: form.slice(rawPath.length + 1) };
  };
}

/**
 * The path parameters of a request, decoded; undefined if one is not percent-encoded UTF-8. Counted from the end: the base
 * path may be encoded as well.
 */
export function idsIn(operation: Operation, rawPath: string): Record<string, string> | undefined {
  const ids = pathParametersIn(operation, rawPath.split('/').slice(-operation.segments.length));
  return Object.values(ids).includes(undefined) ? undefined : (ids as Record<string, string>);
}

function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/** Whether the path of a request target is percent-encoded UTF-8. */
export function isEncoded(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return decoded(path) !== undefined;
}

/** Whether the key is checked first: for methods with a body, which is not read without a valid key. */
export function isKeyFirst({ method }: Operation): boolean {
  return method !== 'GET';
}

/** The error response to a path that cannot be decoded. */
export const notEncoded = refuse('malformedRequest', 'The path is not percent-encoded UTF-8.');

/** The error response to a method that a path does not have, and the methods that it has. */
export function refuseMethod(
  method: string,
  allowed: readonly string[],
  answerTo: (refusal: Refusal) => Answer,
): Answer {
  const allow = [...new Set(allowed.includes('GET') ? ['HEAD', ...allowed] : allowed)].sort().join(', ');
  const detail = `${method} is not allowed on this path. Allowed: ${allow}.`;
  return withHeaders(answerTo(refuse('methodNotAllowed', detail)), { allow });
}

/** The error response to an unexpected error: in the mock, or in the admin API. */
export function unexpectedIn(part: string): Refusal {
  return refuse('unexpected', `Internal error in the ${part}. Please report it and include the request.`);
}

/** The error response to a body above a limit. */
export function tooLarge(limitBytes: number): Refusal {
  return refuse('bodyTooLarge', `The body exceeds the limit of ${sizeWords(limitBytes)}.`);
}

/** `1 MiB (1,048,576 bytes)`, `5,000 bytes` */
function sizeWords(bytes: number): string {
  const exact = `${bytes.toLocaleString('en')} bytes`;
  const unit = [1_048_576, 1_024].find((size) => bytes % size === 0);
  if (unit === undefined) return exact;
  return `${bytes / unit} ${unit === 1_024 ? 'KiB' : 'MiB'} (${exact})`;
}

/** The id that a client sent with its request; undefined if it is missing or cannot be reused. */
export function sentRequestId({ [mockHeaders.requestId]: sent }: RequestHeaders): string | undefined {
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : undefined;
}
