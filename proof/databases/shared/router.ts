import { operations } from './operations.ts';
import { Refusal, unknown } from './refusal.ts';

/** The operation that a request asks for, and the ids in its path. */
export interface Route {
  operation: string;
  ids: Record<string, string>;
}

/** Finds the operation of a method and a path below the base address. */
export function findRoute(method: string, path: string): Route {
  const names = Object.keys(operations).filter((name) => idsIn(name, path) !== undefined);
  if (names.length === 0) throw unknown('path');
  const operation = names.find((name) => name.startsWith(`${method} `));
  if (operation === undefined) throw new Refusal(405, 'method not allowed');
  return { operation, ids: idsIn(operation, path) ?? {} };
}

function idsIn(operation: string, path: string): Record<string, string> | undefined {
  const pattern = (operation.split(' ')[1] ?? '').split('/');
  const segments = path.split('/');
  const fits = (part: string, index: number) =>
    part.startsWith(':') ? segments[index] !== '' : part === segments[index];
  if (pattern.length !== segments.length || !pattern.every(fits)) return undefined;
  const ids = pattern.flatMap((part, index) =>
    part.startsWith(':') ? [[part.slice(1), decode(segments[index] ?? '')] as const] : [],
  );
  return Object.fromEntries(ids);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw unknown('path');
  }
}
