/*
 * Options of `mock` and `proxy` that no function of the library has. Those that it has: `src/workbench/options.ts`;
 * where their text has to be parsed, `toMockOptions` in `mock.ts` and `toProxyOptions` in `proxy.ts`.
 */
import { defineOptions, type Option } from '../../openapi/contract/options.ts';
import { liveMcpOptions, proxyOptions } from '../node/options.ts';
import { varyOptions } from '../vary/vary-options.ts';
import { mockOptions } from '../workbench/options.ts';
import { colorOption, logOptions, reportOptions } from './shared-options.ts';

// Parser, help, documents and typed values derive from these tables.

/** The port of a command: hosts and tools say by PORT where to listen. */
function withPort<Port extends Option>(port: Port) {
  return { ...port, usualVariable: 'PORT', help: `${port.help}. Without AGENT_PLATFORM_PORT, PORT is read` };
}

/** The options of `agent-platform-contract mock`. */
export const mockFlags = defineOptions({
  ...mockOptions,
  port: withPort(mockOptions.port),
  watch: {
    kind: 'switch',
    contradicts: ['state'],
    help: 'Reload the files of --seed and --profile when they change. The log says what was kept',
  },
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
  liveMcpOrigins: liveMcpOptions.origins,
  liveMcpTimeout: liveMcpOptions.timeoutMs,
  liveMcpCache: liveMcpOptions.cacheMs,
  ...logOptions,
});

/** The options of `agent-platform-contract contract`. */
export const contractFlags = defineOptions({
  profile: mockOptions.profile,
  set: mockOptions.set,
  stated: {
    kind: 'switch',
    contradicts: ['profile', 'set'],
    help: 'Write what the specification states, and no more. Open points stay open',
  },
  format: { kind: 'text', values: ['yaml', 'json'], default: 'yaml', help: 'How the document is written' },
  output: {
    short: 'o',
    kind: 'text',
    placeholder: '<file>',
    defaultText: 'standard output',
    help: 'Where the document goes',
  },
});

/** The options of `agent-platform-contract proxy`. */
export const proxyFlags = defineOptions({
  ...proxyOptions,
  port: withPort(proxyOptions.port),
  observe: {
    kind: 'text',
    placeholder: '<file>',
    help: 'At the end, write what the server chose at open points: a profile for agent-platform-contract mock --profile',
  },
  ...logOptions,
  ...colorOption,
});

/** The options of `agent-platform-contract vary`. */
export const varyFlags = defineOptions({
  ...varyOptions,
  strict: { kind: 'switch', help: 'Also exit with 1 when the tests are flaky or the search did not finish' },
  ...reportOptions('junit, json', 'vary-report'),
  ...colorOption,
});
