import { defineOptions, inGroup } from '../../lib/options.ts';
import { mockOptions } from './mock-options.ts';

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
    format: {
      kind: 'text',
      values: ['yaml', 'json'],
      default: 'yaml',
      defaultText: 'json if --output ends with .json, otherwise yaml',
      isCommon: true,
      help: 'Format of the document',
    },
    output: { short: 'o', kind: 'file', defaultText: 'standard output', isCommon: true, help: 'File to write' },
  }),
});
