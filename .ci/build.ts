/** Compiles the package into `dist/` and puts the data files beside the code that reads them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const output = 'dist';
rmSync(output, { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
for (const file of globSync(['openapi/*.{yaml,json}', 'src/**/*.{yaml,json}'])) {
  const target = join(output, file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
}
chmodSync(join(output, 'src/cli/main.js'), 0o755);
