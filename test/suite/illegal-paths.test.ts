import { describe, expect, it } from 'vitest';
import { encodedPath, illegalPaths } from '../../conformance/probing/illegal-paths.ts';
import { keepsPathRule } from '../../openapi/reading/path-rule.ts';

const directory = '/conformance-run-1';
const name = 'conformance-run-1';

/** The path as a file system would resolve it. */
function resolved(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/** What careless servers make of an illegal path before they use it. */
const readings: Record<string, (path: string) => string> = {
  'is resolved': resolved,
  'is trimmed and resolved': (path) => resolved(path.trim()),
  'loses its .. segments': (path) =>
    `/${path
      .split('/')
      .filter((one) => one !== '..' && one !== '')
      .join('/')}`,
  'loses its first character': (path) => resolved(path.slice(1)),
  'takes backslashes for slashes': (path) => resolved(path.replaceAll('\\', '/')),
};

/** The paths that may be read as the root: they have no name, and no path of their kind has one. */
const nameless = new Set(['', ' ', '  ', '\t', '\n', '\u00a0', '\u3000', '..', '/..', '/../']);

const decoded = encodedPath.paths(directory, name).map((path) => decodeURIComponent(path));
const all = [...illegalPaths.flatMap(({ paths }) => paths(directory, name)), ...decoded];

describe('the illegal paths', () => {
  it('break the rule, every one of them', () => {
    expect(all.filter(keepsPathRule)).toEqual([]);
    expect(all.length).toBeGreaterThan(150);
  });

  it('begin with every printable character of ASCII that is no letter and no digit, and with one of each of those', () => {
    const firsts = new Set(all.map((path) => path[0]));
    const signs = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    expect(signs.filter((sign) => !/[a-z0-9/]/i.test(sign) && !firsts.has(sign))).toEqual([]);
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[\p{Cc}]/u, /[^\p{ASCII}]/u])
      expect([...firsts].some((first) => kind.test(first ?? ''))).toBe(true);
  });

  it.each(Object.entries(readings))('name only what the run made, if a server that accepts them %s', (_, read) => {
    const dangerous = all.filter((path) => !nameless.has(path) && !read(path).includes('run-1'));
    expect(dangerous).toEqual([]);
  });
});
