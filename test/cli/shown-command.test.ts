/** A printed command line works where it is printed; test/package/package.full.test.ts types some of them. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownCommand, shownHelp, startOf } from '../../lib/shown-command.ts';
import { commands } from '../../src/cli/commands.ts';
import { createFolder } from '../support/folder.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { bin, scripts, devDependencies } = JSON.parse(read('package.json'));
const { path: folder } = createFolder('shown-command');

/** The path of our code, in a package folder below `place`; the place has this manifest, if any. */
function installedAt(place: string, manifest?: unknown): string {
  const at = join(folder, place);
  mkdirSync(at, { recursive: true });
  if (manifest !== undefined) writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  return join(at, 'node_modules', 'agent-platform-contract', 'dist', 'lib', 'shown-command.js');
}

const shown = (path: string) => [
  shownCommand('mock', ['--port 0'], startOf(path)),
  shownCommand('conformance doctor', [], startOf(path)),
  shownHelp(startOf(path)),
];

describe('a shown command', () => {
  it('uses the scripts of a clone', () => {
    expect(shown(join(root, 'lib/shown-command.ts'))).toEqual([
      'npm start -- --port 0',
      'npm run conformance -- doctor',
      'npx node src/cli/main.ts --help',
    ]);
  });

  it.each([
    ['a project', installedAt('project', {})],
    ['a linked folder', join(folder, 'clone', 'dist', 'lib', 'shown-command.js')],
  ])('uses npx in %s', (_, path) => {
    expect(shown(path)).toEqual([
      'npx agent-platform-contract mock --port 0',
      'npx agent-platform-contract conformance doctor',
      'npx agent-platform-contract --help',
    ]);
  });

  it('uses npx in a project of pnpm, which keeps packages deeper', () => {
    const top = installedAt('project', {}).split('node_modules')[0] ?? '';
    const path = join(top, 'node_modules/.pnpm/a@1/node_modules/agent-platform-contract/dist/openapi/x.js');
    expect(startOf(path)).toEqual({ prefix: 'npx agent-platform-contract' });
  });

  it('names the command alone where its folder is none of this system', () => {
    const path = 'C:\\apps\\node_modules\\agent-platform-contract\\dist\\x.js';
    expect(startOf(path)).toEqual({ prefix: 'agent-platform-contract' });
  });

  it('names the command alone when it is installed globally', () => {
    expect(shown(installedAt('lib'))[0]).toBe('agent-platform-contract mock --port 0');
  });

  it('names what npx has fetched', () => {
    const manifest = { _npx: { packages: ['../contract.tgz'] } };
    expect(shown(installedAt('_npx/1a2b', manifest))[0]).toBe('npx ../contract.tgz mock --port 0');
    expect(shown(installedAt('_npx/3c4d', {}))[0]).toBe('npx agent-platform-contract mock --port 0');
  });

  it.each(commands)('has a script for $name in a clone', ({ name }) => {
    expect(Object.keys(scripts)).toContain(name === 'mock' ? 'start' : name.split(' ')[0]);
  });
});

describe('the name of the command', () => {
  const files = globSync(
    ['*.md', '{docs,examples}/**/*.{md,yaml,json,ts,js}', '{src,conformance,openapi,reporting}/**/*.ts'],
    {
      cwd: root,
      exclude: ['**/node_modules/**'],
    },
  );
  // The commands of other packages: of this repository, of the examples, and of those who generate clients.
  const others: Record<string, string> = {
    ...{ node: 'node', vitest: 'vitest', playwright: '@playwright/test', autocannon: 'autocannon' },
    ...{ tsc: 'typescript', 'openapi-typescript': 'openapi-typescript' },
    msw: 'msw',
  };

  it('is that of the package', () => {
    expect(Object.keys(bin)).toEqual([JSON.parse(read('package.json')).name]);
  });

  it('stands behind each npx that a document or a message shows', () => {
    const named = files.flatMap((file) => {
      const text = read(file);
      return [...text.matchAll(/\bnpx (?!\$)([\w@/.-]+)/g)].map(({ 1: name = '', index }) => {
        // A document may let its reader install a package before.
        const isInstalled = new RegExp(`\\bnpm install (.* )?${name}@\\d`).test(text.slice(0, index));
        return { name, isKnown: isInstalled || name in bin || name in others };
      });
    });
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(({ isKnown }) => !isKnown)).toEqual([]);
  });

  it('is never the old one', () => {
    const old = new RegExp(
      `(\\bnpx agent-platform|^\\$? *agent-platform|\`agent-platform) (${commands.map(({ name }) => name).join('|')}|--)`,
      'm',
    );
    expect(files.filter((file) => old.test(read(file)))).toEqual([]);
  });

  it('stands apart from the commands of packages that are there', () => {
    expect(Object.values(others).filter((name) => !(name in devDependencies))).toEqual([]);
  });
});
