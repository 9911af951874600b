import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingPackage } from '../../lib/optional-packages.ts';

const { peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

describe.each([
  ['@modelcontextprotocol/sdk', /^\^1\./],
  ['@stoplight/prism-http', /^\^5\./],
] as const)('%s', (name, versions) => {
  it('is an optional peer dependency', () => {
    expect(peerDependencies[name]).toMatch(versions);
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  });

  it('is found where it is installed', () => {
    expect(missingPackage('--option', name)).toBeUndefined();
  });

  it('is named, with the line that installs it, where it is not', () => {
    const resolve = () => {
      throw new Error('Cannot find module');
    };
    expect(missingPackage('--option', name, resolve)).toBe(
      `--option needs the package ${name}. Install it: npm install --save-dev ${name}`,
    );
  });
});
