/**
 * Writes the pages, tables and schemas that derive from the code. Part of `npm run generate`; a test fails when
 * one is stale. A table within a page follows a comment such as `<!-- generated operations -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadDocument, loadOpenPoints } from '../openapi/contract/load.ts';
import { describeChoices, type OpenPoint } from '../openapi/contract/open-points.ts';
import { operationsOf } from '../openapi/contract/operations.ts';
import type { Options } from '../openapi/contract/options.ts';
import { tableOf } from '../reporting/markdown.ts';
import { mockFlags } from '../src/cli/command-options.ts';
import { type Command, commands, environmentNote, groupsOf, type OptionRow, usageOf } from '../src/cli/commands.ts';
import { conformanceFlags } from '../src/cli/conformance-options.ts';
import { seedSchema } from '../src/domain/record-schemas.ts';
import { liveMcpOptions, proxyOptions } from '../src/node/options.ts';
import { groupsOf, sectionsOf } from '../src/ui/points/choices.ts';
import { mockOptions } from '../src/workbench/options.ts';
import { adminApiPage } from './admin-api-page.ts';
import { coveragePage } from './coverage-page.ts';
import { developerPage } from './developer-page.ts';
import { pageOf, textOf } from './markdown.ts';

const root = new URL('../', import.meta.url);
const guides = ['first-steps', 'in-your-tests', 'proxy', 'judge-reference'].map((name) => `docs/${name}.md`);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** As much of a JSON Schema as is read here. */
interface Fields {
  description?: string;
  properties: Record<string, Fields>;
}

const configSchema: Fields & { $defs: { fixtures: Fields } } = JSON.parse(read('conformance/config.schema.json'));

/** Each generated file with the text that it must hold. */
export async function generated(): Promise<Array<{ file: URL; text: string }>> {
  const pages = {
    'options.md': optionsPage(),
    'admin-api.md': adminApiPage(),
    'open-points.md': openPointsPage(read('docs/open-points.md')),
  };
  const whole = Object.entries(pages).map(([name, text]) => ({ file: new URL(`docs/${name}`, root), text }));
  const parts = ['README.md', ...guides].map((path) => ({ file: new URL(path, root), text: withTables(read(path)) }));
  const page = { file: new URL('src/ui/page.gen.html', root), text: await developerPage() };
  const coverage = { file: new URL('openapi/COVERAGE.md', root), text: coveragePage() };
  const schema = {
    file: new URL('src/domain/seed.schema.json', root),
    text: `${JSON.stringify(seedSchema(), null, 2)}\n`,
  };
  return [
    ...whole,
    ...parts,
    page,
    coverage,
    schema,
    { file: new URL(reportSchema, root), text: withOperations(read(reportSchema)) },
  ];
}

const reportSchema = 'conformance/report.schema.json';

