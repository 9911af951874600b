import { proxyDefaults } from '../http/proxy/defaults.ts';
import { mockOptions } from './mock-options.ts';
import type { Option } from './options.ts';

/** The port of the proxy; the mock is on the one before. */
export const defaultProxyPort = 4011;

/** The options of `agent-platform proxy`. Parser, help and README derive from this table. */
export const proxyOptions: readonly Option[] = [
  {
    name: 'upstream',
    short: 'u',
    kind: 'text',
    placeholder: '<url>',
    help: 'The base URL of the server behind the proxy, with its version segment; a path in it is kept',
  },
  { ...ofMock('port'), default: String(defaultProxyPort) },
  ofMock('host'),
  {
    name: 'errors',
    kind: 'switch',
    default: 'false',
    help: 'Refuse what breaks the contract: a request is not sent on, an answer not handed on',
  },
  {
    name: 'judge-limit',
    kind: 'integer',
    placeholder: '<bytes>',
    maximum: 268_435_456,
    default: String(proxyDefaults.judgeLimitBytes),
    help: 'Bodies above this are passed on as they come, unjudged',
  },
  {
    name: 'timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: 2_147_483_647,
    default: String(proxyDefaults.timeoutMs),
    help: 'How long the server may keep silent, in milliseconds',
  },
  {
    ...ofMock('profile'),
    help: 'Judge by what this profile plays: a YAML or JSON file; without it what is open is not judged',
  },
  ofMock('set'),
  {
    name: 'observe',
    kind: 'text',
    placeholder: '<file>',
    help: 'Write at the end what the server was seen to do where the specification is silent, as a profile for agent-platform mock --profile',
  },
  {
    name: 'journal-limit',
    kind: 'integer',
    placeholder: '<number>',
    maximum: 1_000_000,
    default: String(proxyDefaults.journalLimit),
    help: 'How many exchanges the journal keeps, the newest',
  },
  ofMock('log-format'),
  ofMock('log-level'),
  {
    name: 'no-color',
    kind: 'switch',
    default: 'false',
    help: 'No colours; NO_COLOR in the environment does the same',
  },
];

function ofMock(name: string): Option {
  const option = mockOptions.find((candidate) => candidate.name === name);
  if (option === undefined) throw new Error(`the mock has no option ${name}`);
  return option;
}
