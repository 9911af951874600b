import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.ts';
import { loadConfig } from '../conformance/config/config.ts';
import { loadExpectedFailures } from '../conformance/expected-failures.ts';
import { loadDocument, loadOpenPoints } from '../openapi/contract/load.ts';
import { operationsOf } from '../openapi/contract/operations.ts';
import { conformanceOptions } from '../src/cli/conformance-options.ts';
import { optionRows } from '../src/cli/help.ts';
import { mockOptions } from '../src/cli/mock-options.ts';
import { proxyOptions } from '../src/cli/proxy-options.ts';
import { varyOptions } from '../src/cli/vary-options.ts';
import { createMock } from '../src/index.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md'];
const readme = read('README.md');

const cell = (text: string) => text.replaceAll('|', '\\|');
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;

function table(head: string[], rows: string[][]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
}

/** What stands in the README below a marker comment, up to the next blank line. */
function below(marker: string): string {
  return readme.split(`<!-- ${marker} -->\n\n`)[1]?.split('\n\n')[0] ?? '';
}

describe('the README', () => {
  it('lists the options of the mock as the command line knows them', () => {
    const rows = optionRows(mockOptions).map(({ flag, environment, help }) => [
      `\`${cell(flag)}\``,
      `\`${environment}\``,
      cell(help),
    ]);
    expect(below('options')).toBe(table(['option', 'in the environment', 'what it does'], rows));
  });

  it('lists the options of the proxy as the command line knows them', () => {
    const rows = optionRows(proxyOptions).map(({ flag, environment, help }) => [
      `\`${cell(flag)}\``,
      `\`${environment}\``,
      cell(help),
    ]);
    expect(below('proxy-options')).toBe(table(['option', 'in the environment', 'what it does'], rows));
  });

  it('lists the options of the conformance suite as the command line knows them', () => {
    const rows = optionRows(conformanceOptions).map(({ flag, environment, help }) => [
      `\`${cell(flag)}\``,
      `\`${environment}\``,
      cell(help),
    ]);
    expect(below('conformance-options')).toBe(table(['option', 'in the environment', 'what it does'], rows));
  });

  it('lists the options of the variation as the command line knows them', () => {
    const rows = optionRows(varyOptions).map(({ flag, environment, help }) => [
      `\`${cell(flag)}\``,
      `\`${environment}\``,
      cell(help),
    ]);
    expect(below('vary-options')).toBe(table(['option', 'in the environment', 'what it does'], rows));
  });

  it('quotes the figures of the proof', () => {
    expect(below('power')).toBe(read('conformance/POWER.md').split('\n\n')[2]);
  });

  it('shows a config and expected failures that are right', () => {
    const folder = mkdtempSync(join(tmpdir(), 'documents-'));
    const shown = (marker: string) => {
      const file = join(folder, `${marker}.yaml`);
      writeFileSync(file, below(marker).replaceAll(/^```.*$/gm, ''));
      return file;
    };
    const config = loadConfig(shown('conformance-config'));
    const expected = loadExpectedFailures(
      shown('expected-failures'),
      allChecks().map(({ id }) => id),
    );
    rmSync(folder, { recursive: true });
    expect(Object.keys(config.fixtures ?? {})).toEqual(['agent', 'files', 'disposableFiles', 'mcpServer']);
    expect(expected).toHaveLength(1);
  });

  it('lists the operations of the contract', () => {
    const rows = operationsOf(loadDocument()).map(({ operationId, method, path, definition }) => [
      `\`${method} ${path}\``,
      `\`${operationId}\``,
      definition.summary ?? '',
    ]);
    expect(below('operations')).toBe(table(['request', 'operation', 'what it does'], rows));
  });

  it('says how many gaps there are, and names some', () => {
    const openPoints = loadOpenPoints();
    const quiet = openPoints.filter((point) => point.loudness === 'quiet').length;
    const shown = ['createStatus', 'errorBody', 'defaultLimit', 'treePathParameter', 'treeDeletion', 'listOrder'];
    const rows = openPoints
      .filter(({ id }) => shown.includes(id))
      .map(({ id, open, choices, default: played }) => [
        `\`${id}\``,
        open.trim().replaceAll('\n', ' '),
        choices.map(({ value }) => (value === played ? `**${value}**` : value)).join(', '),
      ]);
    const text = `There are ${openPoints.length} open points; ${quiet} of them are quiet: a correct client never notices. Some of the others, with the default in bold:`;
    expect(below('open-points').replaceAll('\n', ' ')).toBe(text);
    expect(readme).toContain(table(['open point', 'what is open', 'choices'], rows));
  });

  it.each([
    ['session', {}],
    ['workbench', { openKeys: true }],
  ])('shows a %s that goes exactly as it shows it', async (marker, options) => {
    const blocks = [
      ...(readme.split(`<!-- ${marker} -->`)[1]?.split('\n## ')[0] ?? '').matchAll(/```console\n([\s\S]*?)```/g),
    ];
    expect(blocks.length).toBeGreaterThan(5);
    const mock = await createMock({ clock: '2026-10-01T09:00:00Z', ...options });
    for (const [, block = ''] of blocks) {
      const [command = '', ...output] = block.trim().replaceAll('\\\n', '').split('\n');
      expect(await curl(command, mock.url), command).toBe(output.join('\n'));
    }
    await mock.close();
  });
});

/** What a curl line of the README prints, sent to another mock. */
async function curl(command: string, baseUrl: string): Promise<string> {
  const [line = '', otherwise] = command.split(' || echo ');
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const valuesOf = (flag: string) => words.filter((_, index) => words[index - 1] === flag);
  const url = words.at(-1)?.replace('http://127.0.0.1:4010', new URL(baseUrl).origin) ?? '';
  const data = valuesOf('-d')[0];
  const response = await fetch(url, {
    method: valuesOf('-X')[0] ?? (data === undefined ? 'GET' : 'POST'),
    headers: Object.fromEntries(valuesOf('-H').map((header) => header.split(': ') as [string, string])),
    ...(data === undefined ? {} : { body: data }),
  }).catch(() => undefined);
  if (response === undefined) return (otherwise ?? '').replaceAll('"', '');
  const body = valuesOf('-o')[0] === '/dev/null' ? '' : await response.text();
  return (body + written(valuesOf('-w')[0] ?? '', response)).trim();
}

/** What `-w` has curl print of a response. */
function written(format: string, { status, headers }: Response): string {
  return format
    .replaceAll('\\n', '\n')
    .replaceAll('%{http_code}', String(status))
    .replaceAll(/%header\{([\w-]+)\}/g, (_, name: string) => headers.get(name) ?? '');
}

describe.each(documents)('%s', (name) => {
  const text = read(name);

  it('names only files and folders that exist', () => {
    const links = [...text.matchAll(/\]\(([^):]+)\)/g)].map(([, target = '']) => target);
    const paths = [...text.matchAll(/`((?:openapi|src|conformance|test|bench|examples|\.ci)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(links.length + paths.length).toBeGreaterThan(4);
    expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const named = [...text.matchAll(/npm (?:run )?(start|test|check|format|generate|build|bench|[a-z]+(?= *#))/g)].map(
      ([, script = '']) => script,
    );
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((script) => script !== 'ci' && !scripts.includes(script))).toEqual([]);
  });
});

it('the examples are played as they are', async () => {
  const files = globSync('examples/*', { cwd: root });
  // The folders are run by test/package.test.ts and test/vary.test.ts.
  const folders = ['examples/frontend', 'examples/playwright-worlds', 'examples/vitest-worlds'];
  const played = ['examples/conformance-demo.json', 'examples/profile.yaml', 'examples/seed.yaml'];
  expect(files.sort()).toEqual([...played, ...folders].sort());
  const mock = await createMock({
    seed: join(root, 'examples/seed.yaml'),
    profile: join(root, 'examples/profile.yaml'),
  });
  const response = await fetch(`${mock.url}/drives`, { headers: { 'x-api-key': 'workshop-key' } });
  const { data } = await response.json();
  await mock.close();
  expect(data).toMatchObject([{ id: 'workshop-drive', createdAt: '2026-02-04T10:00:00Z' }]);
});

it('the licence is MIT, in the file, the package and the contract', () => {
  expect(read('LICENSE')).toMatch(/^MIT License/);
  expect(JSON.parse(read('package.json')).license).toBe('MIT');
  expect(loadDocument().info.license?.name).toBe('MIT');
});
