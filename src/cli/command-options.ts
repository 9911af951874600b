/*
 * Options of `mock` and `proxy` that no function of the library has. Those that it has: `src/workbench/options.ts`;
 * where their text has to be parsed, `toMockOptions` in `mock.ts` and `toProxyOptions` in `proxy.ts`.
 */
import { defineOptions, inGroup, type Option } from '../../openapi/contract/options.ts';
import { liveMcpOptions, proxyOptions } from '../node/options.ts';
import { varyOptions } from '../vary/vary-options.ts';
import { mockOptions } from '../workbench/options.ts';
import { colorOption, logOptions, reportOptions } from './shared-options.ts';

// The parser, the help, the documents and the typed values derive from these tables.

/** The port of a command: hosts and tools set PORT. */
function withPort<Port extends Option>(port: Port) {
  return { ...port, usualVariable: 'PORT' };
}

/** The options of `agent-platform-contract mock`. */
export const mockFlags = defineOptions({
  ...mockOptions,
  port: withPort(mockOptions.port),
  ...inGroup('Data', {
    watch: {
      kind: 'switch',
      contradicts: ['state'],
      isCommon: true,
      help: 'Reload the --seed and --profile files when they change. The log says what was kept',
    },
  }),
  ...inGroup('Real MCP servers', {
    liveMcp: {
      kind: 'switch',
      help: 'Fetch tools from real MCP servers. This sets the open point toolsOfNewServer to live. By default the mock makes no outbound connections',
    },
    liveMcpAllow: liveMcpOptions.allow,
    liveMcpOrigins: liveMcpOptions.origins,
    liveMcpTimeout: liveMcpOptions.timeoutMs,
    liveMcpCache: liveMcpOptions.cacheMs,
  }),
  ...logOptions,
});

/** The options of `agent-platform-contract contract`. */
export const contractFlags = defineOptions({
  ...inGroup('Document', {
    profile: mockOptions.profile,
    set: mockOptions.set,
    stated: {
      kind: 'switch',
      contradicts: ['profile', 'set'],
      isCommon: true,
      help: 'Write only what the specification states. Open points stay open',
    },
  }),
  ...inGroup('Output', {
    format: { kind: 'text', values: ['yaml', 'json'], default: 'yaml', isCommon: true, help: 'Format of the document' },
    output: {
      short: 'o',
      kind: 'text',
      placeholder: '<file>',
      defaultText: 'standard output',
      isCommon: true,
      help: 'File to write',
    },
  }),
});

/** The options of `agent-platform-contract proxy`. */
export const proxyFlags = defineOptions({
  ...proxyOptions,
  port: withPort(proxyOptions.port),
  ...inGroup('Checks', {
    observe: {
      kind: 'text',
      placeholder: '<file>',
      isCommon: true,
      help: 'When the proxy stops, write the choices of the server at open points to this file. The file is a profile for agent-platform-contract mock --profile',
    },
  }),
  ...logOptions,
  ...inGroup('Log', colorOption),
});

/** The options of `agent-platform-contract vary`. */
export const varyFlags = defineOptions({
  ...varyOptions,
  ...inGroup('Report', {
    strict: {
      kind: 'switch',
      help: 'Also exit with 1 if the tests are flaky or the search did not finish',
    },
    ...reportOptions('junit, json', 'vary-report'),
    ...colorOption,
  }),
});
