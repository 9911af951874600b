import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import { temporaryFolder } from '../support/shell.ts';

// npm ci prepares the YAML files of the project, so that they load faster.

const files = ['openapi/openapi.yaml', 'openapi/requirements.yaml', 'src/domain/demo-seed.yaml'];

it.each(files)('%s is read as it stands there', (file) => {
  expect(loadOwnYaml(file)).toEqual(parse(readFileSync(file, 'utf8')));
});

it('a prepared file is read without the YAML library, and one that has changed since then with it', async () => {
  const folder = temporaryFolder('own-files');
  onTestFinished(() => folder.remove());
  mkdirSync(folder.at('src'));
  for (const file of ['openapi/contract/own-files.ts', 'lib/yaml.ts']) cpSync(file, folder.at(file));
  writeFileSync(folder.at('openapi/a.yaml'), 'prepared: true');
  const dataFiles = pathToFileURL(join(process.cwd(), '.ci/data-files.mjs')).href;
  const script = `import { prepareYaml } from '${dataFiles}'; prepareYaml();`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder.path });
  expect(status).toBe(0);
  const copy: { loadOwnYaml(path: string): unknown } = await import(
    pathToFileURL(folder.at('openapi/contract/own-files.ts')).href
  );
  expect(copy.loadOwnYaml('openapi/a.yaml')).toEqual({ prepared: true });
  writeFileSync(folder.at('openapi/a.yaml'), 'changed: true');
  symlinkSync(join(process.cwd(), 'node_modules/yaml'), folder.at('node_modules/yaml'));
  expect(copy.loadOwnYaml('openapi/a.yaml')).toEqual({ changed: true });
});
