import type { Paint } from './paint.ts';
import { fill } from './text.ts';

/** What the parts of the closing text share. */
export interface Pen {
  paint: Paint;
  command: string;
  written?: readonly string[];
}

const listWidth = 96;

export function heading({ paint }: Pen, text: string): string[] {
  return [paint(['bold', 'underline'], text), ''];
}

export function indented(lines: readonly string[], indent = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : indent + line));
}

/** Names with commas between them, in as many lines as they need. */
export function nameList(names: readonly string[]): string[] {
  const words = names.map((name, index) => (index < names.length - 1 ? `${name},` : name));
  return indented(fill(words, listWidth), '    ');
}
