import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isFull } from '../support/depth.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{lib,openapi,src,conformance}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.endsWith('.gen.ts'),
);
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** What each file imports, statically or when asked for: files of the project by path, packages by name. */
const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));

function importsOf(file: string, text: string): string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    return fileName.startsWith('.') ? relative(root, join(root, dirname(file), fileName)) : fileName;
  });
}

/** The layers of the project from the bottom. Each may import itself and the ones named. */
const layers: Record<string, string[]> = {
  'lib/': [],
  'openapi/': ['lib/'],
  'src/options/': ['lib/', 'openapi/'],
  'src/domain/': ['lib/', 'openapi/'],
  'src/engine/': ['lib/', 'openapi/', 'src/domain/'],
  'src/app/': ['lib/', 'openapi/', 'src/options/', 'src/domain/', 'src/engine/'],
  'src/state/': ['lib/', 'openapi/', 'src/options/', 'src/domain/', 'src/engine/', 'src/app/'],
  'src/http/': ['lib/', 'openapi/', 'src/options/', 'src/domain/', 'src/engine/', 'src/app/', 'src/state/'],
  'src/proxy/': ['lib/', 'openapi/', 'src/options/', 'src/domain/', 'src/engine/', 'src/app/', 'src/http/'],
  'src/browser/': ['lib/', 'openapi/', 'src/options/', 'src/domain/', 'src/engine/', 'src/app/'],
  'src/ui/': ['lib/', 'openapi/', 'src/app/'],
  'src/vary/': ['lib/', 'openapi/', 'src/options/', 'src/domain/', 'src/engine/', 'src/app/', 'src/http/'],
  'src/cli/': ['lib/', 'openapi/', 'src/', 'conformance/index.ts'],
  'src/index.ts': ['lib/', 'openapi/', 'src/'],
  'conformance/': ['lib/', 'openapi/'],
};

const layerOf = (file: string) => Object.keys(layers).find((layer) => file.startsWith(layer));

