import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './children.ts';

/** Replaces what a document holds between the two lines that name the command with these flags. */
export function writePart(name: string, flags: string, part: string): void {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const lines = [`<!-- Written by \`npm run bench -- ${flags}\`. -->`, '<!-- End of what is written. -->'] as const;
  const [start, end] = lines.map((mark) => text.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`${name} has to hold these two lines: ${lines.join(' ')}`);
  writeFileSync(file, [text.slice(0, start) + lines[0], part, text.slice(end)].join('\n\n'));
}
