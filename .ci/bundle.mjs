/**
 * Bundles the mock for pages: `dist/browser/fetch.js` with everything in it, and `msw.js`, which takes the former and the
 * project's own MSW. Where a module needs Node, its twin in `src/browser/instead` takes its place. Nothing is minified:
 * that is up to the bundler of the project.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));

// Each file that the mock reads there.
const files = [
  ...['openapi/openapi.yaml', 'openapi/mock.yaml', 'src/domain/demo-seed.yaml'],
  ...['src/app/faults/faults.schema.yaml', 'src/app/admin-api/admin-api.yaml'],
];

// What stands in for them in a page: files of the same names in `src/browser/instead`.
const replaced = [
  ...['compiler', 'own-files'].map((name) => `openapi/contract/${name}.ts`),
  ...['package-version', 'yaml'].map((name) => `lib/${name}.ts`),
  'src/app/prism.ts',
].map((file) => join(root, file));

const instead = {
  name: 'instead',
  enforce: /** @type {const} */ ('pre'),
  /** @type {(source: string, importer: string | undefined) => string | undefined} */
  resolveId(source, importer = root) {
    const meant = replaced.find((file) => source.startsWith('.') && file === join(dirname(importer), source));
    return meant && join(root, 'src/browser/instead', basename(meant));
  },
};

/**
 * The name of a source, the same wherever the packages of the project stand.
 * @param {string} source
 */
function inPackage(source) {
  const start = source.lastIndexOf('node_modules/');
  return start < 0 ? source : `../../${source.slice(start)}`;
}

/**
 * The text of one bundled module, and its source map. `external` names what stays an import, `alias` what stands for what.
 * @param {string} input
 * @param {{ external?: string[], alias?: Record<string, string>, format?: 'es' | 'cjs', file?: string }} [options]
 */
export async function bundleWithMap(input, { external = [], alias = {}, format = 'es', file = 'bundle.js' } = {}) {
  const own = files.map((name) => [name, parse(readFileSync(join(root, name), 'utf8'))]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const result = await build({
    ...{ configFile: false, root, logLevel: 'warn', plugins: [instead], publicDir: false },
    resolve: { alias },
    define: { ownFiles: JSON.stringify(Object.fromEntries(own)), ownVersion: JSON.stringify(version) },
    build: {
      ...{ write: false, target: 'es2024', modulePreload: false, minify: false, sourcemap: 'hidden' },
      outDir: 'dist/browser',
      rolldownOptions: {
        input: join(root, input),
        external,
        preserveEntrySignatures: 'strict',
        output: { format, entryFileNames: file, exports: 'named', sourcemapPathTransform: inPackage },
      },
    },
  });
  const { output } = /** @type {{ output: { type: string, code?: string, map?: object }[] }} */ (
    /** @type {unknown} */ (result)
  );
  const [chunk, ...more] = output.filter(({ type }) => type === 'chunk');
  if (chunk?.code === undefined || more.length > 0) throw new Error(`${input} did not become one module`);
  return { code: chunk.code, map: chunk.map };
}

/**
 * The text of one bundled module.
 * @param {string} input
 * @param {string[]} [external]
 * @param {Record<string, string>} [alias]
 */
export async function bundle(input, external = [], alias = {}) {
  return (await bundleWithMap(input, { external, alias })).code;
}

/** What is written to `dist/browser`, by name: the two modules, in both formats, each with its source map. */
export async function bundles() {
  /** @type {Record<string, string>} */
  const written = {};
  for (const format of /** @type {const} */ (['es', 'cjs'])) {
    const end = format === 'es' ? 'js' : 'cjs';
    for (const [name, external] of /** @type {const} */ ([
      ['fetch', []],
      ['msw', ['msw', './fetch.ts']],
    ])) {
      const file = `${name}.${end}`;
      const { code, map } = await bundleWithMap(`src/browser/${name}.ts`, { external: [...external], format, file });
      const text = code.replaceAll(/(["'])\.\.?\/fetch\.ts\1/g, `$1./fetch.${end}$1`);
      written[file] = `${text}//# sourceMappingURL=${file}.map\n`;
      written[`${file}.map`] = JSON.stringify(map);
    }
  }
  return written;
}
