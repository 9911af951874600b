import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{src,openapi,lib,conformance}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.endsWith('.gen.ts'),
);
const imports = new Map(sources.map((file) => [file, importsOf(file)]));

/** What a file loads with it. Types and what is loaded when it is needed are left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm);
  return [...found].map(([, target = '']) => relative(root, join(root, dirname(file), target)));
}

/** The longest chain of imports, from the file at its top down. There are no circles. */
export function longestChain(): string[] {
  const known = new Map<string, string[]>();
  const from = (file: string): string[] => {
    const chain = known.get(file);
    if (chain !== undefined) return chain;
    const below = (imports.get(file) ?? []).filter((target) => imports.has(target)).map(from);
    const longest = below.reduce((one, other) => (other.length > one.length ? other : one), []);
    const own = [file, ...longest];
    known.set(file, own);
    return own;
  };
  return sources.map(from).reduce((one, other) => (other.length > one.length ? other : one), []);
}

/** How many files each file loads, directly or not, the most first. */
export function closures(): [file: string, files: number][] {
  const reached = (file: string, seen: Set<string>): Set<string> => {
    for (const target of imports.get(file) ?? [])
      if (imports.has(target) && !seen.has(target)) reached(target, seen.add(target));
    return seen;
  };
  const all = sources.map((file): [string, number] => [file, reached(file, new Set([file])).size]);
  return all.toSorted(([, one], [, other]) => other - one);
}
