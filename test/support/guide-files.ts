import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './packing.ts';

/** The text of a file that a document shows below a comment `<!-- file <name> -->`. */
export function shownFile(document: string, name: string): string {
  const page = readFileSync(join(checkout, document), 'utf8');
  const blocks = page.matchAll(/<!-- file (\S+) -->\n\n```\w*\n([\s\S]*?)```\n/g);
  const text = [...blocks].find(([, file]) => file === name)?.[2];
  if (text === undefined) throw new Error(`${document} shows no file ${name}`);
  return text;
}

/** The commands in a document's plain text blocks that start with this. */
export function shownCommands(document: string, beginning: string): string[] {
  const page = readFileSync(join(checkout, document), 'utf8');
  const lines = [...page.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  return lines.filter((line) => line.startsWith(beginning));
}
