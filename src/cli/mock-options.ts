import { defaultJournalLimit, defaultMaxWorlds, defaultRandomSeed } from '../http/create-mock.ts';
import { defaultCacheMs, defaultTimeoutMs } from '../http/live-tools/options.ts';
import type { Option } from './options.ts';

/** The levels of the log, from the most talkative. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The options of `agent-platform mock`. Parser, help and README derive from this table. */
export const mockOptions: readonly Option[] = [
  {
    name: 'port',
    short: 'p',
    kind: 'integer',
    placeholder: '<number>',
    maximum: 65_535,
    default: '4010',
    help: 'Where to listen; 0 takes a free port and prints it',
  },
  { name: 'host', kind: 'text', placeholder: '<address>', default: '127.0.0.1', help: 'The address to listen on' },
  {
    name: 'seed',
    kind: 'text',
    placeholder: '<file>',
    default: 'demo',
    help: 'The starting state: a YAML or JSON file, or the built-in demo',
  },
  {
    name: 'profile',
    kind: 'text',
    placeholder: '<file>',
    help: 'What to play where the specification is silent: a YAML or JSON file of open points and choices',
  },
  {
    name: 'set',
    kind: 'text',
    placeholder: '<open point>=<choice>',
    isRepeatable: true,
    help: 'One choice over those of the profile; may stand several times (in the environment: separated by commas)',
  },
  {
    name: 'clock',
    kind: 'text',
    placeholder: '<ISO time>',
    help: 'A time at which the clock stands still, such as 2026-03-02T08:15:00Z',
  },
  {
    name: 'random-seed',
    kind: 'integer',
    placeholder: '<number>',
    default: `${defaultRandomSeed}; under --vary a drawn one, which is printed`,
    help: 'What the made-up ids, and under --vary the choices, depend on; with --clock two runs are the same to the byte',
  },
  {
    name: 'vary',
    kind: 'text',
    values: ['quiet', 'loud'],
    bare: 'loud',
    help: 'Play a legal world drawn from the random seed: quiet varies what a correct client never notices, loud (what --vary alone means) every open point; what --profile and --set name stays',
  },
  {
    name: 'body-limit',
    kind: 'integer',
    placeholder: '<bytes>',
    minimum: 4096,
    maximum: 1_073_741_824,
    default: '1048576',
    help: 'How large a request body may be (the open point bodySizeLimit)',
  },
  {
    name: 'open-keys',
    kind: 'switch',
    default: 'false',
    help: 'Let any unknown key open a world of its own, a fresh copy of the first organization of the seed',
  },
  {
    name: 'max-worlds',
    kind: 'integer',
    placeholder: '<number>',
    minimum: 1,
    maximum: 1_000_000,
    default: String(defaultMaxWorlds),
    help: 'How many worlds there may be; one more retires the one that was idle for the longest time',
  },
  {
    name: 'admin-token',
    kind: 'text',
    placeholder: '<token>',
    secret: '<token>',
    help: 'Demanded by the control plane as a bearer token; without it, it is there on loopback addresses only',
  },
  { name: 'no-admin', kind: 'switch', default: 'false', help: 'No control plane' },
  {
    name: 'journal-limit',
    kind: 'integer',
    placeholder: '<number>',
    maximum: 100_000,
    default: String(defaultJournalLimit),
    help: 'How many exchanges the journal keeps; 0 keeps none',
  },
  { name: 'no-cors', kind: 'switch', default: 'false', help: 'Keep pages of other origins out' },
  {
    name: 'no-open-points-header',
    kind: 'switch',
    default: 'false',
    help: 'Leave out X-Open-Points, in which each answer names the open points that shaped it',
  },
  {
    name: 'live-mcp',
    kind: 'switch',
    default: 'false',
    help: 'Really ask MCP servers for their tools (toolsOfNewServer becomes live); without it nothing is ever contacted',
  },
  {
    name: 'live-mcp-allow',
    kind: 'text',
    placeholder: '<host>[:port]',
    isRepeatable: true,
    help: 'A host that may be asked beside this machine, or * for every public one; may stand several times (in the environment: separated by commas)',
  },
  {
    name: 'live-mcp-timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: 600_000,
    default: String(defaultTimeoutMs),
    help: 'How long an MCP server may take, in milliseconds',
  },
  {
    name: 'live-mcp-cache',
    kind: 'integer',
    placeholder: '<ms>',
    maximum: 86_400_000,
    default: String(defaultCacheMs),
    help: 'How long its answer is taken for its tools, in milliseconds; with 0 each listing asks',
  },
  {
    name: 'log-format',
    kind: 'text',
    values: ['pretty', 'json'],
    default: 'pretty on a terminal, else json',
    help: 'Lines for people, or one JSON object per line',
  },
  { name: 'log-level', kind: 'text', values: logLevels, default: 'info', help: 'Requests are logged at info' },
];
