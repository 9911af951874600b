import { defineOptions } from '../../openapi/contract/options.ts';
import { liveMcpOptions, mockOptions, proxyOptions } from '../node/options.ts';
import { varyOptions } from '../vary/vary-options.ts';

// Parser, help, documents and typed values derive from these tables.

/** The levels of the log, from the most detailed. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Of commands that serve. */
export const logOptions = defineOptions({
  logFormat: {
    kind: 'text',
    values: ['pretty', 'json'],
    defaultText: 'pretty on a terminal, otherwise json',
    help: 'Log lines for people, or one JSON object per line',
  },
  logLevel: {
    kind: 'text',
    values: logLevels,
    default: 'info',
    help: 'Least severe level to log. Requests are logged at info',
  },
});

/** Of commands that print a report. */
export const colorOption = defineOptions({
  color: { kind: 'switch', sets: false, help: 'No colours. NO_COLOR in the environment does the same' },
});

/** The options that write a report to files. */
export const reportOptions = (formats: string, folder: string) =>
  defineOptions({
    json: { kind: 'text', placeholder: '<file>', help: 'Write the whole report as JSON' },
    report: {
      kind: 'text',
      placeholder: '<list>',
      isRepeatable: true,
      help: `Write reports in these formats, separated by commas: ${formats}`,
    },
    reportDir: {
      kind: 'text',
      placeholder: '<dir>',
      default: folder,
      help: 'Folder for --report. It is created if needed',
    },
  });

/** The options of `agent-platform mock`. */
export const mockFlags = defineOptions({
  ...mockOptions,
  bodyLimit: {
    kind: 'integer',
    placeholder: '<bytes>',
    minimum: 4096,
    maximum: 1_073_741_824,
    default: 1_048_576,
    help: 'Maximum size of a request body (sets the open point bodySizeLimit)',
  },
  liveMcp: {
    kind: 'switch',
    help: 'Fetch tools from real MCP servers (sets the open point toolsOfNewServer to live). Without it the mock contacts nobody',
  },
  liveMcpAllow: liveMcpOptions.allow,
  liveMcpTimeout: liveMcpOptions.timeoutMs,
  liveMcpCache: liveMcpOptions.cacheMs,
  ...logOptions,
});

/** The options of `agent-platform proxy`. */
export const proxyFlags = defineOptions({
  ...proxyOptions,
  observe: {
    kind: 'text',
    placeholder: '<file>',
    help: 'At the end, write what the server chose at open points: a profile for agent-platform mock --profile',
  },
  ...logOptions,
  ...colorOption,
});

/** The options of `agent-platform vary`. */
export const varyFlags = defineOptions({
  ...varyOptions,
  strict: { kind: 'switch', help: 'Also exit with 1 when the tests are flaky or the search did not finish' },
  ...reportOptions('junit, json', 'vary-report'),
  ...colorOption,
});
