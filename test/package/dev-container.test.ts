import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mockFlags } from '../../src/options/mock-options.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const container = JSON.parse(read('.devcontainer/devcontainer.json'));
const manifest = JSON.parse(read('package.json'));

it('the dev container has the Node of the repository', () => {
  const [, major] = /javascript-node:(\d+)-/.exec(container.image) ?? [];
  expect(manifest.devDependencies.node).toMatch(new RegExp(`^\\^${major}\\.`));
});

it('the dev container installs what CI installs', () => {
  const wanted = [...read('.ci/run').matchAll(/missing\+=\(([\w-]+)\)/g)].map(([, name]) => name);
  expect(wanted).toContain('chromium');
  expect(container.postCreateCommand.split(' ')).toEqual(expect.arrayContaining([...wanted, 'ci']));
});

it('the dev container forwards the port of the mock', () => {
  expect(container.forwardPorts).toEqual([mockFlags.port.default]);
});
