/**
 * Writes the pages, tables and schemas that derive from the code. Part of `npm run generate`; a test fails when
 * one is stale. A table within a page follows a comment such as `<!-- generated operations -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { tableOf } from '../lib/markdown.ts';
import { openPointsOf } from '../openapi/contract/document.ts';
import { loadDocument } from '../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../openapi/contract/operations.ts';
import { loadUsualContract } from '../openapi/contract/usual-input.ts';
import { loadQuestions, type Question } from '../openapi/points/index.ts';
import { describeChoices, type OpenPoint } from '../openapi/points/open-point.ts';
import {
  type Command,
  commands,
  environmentNote,
  type OptionRow,
  groupsOf as optionGroupsOf,
  usageOf,
} from '../src/cli/commands.ts';
import { seedSchema } from '../src/domain/resources.ts';
import { conformanceFlags } from '../src/options/conformance-options.ts';
import { mockFlags } from '../src/options/mock-options.ts';
import { sectionsOf } from '../src/ui/points/choices.ts';
import { adminApiPage } from './admin-api-page.ts';
import { coveragePage } from './coverage-page.ts';
import { developerPage, recordFields, reportPage } from './developer-page.ts';
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
  const report = { file: new URL('conformance/report/report.gen.html', root), text: await reportPage() };
  const coverage = { file: new URL('openapi/COVERAGE.md', root), text: coveragePage() };
  const schema = {
    file: new URL('src/domain/seed.schema.json', root),
    text: `${JSON.stringify(seedSchema(), null, 2)}\n`,
  };
  const fields = { file: new URL('src/ui/state/record-fields.gen.ts', root), text: recordFields() };
  return [
    ...whole,
    ...parts,
    fields,
    page,
    report,
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
      ['request', 'operation', 'what it does', 'you send', 'it returns'],
      operationsOf(loadUsualContract()).map((operation) => [
        `\`${operation.method} ${operation.path}\``,
        `\`${operation.operationId}\``,
        textOf(operation.definition.summary ?? ''),
        sentTo(operation),
        returnedBy(operation),
      ]),
    ),
  power: () => /^\|.*(?:\n\|.*)*/m.exec(read('conformance/POWER.md'))?.[0] ?? '',
};

/** The names of the query parameters and of the fields of the body. */
function sentTo({ parameters, bodyFields }: Operation): string {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const note = query.some((each) => openPointsOf(each).includes('treePathParameter'))
    ? ' (the name is unspecified)'
    : '';
  return [
    ...(query.length === 0 ? [] : [`query: ${namesOf(query.map(({ name }) => name))}${note}`]),
    ...(bodyFields.length === 0 ? [] : [`body: ${namesOf(bodyFields)}`]),
  ].join('; ');
}

function returnedBy({ list, resource }: Operation): string {
  if (list === undefined) return resource === undefined ? 'unspecified' : `\`${resource}\``;
  return `array of \`${list.itemSchema}\`${list.property === undefined ? '' : `, in \`${list.property}\``}`;
}

function optionsPage(): string {
  return pageOf([
    '# All options',
    'Generated by `npm run generate` from the tables of the command line. Do not edit.',
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
    ...optionGroupsOf(options).flatMap(({ group, rows }) => [
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
  const groups = { fixtures: $defs.fixtures, openPoints: properties.openPoints, commands: properties.commands };
  return Object.entries(groups).flatMap(([group, fields]) =>
    Object.entries(fields?.properties ?? {}).map(([key, { description = '' }]) => [
      `\`${group}.${key}\``,
      textOf(description),
    ]),
  );
}

/** The open points by the tag of their operations, in the order of the contract. */
function groupsOf<Point extends Pick<OpenPoint, 'operations'>>(
  points: readonly Point[],
  operations: readonly Operation[],
) {
  const [everywhere, several] = ['Everywhere', 'Several kinds of resources'];
  const tags = new Map(operations.map(({ operationId, definition }) => [operationId, definition.tags?.[0] ?? several]));
  const groups = Map.groupBy(points, ({ operations: ids }) => {
    if (ids.length > tags.size / 2) return everywhere;
    const [tag = several, ...others] = new Set(ids.map((id) => tags.get(id) ?? several));
    return others.length === 0 ? tag : several;
  });
  return [...new Set([everywhere, ...tags.values(), several])].flatMap((name) => {
    const grouped = groups.get(name);
    return grouped === undefined ? [] : [{ name, points: grouped }];
  });
}

/** The guide to open points, with the list of them below its last heading. */
function openPointsPage(page: string): string {
  const questions = loadQuestions();
  const points = questions.flatMap(({ cases }) => cases);
  const hidden = points.filter(({ impact }) => impact === 'hidden').length;
  const [guide = ''] = page.split(listMark);
  const grouped = groupsOf(
    questions.map((one) => ({ ...one, operations: [...new Set(one.cases.flatMap(({ operations }) => operations))] })),
    operationsOf(loadDocument()),
  );
  return pageOf([
    `${guide}${listMark}`,
    `${questions.length} open points. Some have several cases, so there are ${points.length} choices to make: ${points.length - hidden} with visible impact, ${hidden} with hidden impact. Generated from openapi/points/.`,
    ...grouped.flatMap((group) => [`### ${group.name}`, ...group.points.flatMap(pointSection)]),
  ]);
}

const listMark = '<!-- generated from here to the end -->';

function pointSection({ id, open, question, cases }: Question): string[] {
  const [only] = cases;
  const title = `#### ${anchorOf(id)}${id}`;
  const asked = `*${textOf(question)}*`;
  if (cases.length === 1 && only?.id === id) return [title, textOf(open), asked, factsOf(only)];
  return [
    title,
    textOf(open),
    asked,
    ...cases.flatMap((one) => [`${anchorOf(one.id)}**\`${one.id}\`**: ${textOf(one.open)}`, factsOf(one)]),
  ];
}

// The contract and the messages name an id as it is written; the anchor of the heading itself is in lower case.
const anchorOf = (id: string) => `<a id="${id}"></a>`;

function factsOf({ choices, range, default: applied, cost, impact, operations, sources }: OpenPoint): string {
  const listed = choices.map(
    ({ value, means, warned }) =>
      `  - \`${value}\`${value === applied ? ' (default)' : ''}: ${textOf(means)}${warned === undefined ? '' : `. The suite warns: \`${warned}\``}`,
  );
  const others = operationsOf(loadDocument()).filter(({ operationId }) => !operations.includes(operationId));
  const concerned =
    others.length < operations.length
      ? ['all operations', namesOf(others.map(({ operationId }) => operationId))].filter(Boolean).join(' except ')
      : namesOf(operations);
  return [
    `- Wrong guess: ${textOf(cost)}`,
    `- Impact: ${impact} · ${sectionsOf({ sources }).join(', ')} · ${concerned}`,
    '- Choices:',
    ...listed,
    ...(range === undefined ? [] : [`  - ${textOf(describeChoices({ choices: [], range }))}`]),
  ].join('\n');
}

const namesOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await generated()) writeFileSync(file, text);
}
