/** Compiles the package into `dist/` and puts the data files next to the code that reads them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const output = 'dist';
rmSync(output, { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
for (const file of globSync([
  'openapi/*.{yaml,json}',
  'src/**/*.{yaml,json}',
  'conformance/*.json',
  // The contract links to it.
  'docs/questions.html',
])) {
  const target = join(output, file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
  // A twin in JSON, with which the mock starts much faster.
  if (file.endsWith('.yaml')) writeFileSync(`${target}.json`, JSON.stringify(parse(readFileSync(file, 'utf8'))));
}
chmodSync(join(output, 'src/cli/main.js'), 0o755);
