import { defineOptions } from '../../openapi/contract/options.ts';
import { proxyOptions } from '../node/options.ts';
import { colorOption, logOptions } from './shared-options.ts';

/** The options of `agent-platform proxy`. Parser, help, documents and typed values derive from this table. */
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
