import { environmentName, type Option } from './options.ts';

/** The rows of a command's options, as help shows them. */
export function optionRows(options: readonly Option[]): { flag: string; environment: string; help: string }[] {
  return options.map((option) => ({
    flag: `${option.short === undefined ? '' : `-${option.short}, `}--${option.name}${placeholder(option)}`,
    environment: environmentName(option),
    help: `${option.help}${option.default === undefined ? '' : ` (default: ${option.default})`}`,
  }));
}

function placeholder(option: Option): string {
  if (option.kind === 'switch') return '';
  return ` ${option.placeholder ?? option.values?.join('|') ?? '<value>'}`;
}

/** Two columns of text, the second beginning at one place. */
export function columns(rows: readonly (readonly [string, string])[], indent = '  '): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${indent}${first.padEnd(width)}  ${second}`).join('\n');
}
