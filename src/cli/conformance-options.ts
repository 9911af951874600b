import type { Option } from './options.ts';

const target: readonly Option[] = [
  {
    name: 'base-url',
    short: 'u',
    kind: 'text',
    placeholder: '<url>',
    help: 'The base URL of the target, with its version segment; a path in it is kept',
  },
  {
    name: 'api-key',
    kind: 'text',
    placeholder: '<key>',
    secret: '<API_KEY>',
    help: 'The API key; better in the environment, where no list of processes shows it',
  },
  {
    name: 'other-api-key',
    kind: 'text',
    placeholder: '<key>',
    secret: '<OTHER_API_KEY>',
    help: 'The API key of a second organization, which must see nothing of the first',
  },
  {
    name: 'header',
    kind: 'text',
    placeholder: "'<Name>: <value>'",
    isRepeatable: true,
    separator: '\n',
    secret: '<header>',
    help: 'A header that every request carries, for a gateway; may stand several times (in the environment: one per line)',
  },
  {
    name: 'config',
    kind: 'text',
    placeholder: '<file>',
    help: 'A YAML or JSON file with all of this and the fixtures; its schema is conformance/config.schema.json',
  },
];

const permissions: readonly Option[] = [
  {
    name: 'allow-writes',
    kind: 'switch',
    default: 'false',
    help: 'Let it create, publish and move; what is created and published stays',
  },
  {
    name: 'allow-destructive',
    kind: 'switch',
    default: 'false',
    help: 'Let it delete the disposable files of the config as well',
  },
];

const selection: readonly Option[] = [
  {
    name: 'only',
    kind: 'text',
    placeholder: '<check>',
    isRepeatable: true,
    help: 'Run this check only; * stands for any characters; may stand several times (in the environment: separated by commas)',
  },
  {
    name: 'skip',
    kind: 'text',
    placeholder: '<check>',
    isRepeatable: true,
    help: 'Leave this check out; * stands for any characters; may stand several times (in the environment: separated by commas)',
  },
  { name: 'list', kind: 'switch', default: 'false', help: 'List the checks: id, level, what it needs, what it does' },
  {
    name: 'explain',
    kind: 'text',
    placeholder: '<check>',
    help: 'Say all of one check: what it judges, needs and changes',
  },
  {
    name: 'dry-run',
    kind: 'switch',
    default: 'false',
    help: 'Say which checks would run and what they would change; no request is sent',
  },
];

const judgement: readonly Option[] = [
  {
    name: 'strict',
    kind: 'switch',
    default: 'false',
    help: 'Exit with 1 when something warned or is unverified, too; the verdict stays',
  },
  {
    name: 'expected-failures',
    kind: 'text',
    placeholder: '<file>',
    help: 'A YAML or JSON list of known failures: check, reason and, if it is to end, until',
  },
  {
    name: 'timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: 3_600_000,
    default: '10000',
    help: 'How long one request may take, in milliseconds',
  },
  {
    name: 'settle',
    kind: 'integer',
    placeholder: '<ms>',
    maximum: 3_600_000,
    default: '5000',
    help: 'Within this time, in milliseconds, everything settles, by your word; it is polled, never slept through',
  },
  {
    name: 'max-requests',
    kind: 'integer',
    placeholder: '<number>',
    minimum: 1,
    default: '10000',
    help: 'How many requests it may send; moving files back is never cut short',
  },
  {
    name: 'random-seed',
    kind: 'integer',
    placeholder: '<number>',
    default: '1',
    help: 'What the generated paths depend on',
  },
  {
    name: 'host-mcp-server',
    kind: 'switch',
    default: 'false',
    help: 'Start a real MCP server, register it, and compare the tools that the target lists',
  },
  {
    name: 'host-mcp-url',
    kind: 'text',
    placeholder: '<url>',
    help: 'The same, under the URL by which a target on another machine reaches it',
  },
];

const output: readonly Option[] = [
  { name: 'json', kind: 'text', placeholder: '<file>', help: 'Write the whole report as JSON' },
  {
    name: 'report',
    kind: 'text',
    placeholder: '<list>',
    isRepeatable: true,
    help: 'Write reports in these forms, separated by commas: junit, html, markdown, json',
  },
  {
    name: 'report-dir',
    kind: 'text',
    placeholder: '<dir>',
    default: 'conformance-report',
    help: 'The folder for --report; it is made when it is not there',
  },
  {
    name: 'observe',
    kind: 'text',
    placeholder: '<file>',
    help: 'Write what the target does where the specification is silent, as a profile for agent-platform mock --profile',
  },
  {
    name: 'no-observe',
    kind: 'switch',
    default: 'false',
    help: 'Do not look at what the specification leaves open: less is left behind. A selection of checks never does, unless --observe asks for it',
  },
];

const colour: Option = {
  name: 'no-color',
  kind: 'switch',
  default: 'false',
  help: 'No colours; NO_COLOR in the environment does the same',
};

/** The options of `agent-platform conformance`. Parser, help and README derive from this table. */
export const conformanceOptions: readonly Option[] = [
  ...target,
  ...permissions,
  ...selection,
  ...judgement,
  ...output,
  colour,
];

/** The options of `agent-platform conformance doctor`. */
export const doctorOptions: readonly Option[] = [
  ...target,
  ...permissions,
  ...judgement.filter(({ name }) => !['strict', 'expected-failures', 'random-seed'].includes(name)),
  colour,
];

/** The options of `agent-platform conformance compare`. */
export const compareOptions: readonly Option[] = [colour];
