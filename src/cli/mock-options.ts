import { defineOptions } from '../../openapi/contract/options.ts';
import { liveMcpOptions, mockOptions } from '../node/options.ts';
import { logOptions } from './shared-options.ts';

/** The options of `agent-platform mock`. Parser, help, documents and typed values derive from this table. */
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
