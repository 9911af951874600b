import { defineOptions, inGroup } from '../../lib/options.ts';
import { mockOptions, sharedOptions } from '../workbench/options.ts';

// The longest time that a timer can wait.
const longestMs = 2 ** 31 - 1;

/** The options of `liveMcp`. */
export const liveMcpOptions = defineOptions({
  allow: {
    name: 'live-mcp-allow',
    kind: 'text',
    placeholder: '<host>[:port]',
    isRepeatable: true,
    help: 'Also contact MCP servers on the given host. Without this option, --live-mcp contacts only those on the machine of the mock itself. * allows every public host',
  },
  origins: {
    name: 'live-mcp-origin',
    kind: 'text',
    placeholder: '<origin>',
    isRepeatable: true,
    help: 'With --live-mcp, allow pages from this origin to call the mock; * allows all. Pages from this machine (http://localhost, any port) are always allowed',
  },
  timeoutMs: {
    name: 'live-mcp-timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: longestMs,
    default: 5_000,
    help: 'Timeout for an MCP server, in milliseconds',
  },
  // In code alone.
  cacheMs: {
    kind: 'integer',
    maximum: longestMs,
    default: 30_000,
    help: 'Cache the tools of an MCP server for this long, in milliseconds; 0 turns caching off',
  },
});

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
    host: sharedOptions.host,
    timeoutMs: {
      name: 'timeout',
      kind: 'integer',
      placeholder: '<ms>',
      minimum: 1,
      maximum: longestMs,
      default: 30_000,
      help: 'How long the server may send nothing before the proxy gives up, in milliseconds',
    },
  }),
  ...inGroup('Checks', {
    errors: {
      kind: 'switch',
      isCommon: true,
      help: 'Block requests and responses that break the contract. The proxy does not forward them and returns an error response',
    },
    profile: {
      ...sharedOptions.profile,
      help: 'Also check the traffic against the choices for open points (unspecified behaviour) in this YAML or JSON file. By default the proxy accepts every legal choice',
    },
    set: sharedOptions.set,
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
