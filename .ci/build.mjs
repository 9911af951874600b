/**
 * Compiles the package into `dist/` and puts the data files next to the code that reads them. Plain JavaScript: it also
 * builds for projects that install a clone, with whatever Node they have. Each step is printed as it begins, on the error
 * output: that of `npm pack` is the name of the tarball.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
try {
  for (const name of ['rolldown', 'typescript', 'yaml']) require.resolve(name);
} catch {
  console.error('The build needs the development dependencies, which are not installed. Run npm ci first.');
  process.exit(1);
}
const { bundles } = await import('./bundle.mjs');
const { writeCommonJs, writeCommonJsTypes } = await import('./commonjs.mjs');
const { dataFiles, toJson } = await import('./data-files.mjs');

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const output = 'dist';
rmSync(output, { recursive: true, force: true });

const steps = 4;
let step = 0;

/** @param {string} doing */
function begin(doing) {
  step++;
  console.error(`build ${step}/${steps}: ${doing}`);
}

begin('compile the sources and their types');
// In a workspace, packages can lie in the folder above.
const compiler = require.resolve('typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
begin('copy the data files, as YAML and as JSON');
// The contract links to the list of open points; the mock serves its own page; the suite fills its own.
const pages = ['docs/open-points.md', 'openapi/COVERAGE.md', 'conformance/POWER.md'];
const views = ['src/ui/page.gen.html', 'conformance/report/report.gen.html'];
for (const file of [...['openapi', 'src', 'conformance'].flatMap(dataFiles), ...pages, ...views]) {
  const target = join(output, file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
  // A twin in JSON, with which the mock starts much faster.
  if (file.endsWith('.yaml')) writeFileSync(`${target}.json`, toJson(readFileSync(file, 'utf8')));
}
for (const page of pages) keepLinksWithin(page);

/**
 * Turns the links of a page into plain text where they lead to what the package does not hold.
 * @param {string} page
 */
function keepLinksWithin(page) {
  const target = join(output, page);
  const linked = readFileSync(target, 'utf8').replace(/\[([^\]]+)\]\(([^)#:\s]+)[^)\s]*\)/g, (link, text, path) =>
    existsSync(join(dirname(target), path)) ? link : text,
  );
  writeFileSync(target, linked);
}

begin('write the modules and types for CommonJS');
await writeCommonJs(output);
writeCommonJsTypes(output);
begin('bundle the mock for browsers');
mkdirSync(join(output, 'browser'));
for (const [name, code] of Object.entries(await bundles())) writeFileSync(join(output, 'browser', name), code);
chmodSync(join(output, 'src/cli/main.js'), 0o755);
console.error(`build: done in ${(performance.now() / 1000).toFixed(0)} s`);
