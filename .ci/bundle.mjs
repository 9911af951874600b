/**
 * Bundles the mock for pages: `dist/browser/fetch.js` with everything in it, and `msw.js`, which takes the former and the
 * project's own MSW. Where a module needs Node, its twin in `src/browser/instead` takes its place.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));

// Each file that the mock reads there.
const files = [
  ...['openapi/openapi.yaml', 'openapi/mock.yaml', 'openapi/open-points.yaml', 'src/domain/demo-seed.yaml'],
  ...['src/workbench/faults/faults.schema.yaml', 'src/workbench/control-plane/control-plane.yaml'],
];

// What stands in for them in a page: files of the same names in `src/browser/instead`.
const replaced = [
  ...['compiler', 'own-files', 'package-version', 'yaml'].map((name) => `openapi/contract/${name}.ts`),
  'src/workbench/prism.ts',
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
 * The text of one bundled module. `external` names what stays an import, `alias` what stands for what.
 * @param {string} input
 * @param {string[]} [external]
 * @param {Record<string, string>} [alias]
 */
export async function bundle(input, external = [], alias = {}) {
  const own = files.map((file) => [file, parse(readFileSync(join(root, file), 'utf8'))]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const result = await build({
    ...{ configFile: false, root, logLevel: 'warn', plugins: [instead], publicDir: false },
    resolve: { alias },
    define: { ownFiles: JSON.stringify(Object.fromEntries(own)), ownVersion: JSON.stringify(version) },
    build: {
      ...{ write: false, target: 'es2024', modulePreload: false, minify: true },
      rolldownOptions: {
        input: join(root, input),
        external,
        preserveEntrySignatures: 'strict',
        output: { format: 'es' },
      },
    },
  });
  const { output } = /** @type {{ output: { type: string, code?: string }[] }} */ (/** @type {unknown} */ (result));
  const [chunk, ...more] = output;
  if (chunk?.code === undefined || more.length > 0) throw new Error(`${input} did not become one module`);
  return chunk.code;
}

/** The modules of the package by their names in `dist/browser`. */
export async function bundles() {
  return {
    'fetch.js': await bundle('src/browser/fetch.ts'),
    'msw.js': (await bundle('src/browser/msw.ts', ['msw', './fetch.ts'])).replaceAll('../fetch.ts', './fetch.js'),
  };
}
