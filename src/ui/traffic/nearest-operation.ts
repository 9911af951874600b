import { editDistance } from '../../../lib/nearest.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';

/** The parts of an operation that are compared. */
export type Route = Pick<Operation, 'method' | 'path' | 'segments'>;

/**
 * The operation that a request for an unknown route may have meant: the one with the most similar path; among equals,
 * one with the same method. `path` is without the base path. Undefined if none shares a literal part with it.
 */
export function nearestOperation<T extends Route>(
  operations: readonly T[],
  method: string,
  path: string,
): T | undefined {
  const parts = path
    .split(/[?#]/, 1)
    .join('')
    .split('/')
    .filter((part) => part !== '');
  const ranked = operations
    .filter(({ segments }) => hasCommonPart(segments, parts))
    .map((operation) => ({
      operation,
      distance:
        pathDistance(operation.segments, parts) + (operation.method === method.toUpperCase() ? 0 : methodDistance),
    }))
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.operation;
}

// Less than any difference between paths.
const methodDistance = 0.01;

type Segment = Operation['segments'][number];

// Half of the letters may be wrong.
const mostAlike = 0.5;

function hasCommonPart(segments: readonly Segment[], parts: readonly string[]): boolean {
  return segments.some(
    (segment) => 'literal' in segment && parts.some((part) => partDistance(segment, part) <= mostAlike),
  );
}

/** How many segments must be changed, added or removed; a misspelt one counts by its letters. */
function pathDistance(segments: readonly Segment[], parts: readonly string[]): number {
  let previous = Array.from({ length: parts.length + 1 }, (_, count) => count);
  for (const [index, segment] of segments.entries()) {
    const row = [index + 1];
    for (const [at, part] of parts.entries()) {
      const changed = (previous[at] ?? 0) + partDistance(segment, part);
      row.push(Math.min((previous[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1, changed));
    }
    previous = row;
  }
  return previous[parts.length] ?? 0;
}

// A parameter fits any part, but an exact literal is nearer.
const parameterDistance = 0.1;

function partDistance(segment: Segment, part: string): number {
  if ('parameter' in segment) return parameterDistance;
  const { literal } = segment;
  const distance = editDistance(literal.toLowerCase(), part.toLowerCase());
  // A different letter case makes a different path, but the nearest one.
  const isOtherCase = distance === 0 && literal !== part;
  return isOtherCase ? parameterDistance : distance / Math.max(literal.length, part.length);
}