describe('the architecture', () => {
  it('assigns every file to a layer', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => layerOf(file) === undefined)).toEqual([]);
  });

  it('imports only within a layer or from lower layers', () => {
    const wrong = [...imports].flatMap(([file, targets]) => {
      const layer = layerOf(file) as string;
      const allowed = [layer, ...(layers[layer] ?? [])];
      const own = targets.filter((target) => sources.has(target) || /\.tsx?$/.test(target));
      return own
        .filter((target) => !allowed.some((prefix) => target.startsWith(prefix)))
        .map((target) => `${file} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('loads the suite only for its own command, without the mock', () => {
    const reached = (start: string) => [...reachedFrom(start, new Set())];
    expect(reached('src/cli/run.ts').filter((file) => file.startsWith('conformance/'))).toEqual([]);
    const suite = reached('src/cli/conformance.ts');
    expect(suite).toContain('conformance/index.ts');
    expect(suite.filter((file) => /^src\/(http|proxy|app|engine|domain)\//.test(file))).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(cycleFrom(imports)).toEqual([]);
  });

  it('has none in the benchmark, where the module that starts first would lack what the other defines', () => {
    const modules = globSync('bench/*.ts', { cwd: root });
    expect(modules.length).toBeGreaterThan(20);
    const graph = new Map(modules.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]));
    expect(cycleFrom(graph)).toEqual([]);
  });

  it.each([
    ['src/domain/', /process\./],
    ['src/engine/', /process\./],
    ['src/app/', /process\.|\bBuffer\b|NodeJS\./],
  ])('keeps randomness, the wall clock, HTTP, the file system and Node out of %s', (folder, more) => {
    const forbidden =
      /Math\.random|getRandomValues|Date\.now\(|new Date\(\)|performance\.|['"]node:|console\.|\bcreateRequire\b/;
    const inner = files.filter((file) => file.startsWith(folder) && file !== 'src/engine/mock-clock.ts');
    expect(inner.length).toBeGreaterThan(10);
    const wrong = inner.filter((file) => [forbidden, more].some((each) => each.test(sources.get(file) ?? '')));
    expect(wrong).toEqual([]);
  });

  it('keeps Node and its packages out of what runs in a page', () => {
    const inPage = files.filter((file) => file.startsWith('src/browser/'));
    expect(inPage.length).toBeGreaterThan(5);
    const others = inPage.flatMap((file) => (imports.get(file) ?? []).filter((target) => !target.endsWith('.ts')));
    expect(new Set(others)).toEqual(new Set(['ajv-formats/dist/formats.js', 'msw']));
    const text = inPage.map((file) => sources.get(file)).join('');
    expect(text).not.toMatch(/process\.|\bBuffer\b|NodeJS\.|['"]node:/);
  });

  it('replaces modules in a page by twins of the same name', () => {
    const builder = readFileSync(join(root, '.ci/bundle.mjs'), 'utf8');
    const twins = files.filter((file) => file.startsWith('src/browser/instead/'));
    expect(twins.length).toBeGreaterThan(3);
    for (const twin of twins) expect(builder).toContain(basename(twin, '.ts'));
  });

  it('runs the page without Node, and without the mock that it shows', () => {
    const loaded = [...reachedFrom('src/ui/main.tsx', reachedFrom('src/ui/report.tsx', new Set()))];
    expect(loaded).toContain('src/ui/views.ts');
    expect(loaded.filter((file) => !/^(?:src\/ui|openapi|lib)\//.test(file))).toEqual([]);
    const node = /['"]node:|\bprocess\.|\bBuffer\b|innerHTML|dangerouslySet|\beval\(/;
    expect(loaded.filter((file) => node.test(sources.get(file) ?? ''))).toEqual([]);
  });

  it('loads Prism only on demand', () => {
    const early = [...sources].filter(([, text]) => /^import (?!type )[^;]*@stoplight/m.test(text));
    expect(early.map(([file]) => file)).toEqual([]);
    expect([...sources.values()].some((text) => text.includes("import('@stoplight/prism-http')"))).toBe(true);
  });

  it('loads SQLite in one place, where it says nothing, and only for a state file', () => {
    const naming = [...sources].filter(([, text]) =>
      /^(?!import type).*['"]node:sqlite['"]/m.test(text.replaceAll(/typeof import\(\S+\)/g, '')),
    );
    expect(naming.map(([file]) => file)).toEqual(['src/state/sqlite.ts']);
    const early = [...reachedFrom('src/http/create-mock.ts', new Set())];
    expect(early.filter((file) => file.startsWith('src/state/'))).toEqual([]);
  });

  it('uses process.argv, process.env and process.exit only in the command line', () => {
    const outer = files.filter((file) => !file.startsWith('src/cli/') && file !== 'openapi/generate.ts');
    expect(outer.filter((file) => /process\.(argv|env|exit)/.test(sources.get(file) ?? ''))).toEqual([]);
  });

  it('has no file above 600 lines', () => {
    expect([...sources].filter(([, text]) => text.split('\n').length > 600).map(([file]) => file)).toEqual([]);
  });

  it.runIf(isFull)('has no function above 80 lines', () => {
    const lengths = files.flatMap((file) => functionLengths(file, sources.get(file) ?? ''));
    expect(lengths.length).toBeGreaterThan(500);
    expect(lengths.filter(({ lines }) => lines > 80)).toEqual([]);
  });
});

/** What a file loads with it, directly or not; imports that wait until they are asked for, and those of types, apart. */
function reachedFrom(file: string, known: Set<string>): Set<string> {
  if (known.has(file) || !sources.has(file)) return known;
  known.add(file);
  const text = sources.get(file) ?? '';
  for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm)) {
    reachedFrom(relative(root, join(root, dirname(file), target)), known);
  }
  return known;
}

function cycleFrom(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...trail, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function functionLengths(file: string, text: string): { name: string; lines: number }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { name: string; lines: number }[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)) {
      const name = node.name?.getText() ?? 'constructor';
      found.push({ name: `${file} ${name}`, lines: lineOf(node.end) - lineOf(node.getStart()) + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
