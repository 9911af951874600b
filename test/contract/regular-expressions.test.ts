import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { loadControlDocument } from '../../src/app/admin-api/handlers.ts';
import { parsePrefer } from '../../src/app/forced/preferences.ts';
import { seedSchema } from '../../src/domain/resources.ts';

// A regular expression may take time that grows with the square of a text, or faster. Whoever sends a header, a body or a
// URL would choose how long. So none is in the sources, not even where only the user's own files come to it.

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An expression in the sources, or a call that makes one of a text. */
interface Found {
  at: string;
  literal?: string;
}

function inSources(): Found[] {
  const files = ['src', 'openapi', 'conformance', 'lib'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return files.filter((file) => /\.tsx?$/.test(file)).flatMap(inFile);
}

function inFile(file: string): Found[] {
  const source = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const at = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) found.push({ at: at(), literal: node.text });
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === 'RegExp')
      found.push({ at: file });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Why an expression may take long; undefined if it cannot. */
function fault(expression: RegExp): string | undefined {
  const { reports } = analyse(expression, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.length === 0 ? undefined : reports.map(({ type, exponential }) => (exponential ? '2^n' : type)).join();
}

function toExpression(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}

describe('the regular expressions', () => {
  const found = inSources();

  it('of the sources take time that grows with the text', { timeout: 60_000 }, () => {
    const literals = new Map(found.flatMap(({ at, literal }) => (literal === undefined ? [] : [[literal, at]])));
    expect(literals.size).toBeGreaterThan(200);
    const slow = [...literals].flatMap(([literal, at]) => {
      const why = fault(toExpression(literal));
      return why === undefined ? [] : [`${at} ${literal} (${why})`];
    });
    expect(slow).toEqual([]);
  });

  it('that schemas and registers hold do so as well', () => {
    const points = loadOpenPoints();
    const sources = [contractFor(defaultProfile(points)), loadControlDocument(), seedSchema(), points];
    const patterns = [...new Set(sources.flatMap(patternsIn))];
    expect(patterns.length).toBeGreaterThan(3);
    expect(patterns.filter((pattern) => fault(new RegExp(pattern, 'u')) !== undefined)).toEqual([]);
  });

  it('are written down, but for those of schemas and registers, and of the page that was built', () => {
    const made = found.filter(({ literal }) => literal === undefined).map(({ at }) => at);
    expect(made.sort()).toEqual([
      'openapi/points/open-point.ts',
      'src/browser/instead/compiler.ts',
      'src/http/page.ts',
    ]);
  });
});

describe('the Prefer header', () => {
  // Were the time to grow with the square of the text, this would not end within the time of a test.
  it.each(['code', 'code=', 'code="', 'code;', 'code ', '=', '"', '\\"'])(
    'with many blanks behind %j is read',
    (start) => {
      const header = `${start}${' '.repeat(2_000_000)}x`;
      expect(parsePrefer(header).length).toBeLessThan(2);
    },
  );
});
