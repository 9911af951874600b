import { parseArgs } from 'node:util';
import { conformanceOptions } from './conformance-options.ts';
import type { Option } from './options.ts';

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
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(conformanceOptions.map((option) => [option.name, toParseConfig(option)])),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const words = tokens.flatMap((token) => {
    if (token.kind !== 'option' || left.includes(token.name)) return [];
    const value = variables[token.name] ?? (token.value === undefined ? [] : quoted(token.value));
    return [`--${token.name}`, ...[value].flat()];
  });
  return ['agent-platform conformance', ...words].join(' ');
}

function toParseConfig({ kind, short }: Option) {
  const type = kind === 'switch' ? ('boolean' as const) : ('string' as const);
  return short === undefined ? { type } : { type, short };
}

function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
