import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './children.ts';
import { aimOf, figure, isMet, machineLine, type Report, type Row, resultOf } from './report.ts';

const marks = (flags: string) =>
  [`<!-- Written by \`npm run bench -- ${flags}\`. -->`, '<!-- End of what is written. -->'] as const;

/** Replaces the table of bench/RESULTS.md by that of these runs. All runs have the same rows. */
export function writeDocument(reports: readonly Report[]): void {
  writePart('bench/RESULTS.md', '--write', tableOf(reports));
}

/** Replaces what a document holds between the two lines that name the command with these flags. */
export function writePart(name: string, flags: string, part: string): void {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const lines = marks(flags);
  const [start, end] = lines.map((mark) => text.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`${name} has to hold these two lines: ${lines.join(' ')}`);
  writeFileSync(file, [text.slice(0, start) + lines[0], part, text.slice(end)].join('\n\n'));
}

/** The table of these runs in Markdown, below the date and the machine. */
export function tableOf(reports: readonly Report[]): string {
  const heads = ['What', 'Before', ...reports.map((_, index) => `Run ${index + 1}`), 'Goal', 'Met'];
  const rows = (reports[0]?.rows ?? []).map((_, index) =>
    lineOf(reports.flatMap((report) => report.rows[index] ?? [])),
  );
  const disturbed = [...new Set(reports.flatMap(({ warnings }) => warnings))];
  const table = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [`${new Date().toISOString().slice(0, 10)}, ${machineLine()}.`, ...disturbed, table].join('\n\n');
}

function lineOf(runs: readonly Row[]): string[] {
  const [row] = runs;
  if (row === undefined) throw new Error('There is no run.');
  const met = runs.map(isMet);
  const isAlways = met.every((one) => one === true) ? 'yes' : 'no';
  const results = runs.map((run) => `${figure(resultOf(run))}${run.peer === undefined ? ` ${run.unit}` : ''}`);
  return [nameOf(row), row.before ?? '', ...results, aimOf(row), met[0] === undefined ? '' : isAlways];
}

function nameOf({ what, peer }: Row): string {
  return peer === undefined || what.includes('against') ? what : `${what}, against ${peer.name}`;
}
