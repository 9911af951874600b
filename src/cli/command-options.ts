/*
 * Options of `mock` and `proxy` without a counterpart in the library. The others are in `src/workbench/options.ts`;
 * those whose text must be parsed, in `toMockOptions` in `mock.ts` and `toProxyOptions` in `proxy.ts`.
 */
import { defineOptions, inGroup, type Option } from '../../lib/options.ts';
import { liveMcpOptions, proxyOptions } from '../node/options.ts';
import { varyOptions } from '../vary/vary-options.ts';
import { mockOptions } from '../workbench/options.ts';
import { colorOption, logOptions, reportOptions } from './shared-options.ts';

// Parser, help, documents and types derive from these tables.

/** The port of a command. Hosts and tools set PORT. */
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
      help: 'Reload the --seed and --profile files when they change. The log says what was reloaded and what was kept',
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
      help: 'Make no choices: write only what the specification states',
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

// How long a body may take to be checked is set in code alone.
const { judgeTimeMs: _, ...proxyInCommand } = proxyOptions;

/** The options of `agent-platform-contract proxy`. */
export const proxyFlags = defineOptions({
  ...proxyInCommand,
  port: withPort(proxyOptions.port),
  ...inGroup('Checks', {
    observe: {
      kind: 'text',
      placeholder: '<file>',
      isCommon: true,
      help: "When the proxy stops, write the server's choices for open points to this file. Use it as the --profile of the mock",
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
