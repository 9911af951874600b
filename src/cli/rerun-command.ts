import { optionWords } from './command-line.ts';
import { conformanceOptions } from './conformance-options.ts';

// What chooses checks, and what is done with the results.
const left = [
  'only',
  'skip',
  'list',
  'explain',
  'dry-run',
  'strict',
  'expected-failures',
  'json',
  'report',
  'report-dir',
  'observe',
  'no-color',
];

// Keys are never repeated; the curl lines take them from there as well.
const variables: Record<string, string> = {
  'api-key': '"$AGENT_PLATFORM_API_KEY"',
  'other-api-key': '"$AGENT_PLATFORM_OTHER_API_KEY"',
};

/** The command line of a run without what chooses checks: `--only <id>` behind it runs one check alone. */
export function rerunCommand(args: readonly string[]): string {
  return ['agent-platform conformance', ...optionWords(conformanceOptions, args, left, variables)].join(' ');
}
