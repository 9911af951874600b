import type { Option } from './options.ts';

const worlds: readonly Option[] = [
  {
    name: 'profile',
    kind: 'text',
    placeholder: '<file>',
    help: 'The base, in which the tests are green: a YAML or JSON file of open points and choices; all of them are varied',
  },
  {
    name: 'set',
    kind: 'text',
    placeholder: '<open point>=<choice>',
    isRepeatable: true,
    help: 'A choice that is settled: it holds in every world and is never varied; may stand several times (in the environment: separated by commas)',
  },
  {
    name: 'seed',
    kind: 'text',
    placeholder: '<file>',
    default: 'demo',
    help: 'The starting state of every mock: a YAML or JSON file, or the built-in demo; the tests get its first key',
  },
  {
    name: 'clock',
    kind: 'text',
    placeholder: '<ISO time>',
    help: 'A time at which the clock of every mock stands still, such as 2026-03-02T08:15:00Z',
  },
  {
    name: 'open-keys',
    kind: 'switch',
    default: 'false',
    help: 'Let any unknown key open a world of its own in every mock, for tests that make up their keys',
  },
  {
    name: 'loudness',
    kind: 'text',
    values: ['quiet', 'loud'],
    default: 'loud',
    help: 'What varies: only what a correct client never notices, or every open point',
  },
  {
    name: 'runs',
    kind: 'integer',
    placeholder: '<number>',
    maximum: 10_000,
    default: '20',
    help: 'How many worlds are drawn',
  },
  {
    name: 'random-seed',
    kind: 'integer',
    placeholder: '<number>',
    default: '1',
    help: 'What the worlds are drawn from; the same number, the same worlds',
  },
  {
    name: 'learned',
    kind: 'text',
    placeholder: '<file>',
    isRepeatable: true,
    help: 'A profile learned from a real server (conformance --observe), tried before the drawn worlds; may stand several times (in the environment: separated by commas)',
  },
  {
    name: 'only',
    kind: 'text',
    placeholder: '<open point>=<choice>',
    isRepeatable: true,
    help: 'Try one world alone, the base with this choice; may stand several times (in the environment: separated by commas)',
  },
];

const effort: readonly Option[] = [
  {
    name: 'parallel',
    kind: 'integer',
    placeholder: '<number>',
    minimum: 1,
    maximum: 64,
    default: '1',
    help: 'How many runs of the tests there are at once; only for tests that can run beside themselves',
  },
  {
    name: 'max-runs',
    kind: 'integer',
    placeholder: '<number>',
    minimum: 1,
    default: '400',
    help: 'How often the tests run at most, all in all',
  },
  {
    name: 'repeat',
    kind: 'integer',
    placeholder: '<number>',
    minimum: 1,
    maximum: 100,
    default: 'about 10, by what was seen so far; in the base 3',
    help: 'How many runs in a row have to be red before that is believed; more when the tests prove to be flaky',
  },
  {
    name: 'timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: 86_400_000,
    default: '600000',
    help: 'How long one run of the tests may take, in milliseconds; then it is ended, and red',
  },
];

const output: readonly Option[] = [
  {
    name: 'strict',
    kind: 'switch',
    default: 'false',
    help: 'Exit with 1 when the tests are flaky or the search was not finished, too',
  },
  { name: 'json', kind: 'text', placeholder: '<file>', help: 'Write the whole report as JSON' },
  {
    name: 'report',
    kind: 'text',
    placeholder: '<list>',
    isRepeatable: true,
    help: 'Write reports in these forms, separated by commas: junit, json',
  },
  {
    name: 'report-dir',
    kind: 'text',
    placeholder: '<dir>',
    default: 'vary-report',
    help: 'The folder for --report; it is made when it is not there',
  },
  {
    name: 'no-color',
    kind: 'switch',
    default: 'false',
    help: 'No colours; NO_COLOR in the environment does the same',
  },
];

/** The options of `agent-platform vary`. Parser, help and README derive from this table. */
export const varyOptions: readonly Option[] = [...worlds, ...effort, ...output];
