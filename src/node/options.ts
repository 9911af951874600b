import { defineOptions } from '../../openapi/contract/options.ts';
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
    help: 'Also allow MCP servers on this host; * allows every public host',
  },
  origins: {
    name: 'live-mcp-origin',
    kind: 'text',
    placeholder: '<origin>',
    isRepeatable: true,
    help: 'With --live-mcp, pages of this machine may call the mock (http://localhost, any port). Also let pages of this origin; * lets all',
  },
  timeoutMs: {
    name: 'live-mcp-timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: longestMs,
    default: 5_000,
    help: 'Time limit for an MCP server, in milliseconds',
  },
  cacheMs: {
    name: 'live-mcp-cache',
    kind: 'integer',
    placeholder: '<ms>',
    maximum: longestMs,
    default: 30_000,
    help: 'Reuse the tools of an MCP server for this time, in milliseconds; 0 turns caching off',
  },
});

/** The options of `createProxy`, by name. */
export const proxyOptions = defineOptions({
  upstream: {
    short: 'u',
    kind: 'text',
    placeholder: '<url>',
    help: 'The base URL of the server behind the proxy, with its version segment and any path before it',
  },
  port: { ...mockOptions.port, default: 4011 },
  host: sharedOptions.host,
  errors: {
    kind: 'switch',
    help: 'Block what breaks the contract: do not forward such requests or responses, answer with an error instead',
  },
  judgeLimitBytes: {
    name: 'judge-limit',
    kind: 'integer',
    placeholder: '<bytes>',
    maximum: 268_435_456,
    default: 1_048_576,
    help: 'Stream larger bodies through without judging them',
  },
  judgeTimeMs: {
    name: 'judge-time',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: longestMs,
    default: 10_000,
    help: 'Stream bodies that take longer to arrive through without judging them, in milliseconds',
  },
  timeoutMs: {
    name: 'timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: longestMs,
    default: 30_000,
    help: 'Idle timeout for the upstream, in milliseconds',
  },
  profile: {
    ...sharedOptions.profile,
    help: 'Judge by this profile too: a YAML or JSON file. By default open points are not judged',
  },
  set: sharedOptions.set,
  requestLogLimit: { ...mockOptions.requestLogLimit, help: 'Maximum number of exchanges in the request log' },
});
