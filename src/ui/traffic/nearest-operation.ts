import { editDistance } from '../../../lib/nearest.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';

// A change of the method counts less than any difference between paths.
const methodDistance = 0.1;
// Half of the letters may be wrong.
const mostAlike = 0.5;

/**
 * The operation that a request for an unknown route may have meant: the one with the most similar path, in which a
 * parameter fits any part; among equals, one with the same method. `path` is without the base path.
 */
export function nearestOperation<T extends Pick<Operation, 'method' | 'segments'>>(
  operations: readonly T[],
  method: string,
  path: string,
): T | undefined {
  const parts = path
    .split(/[?#]/, 1)
    .join()
    .split('/')
    .filter((part) => part !== '');
  const ranked = operations.map((operation) => {
    const template = operation.segments.map((segment, at) =>
      'literal' in segment ? segment.literal : (parts[at] ?? ''),
    );
    const [wanted, given] = [template.join('/'), parts.join('/')];
    const distance = editDistance(wanted.toLowerCase(), given.toLowerCase()) / Math.max(wanted.length, given.length, 1);
    const isSame = operation.method === method.toUpperCase();
    return { operation, alike: distance, rank: distance + (isSame ? 0 : methodDistance / given.length) };
  });
  const [best] = ranked.sort((one, other) => one.rank - other.rank);
  return best !== undefined && best.alike <= mostAlike ? best.operation : undefined;
}
