import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentNames } from '../../examples/typed-client.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { createMock } from '../../src/index.ts';
import { mockFlags, mockOptions } from '../../src/options/mock-options.ts';
import { proxyFlags, proxyOptions } from '../../src/options/proxy-options.ts';
import { drawn, hasJustRun, isFull } from '../support/depth.ts';
import { carryOut, runElsewhere } from '../support/page-in-use.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const documents = globSync(
  ['*.md', 'docs/*.md', 'examples/*/*.md', 'openapi/*.md', 'bench/*.md', 'proof/mutation/*.md'],
  { cwd: root },
).sort();
const manifest = JSON.parse(read('package.json'));
// Commands take their time: the quick run draws some pages, and always uses the first one that people read.
const drawnPages = drawn(documents, 3);
const isRunQuickly = (name: string) => name === 'README.md' || drawnPages.includes(name);

describe.skipIf(hasJustRun)('the documents', () => {
  it('include a README of at most 150 lines and an index of every guide', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151);
    const index = read('docs/README.md');
    const guides = documents.filter((name) => name.startsWith('docs/') && name !== 'docs/README.md');
    expect(guides.length).toBeGreaterThan(10);
    expect(guides.filter((name) => !index.includes(`](${name.slice('docs/'.length)})`))).toEqual([]);
  });

  it('leave out only commands that other tests run', () => {
    const lines = documents.flatMap((name) => read(name).replaceAll('\\\n    ', '').split('\n'));
    const commands = lines.flatMap((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/ +# .*/, '')
        .split(' && '),
    );
    for (const { command, file, words } of runElsewhere) {
      expect(commands, 'a command that some document shows').toContainEqual(expect.stringMatching(command));
      expect(read(file), file).toContain(words);
    }
  });

  it('say the same as the output that is shown where they quote a verdict', () => {
    const verdicts = documents.flatMap(
      (name) => read(name).match(/CONFORMANT in \d+ of .*? need --allow-writes/g) ?? [],
    );
    expect(verdicts.length).toBeGreaterThan(1);
    expect(new Set(verdicts).size).toBe(1);
  });

  it.each([
    ['docs/in-your-tests.md', mockFlags, mockOptions],
    ['docs/proxy.md', proxyFlags, proxyOptions],
  ])('%s names the options that only the command has', (name, flags, options) => {
    const [, named = ''] = /There is no ((?:`\w+`(?:, | or )?)+)[.:]/.exec(read(name)) ?? [];
    // What live MCP servers may be asked is one option in code.
    const ofCommand = Object.keys(flags).filter((key) => !(key in options) && !key.startsWith('liveMcp'));
    expect(named.match(/\w{3,}/g)).toEqual(ofCommand);
  });

  it('name the tarball as npm pack does', () => {
    const named = documents.flatMap((name) => read(name).match(/agent-platform-contract-[\d.]+\.tgz/g) ?? []);
    expect(new Set(named)).toEqual(new Set([`${manifest.name}-${manifest.version}.tgz`]));
  });
});

describe.each(documents)('%s', (name) => {
  const page = read(name);

  // `npm test -- --mode full documents -u` writes what really came into the page.
  // The quick run leaves out the pages that were not drawn, and the full run in CI those that the quick one has used.
  it.skipIf(isFull ? hasJustRun && isRunQuickly(name) : !isRunQuickly(name))(
    'shows working commands and their real output',
    async () => {
      await expect(await carryOut(page)).toMatchFileSnapshot(join(root, name));
    },
  );

  it('has no broken local links', () => {
    const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((link) => !link.includes(':') && !leadsSomewhere(name, link))).toEqual([]);
  });

  it('names only files, folders and scripts that exist', () => {
    const paths = [...page.matchAll(/`((?:docs|openapi|src|conformance|test|bench|examples|\.ci)\/[\w./-]*)`/g)];
    // An example names its own files too.
    const folders = name.startsWith('examples/') ? [root, join(root, dirname(name))] : [root];
    const isThere = (path: string) => folders.some((folder) => existsSync(join(folder, path)));
    expect(paths.map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([]);
    const scripts = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

/** The anchors of a page: those that GitHub gives its headings, and its own. */
function anchorsOf(page: string): string[] {
  const ids = [...page.matchAll(/<a id="([\w.]+)"><\/a>/g)].map(([, id = '']) => id);
  const headings = page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm);
  const ofHeadings = [...headings].map(([, heading = '']) =>
    heading
      .replaceAll(/<[^>]*>/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...ids, ...ofHeadings];
}

it('every example is used by a test', () => {
  const files = globSync('examples/*', { cwd: root });
  // The folders are run by test/package/package.full.test.ts, test/vary/example.full.test.ts and test/package/example-*.full.test.ts.
  const own = globSync('test/package/example-*.full.test.ts', { cwd: root }).map(exampleOf);
  const folders = [...own, 'examples/frontend', 'examples/playwright-sandboxes', 'examples/vitest-sandboxes'];
  const data = ['examples/conformance-demo.json', 'examples/profile.yaml', 'examples/seed.yaml'];
  expect(files.sort()).toEqual([...data, 'examples/typed-client.ts', ...folders].sort());
});

function exampleOf(test: string): string {
  return test.replace(/^test\/package\/example-(.*)\.full\.test\.ts$/, 'examples/$1');
}

it('the example of a typed client shows the agents of a mock', async () => {
  const mock = await createMock();
  const names = await agentNames(mock.url, mock.keys[0] ?? '');
  await mock.close();
  expect(names).toContain('Support Triage');
});

it('the example seed and profile start a mock', async () => {
  const mock = await createMock({
    seed: join(root, 'examples/seed.yaml'),
    profile: join(root, 'examples/profile.yaml'),
  });
  const response = await fetch(`${mock.url}/drives`, { headers: { 'x-api-key': 'workshop-key' } });
  const { data } = await response.json();
  await mock.close();
  expect(data).toMatchObject([{ id: 'workshop-drive', createdAt: '2026-02-04T10:00:00Z' }]);
});

it('the licence is MIT in the file, the package and the contract', () => {
  expect(read('LICENSE')).toMatch(/^MIT License/);
  expect(manifest.license).toBe('MIT');
  expect(profileDocument(defaultProfile(loadOpenPoints())).info.license?.name).toBe('MIT');
});
