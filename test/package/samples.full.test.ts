/** The samples of the guides and the README rely on no open point: they pass with choices that all differ from the default. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { withoutNeeds } from '../../openapi/points/open-point.ts';
import { loadOpenPoints } from '../../src/index.ts';
import { shownFile } from '../support/guide-files.ts';
import { checkout } from '../support/packing.ts';
import { run } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

const forNode = [
  ['docs/in-your-tests.md', 'drives.node-test.mjs'],
  ['docs/in-your-tests.md', 'failures.node-test.mjs'],
  ['docs/in-a-page.md', 'fetch.node-test.mjs'],
] as const;
const forVitest = [
  ['README.md', 'first.test.js'],
  ['docs/in-a-page.md', 'msw.test.js'],
  ['docs/test-runners.md', 'drives.vitest.test.js'],
] as const;

/** For each open point, the first or the last choice that is not the default. */
function otherChoices(at: 0 | -1): Record<string, unknown> {
  return Object.fromEntries(
    withoutNeeds(loadOpenPoints()).flatMap(({ id, choices, default: usual }) => {
      const other = choices.filter(({ value }) => value !== usual).at(at);
      return other === undefined ? [] : [[id, other.value]];
    }),
  );
}

const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(checkout, path)).href);

/** The package, whose mocks make these choices wherever the sample itself makes none. */
function packageWith(choices: Record<string, unknown>): string {
  return `import { createMock as mock } from ${urlOf('src/index.ts')};
import { createFetch as inPage } from ${urlOf('src/browser/fetch.ts')};
const profile = ${JSON.stringify(choices)};
export const createMock = (options) => mock({ profile, ...options });
export const createFetch = (options) => inPage({ profile, ...options });
`;
}

function written(text: string): string {
  return text
    .replace(/'agent-platform-contract(\/fetch)?'/, `'./package.mjs'`)
    .replace(`'agent-platform-contract/msw'`, urlOf('src/browser/msw.ts'));
}

// Within the checkout: Vite looks for packages from there.
async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const cache = join(checkout, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'samples-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each([
  ['first', 0],
  ['last', -1],
] as const)('the samples pass with the %s choice that is not the default', async (_, at) => {
  await inFolder(async (folder) => {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('package.mjs', packageWith(otherChoices(at)));
    write('vitest.config.js', 'export default { test: { include: ["*.test.js"], exclude: [] } };');
    for (const [document, name] of [...forNode, ...forVitest]) write(name, written(shownFile(document, name)));
    const programs = [join(checkout, 'node_modules', '.bin')];
    const shell = { cwd: folder, programs, timeoutMs: timeLimit(100_000) };
    const [node, vitest] = await Promise.all([
      run('node', ['--test', ...forNode.map(([, name]) => name)], shell),
      run('vitest', ['run', '--root', folder], shell),
    ]);
    expect(node.exitCode, node.stdout + node.stderr).toBe(0);
    expect(vitest.exitCode, vitest.stdout + vitest.stderr).toBe(0);
    expect(vitest.stdout).toMatch(/Test Files.*3 passed/);
  });
});
