/**
 * Writes the package once more as CommonJS, each module beside its twin: for Jest, and for others that cannot `require` an
 * ES module. Node itself can, and gets the ES modules from `require` too (condition `module-sync`): it has one copy.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entries that run in Node. Those for pages are bundles: see `bundle.mjs`. */
const entries = ['src/index', 'conformance/index', 'conformance/vitest'];

// What Node has everywhere, and jsdom, which replaces the global object, has not.
/** @type {Record<string, [string, string]>} */
const inject = {
  TextDecoder: ['node:util', 'TextDecoder'],
  TextEncoder: ['node:util', 'TextEncoder'],
  structuredClone: ['structured-clone', 'default'],
};

// No module of Node exports it.
const cloneFile = join(root, 'src/structured-clone.js');
const clone = {
  name: 'structured-clone',
  /** @type {(source: string) => string | undefined} */
  resolveId: (source) => (source === 'structured-clone' ? cloneFile : undefined),
  /** @type {(id: string) => string | undefined} */
  load: (id) =>
    id === cloneFile
      ? `import { deserialize, serialize } from 'node:v8';
         export default globalThis.structuredClone ?? ((value) => deserialize(serialize(value)));`
      : undefined,
};

/** @param {string} output the folder, such as `dist` */
export async function writeCommonJs(output) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(root, `${name}.ts`)])),
    external: (name) => !/^(\.|\/|structured-clone$)/.test(name),
    platform: 'node',
    cwd: root,
    logLevel: 'warn',
    transform: { inject },
    plugins: [clone],
  });
  await bundle.write({
    ...{ dir: output, format: 'cjs', exports: 'named', dynamicImportInCjs: false },
    ...{ preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
  });
  await bundle.close();
}

/**
 * Writes the types of each entry for CommonJS, beside those for ES modules. They name the latter, so that there is one type
 * for one thing.
 * @param {string} output
 */
export function writeCommonJsTypes(output) {
  const modules = [...entries, 'src/browser/fetch', 'openapi/types.default.gen', 'openapi/types.strict'];
  const program = ts.createProgram(
    modules.map((name) => join(output, `${name}.d.ts`)),
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true },
  );
  const checker = program.getTypeChecker();
  for (const name of modules) {
    const file = join(output, `${name}.d.ts`);
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (symbol === undefined) throw new Error(`${file} exports nothing`);
    const twin = `./${name.replace(/.*\//, '')}.js`;
    const lines = checker.getExportsOfModule(symbol).map((each) => declarationOf(checker, each, twin));
    writeFileSync(file.replace(/\.ts$/, '.cts'), `${lines.join('\n')}\n`);
  }
  // Its own text, as the types of MSW differ between the two.
  const msw = join(output, 'src/browser/msw.d.ts');
  const text = readFileSync(msw, 'utf8')
    .replaceAll('./fetch.js', './fetch.cjs')
    .replaceAll('./fetch.ts', './fetch.cjs');
  writeFileSync(msw.replace(/\.ts$/, '.cts'), text);
}

/** @param {ts.TypeChecker} checker @param {ts.Symbol} symbol @param {string} twin */
function declarationOf(checker, symbol, twin) {
  const { name } = symbol;
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const mode = `with { 'resolution-mode': 'import' }`;
  const there = `import('${twin}', { ${mode.replace('with', 'with:')} }).${name}`;
  if ((meant.flags & ts.SymbolFlags.Value) === 0) return `export type { ${name} } from '${twin}' ${mode};`;
  const words = ts.displayPartsToString(meant.getDocumentationComment(checker)).replaceAll('*/', '');
  const value = `export declare const ${name}: typeof ${there};`;
  const type = meant.flags & ts.SymbolFlags.Class ? [`export type ${name} = ${there};`] : [];
  return [...(words === '' ? [] : [`/** ${words.replaceAll('\n', '\n * ')} */`]), value, ...type].join('\n');
}
