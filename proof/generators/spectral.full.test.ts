import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { installTools } from './matrix.ts';

const call = promisify(execFile);
const openapi = join(import.meta.dirname, '../../openapi');

/** What Spectral finds in a document with its rules for OpenAPI. */
async function lint(document: string): Promise<string[]> {
  const installed = await installTools();
  const ruleset = join(installed, 'runs/spectral.yaml');
  mkdirSync(join(installed, 'runs'), { recursive: true });
  writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
  const spectral = join(installed, 'node_modules/@stoplight/spectral-cli/dist/index.js');
  const words = ['lint', '--ruleset', ruleset, '--format', 'json', '--quiet', document];
  const { stdout } = await call(process.execPath, [spectral, ...words]).catch((failed: { stdout: string }) => failed);
  const found: { code: string; path: string[] }[] = JSON.parse(stdout);
  return found.map(({ code, path }) => `${code} ${path.join('/')}`);
}

it.each(['openapi.yaml', 'openapi.default.yaml'])('%s has no warning of Spectral', async (name) => {
  expect(await lint(join(openapi, name))).toEqual([]);
});

it('a document without a contact has one', async () => {
  const { contact: _, ...info } = loadDocument().info;
  const file = join(await installTools(), 'runs/no-contact.json');
  writeFileSync(file, JSON.stringify({ ...loadDocument(), info }));
  expect(await lint(file)).toEqual(['info-contact info']);
});