/** The schema of reports with the operations of the contract. */
function withOperations(schema: string): string {
  const ids = operationsOf(loadDocument()).map(({ operationId }) => `        "${operationId}"`);
  return schema.replace(/("operation": \{\n {6}"enum": \[\n)[^\]]*/, (_, head) => `${head}${ids.join(',\n')}\n      `);
}

/** A page with each of its generated tables as the code gives it now. */
function withTables(page: string): string {
  return page.replaceAll(/(<!-- generated (\S+) -->\n\n)(?:.+\n)*/g, (_, head: string, name: string) => {
    const make = tables[name];
    if (make === undefined) throw new Error(`There is no generated table "${name}".`);
    return `${head}${make()}\n`;
  });
}

const tables: Readonly<Record<string, () => string>> = {
  operations: () =>
    tableOf(
      ['request', 'operation', 'what it does'],
      operationsOf(loadDocument()).map(({ operationId, method, path, definition }) => [
        `\`${method} ${path}\``,
        `\`${operationId}\``,
        textOf(definition.summary ?? ''),
      ]),
    ),
  'mock-options': () => libraryTable({ ...mockOptions, ...prefixed('liveMcp', liveMcpOptions) }, ['port']),
  'proxy-options': () => libraryTable(proxyOptions, ['port']),
  power: () => read('conformance/POWER.md').split('\n\n')[2] ?? '',
};

/** The options of a library function. `free` names those whose default differs from that of the command. */
function libraryTable(options: Options, free: readonly string[]): string {
  const rows = Object.entries(options).map(([key, { kind, sets, help, default: usual, defaultText }]) => [
    `\`${key}${kind === 'switch' ? `: ${sets ?? true}` : ''}\``,
    textOf(help),
    free.includes(key) ? 'any free one' : textOf(String(defaultText ?? usual ?? '')),
  ]);
  return tableOf(['option', 'what it does', 'default'], rows);
}

function prefixed(prefix: string, options: Options): Options {
  return Object.fromEntries(Object.entries(options).map(([key, option]) => [`${prefix}.${key}`, option]));
}

function optionsPage(): string {
  return pageOf([
    '# All options',
    'Generated by `npm run generate` from the command line’s own tables. Do not edit.',
    `${environmentNote({ ...mockFlags, ...conformanceFlags })} Only \`conformance\` has a config file (\`--config\`).`,
    ...commands.flatMap(commandSection),
    '## Config keys without a flag',
    'The config file of `conformance` also takes these. Its schema is [conformance/config.schema.json](../conformance/config.schema.json).',
    tableOf(['key', 'what it is'], keysWithoutFlag()),
  ]);
}

function commandSection(command: Command): string[] {
  const { name, summary, options, exitCodes } = command;
  return [
    `## ${name}`,
    `${textOf(summary)}.`,
    `\`\`\`text\n${usageOf(command)}\n\`\`\``,
    ...groupsOf(options).flatMap(({ group, rows }) => [
      `**${group}**`,
      groupTable(rows, name.startsWith('conformance')),
    ]),
    `Exit codes:\n\n${exitCodes.map((line) => `- ${textOf(line)}`).join('\n')}`,
  ];
}

function groupTable(rows: readonly OptionRow[], hasConfig: boolean): string {
  const isKey = (key: string) => Object.hasOwn(configSchema.properties, key);
  const cells = rows.map(({ key, flag, help }) => [
    `\`${flag}\``,
    ...(hasConfig ? [isKey(key) ? `\`${key}\`` : ''] : []),
    textOf(help),
  ]);
  return tableOf(['option', ...(hasConfig ? ['config key'] : []), 'what it does'], cells);
}

function keysWithoutFlag(): string[][] {
  const { properties, $defs } = configSchema;
  const groups = { fixtures: $defs.fixtures, openPoints: properties.openPoints };
  return Object.entries(groups).flatMap(([group, fields]) =>
    Object.entries(fields?.properties ?? {}).map(([key, { description = '' }]) => [
      `\`${group}.${key}\``,
      textOf(description),
    ]),
  );
}

/** The guide to open points, with the list of them below its last heading. */
function openPointsPage(page: string): string {
  const points = loadOpenPoints();
  const hidden = points.filter(({ impact }) => impact === 'hidden').length;
  const [guide = ''] = page.split(listMark);
  return pageOf([
    `${guide}${listMark}`,
    `${points.length} open points: ${points.length - hidden} visible ones and ${hidden} hidden ones. From [openapi/open-points.yaml](../openapi/open-points.yaml).`,
    ...groupsOf(points, operationsOf(loadDocument())).flatMap((group) => [
      `### ${group.name}`,
      ...group.points.flatMap(pointSection),
    ]),
  ]);
}

const listMark = '<!-- generated from here to the end -->';

function pointSection(point: OpenPoint): string[] {
  const { id, open, choices, range, default: applied, question, cost, impact, operations } = point;
  const listed = choices.map(
    ({ value, means, warned }) =>
      `  - \`${value}\`${value === applied ? ' (default)' : ''}: ${textOf(means)}${warned === undefined ? '' : `. The suite warns: \`${warned}\``}`,
  );
  const others = operationsOf(loadDocument()).filter(({ operationId }) => !operations.includes(operationId));
  const concerned =
    others.length < operations.length
      ? ['all operations', namesOf(others.map(({ operationId }) => operationId))].filter(Boolean).join(' but ')
      : namesOf(operations);
  return [
    // The contract links to the id as it is written; the anchor of the heading itself is in lower case.
    `#### <a id="${id}"></a>${id}`,
    textOf(open),
    [
      `- Question: ${textOf(question)}`,
      `- Wrong guess: ${textOf(cost)}`,
      `- Impact: ${impact} · ${sectionsOf(point).join(', ')} · ${concerned}`,
      '- Choices:',
      ...listed,
      ...(range === undefined ? [] : [`  - ${textOf(describeChoices({ choices: [], range }))}`]),
    ].join('\n'),
  ];
}

const namesOf = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ');

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await generated()) writeFileSync(file, text);
}
