import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadOwnText, loadOwnYaml } from '../openapi/contract/own-files.ts';

// npm ci prepares the YAML files of the project, so that they load faster.

const files = ['openapi/openapi.yaml', 'openapi/requirements.yaml', 'src/domain/demo-seed.yaml'];

it.each(files)('%s is read as it stands there', (file) => {
  expect(loadOwnYaml(file)).toEqual(parse(loadOwnText(file)));
});

it('a file that has changed since it was prepared is read anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-files-'));
  for (const file of ['own-files.ts', 'yaml.ts'])
    cpSync(`openapi/contract/${file}`, join(folder, 'openapi/contract', file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const copy: { loadOwnYaml(path: string): unknown } = await import(
    pathToFileURL(join(folder, 'openapi/contract/own-files.ts')).href
  );
  writeFileSync(join(folder, 'a.yaml'), loadOwnText('openapi/openapi.yaml'));
  expect(copy.loadOwnYaml('a.yaml')).toEqual(parse(loadOwnText('openapi/openapi.yaml')));
  writeFileSync(join(folder, 'a.yaml'), 'changed: true');
  expect(copy.loadOwnYaml('a.yaml')).toEqual({ changed: true });
});
