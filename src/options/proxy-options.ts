import { defineOptions, inGroup } from '../../lib/options.ts';
import { mockOptions } from './mock-options.ts';
import { logOptions, longestMs, servingOptions, withPort } from './shared-options.ts';

/** The options of `createProxy`, by name. */
export const proxyOptions = defineOptions({
  ...inGroup('Addresses', {
    upstream: {
      short: 'u',
      kind: 'text',
      placeholder: '<url>',
      isCommon: true,
      help: 'Base URL of the server, up to and including the version segment',
    },
    port: { ...mockOptions.port, default: 4011 },
    host: servingOptions.host,
    timeoutMs: {
      name: 'timeout',
      kind: 'integer',
      placeholder: '<ms>',
      minimum: 1,
      maximum: longestMs,
      default: 30_000,
      help: 'How long the server may stay silent before the proxy gives up, in milliseconds',
    },
  }),
  ...inGroup('Checks', {
    errors: {
      kind: 'switch',
      isCommon: true,
      help: 'Block requests and responses with violations of severity Error; warnings are only reported. The proxy returns an error response instead of forwarding them',
    },
    profile: {
      ...servingOptions.profile,
      help: 'Also check the traffic against the choices for open points (unspecified behaviour) in this YAML or JSON file. By default the proxy accepts every legal choice',
    },
    set: servingOptions.set,
    allTraffic: {
      kind: 'switch',
      help: 'Declare that all requests to the server pass through this proxy. Responses that contradict earlier ones then count as errors or warnings, not as hints',
    },
    judgeLimitBytes: {
      name: 'judge-limit',
      kind: 'integer',
      placeholder: '<bytes>',
      maximum: 268_435_456,
      default: 1_048_576,
      help: 'Forward bodies of more than this many bytes without checking them',
    },
    judgeTimeMs: {
      kind: 'integer',
      minimum: 1,
      maximum: longestMs,
      default: 10_000,
      help: 'Forward, without checking them, bodies that take more than this many milliseconds to arrive',
    },
  }),
  ...inGroup('Log', {
    requestLogLimit: { ...mockOptions.requestLogLimit, help: 'Maximum number of exchanges in the request log' },
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
      kind: 'file',
      isCommon: true,
      help: "When the proxy stops, write the server's choices for open points to this file. Use it as the --profile of the mock",
    },
    record: {
      kind: 'file',
      isCommon: true,
      help: 'When the proxy stops, write the agents, drives, files, MCP servers and tools that it saw to this YAML file, without keys. Use it as the --seed of the mock',
    },
  }),
  ...logOptions,
});
