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
  const value = option.placeholder ?? option.values?.join('|') ?? '<value>';
  return option.bare === undefined ? ` ${value}` : `[=${value}]`;
}

/** Two columns of text, the second beginning at one place. */
export function columns(rows: readonly (readonly [string, string])[], indent = '  '): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${indent}${first.padEnd(width)}  ${second}`).join('\n');
}

/** The words in lines that are no longer than `width`, unless a single word is. */
export function fill(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
