import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './children.ts';
import { aimOf, figure, isMet, machineLine, type Report, type Row, resultOf } from './report.ts';

const file = join(root, 'docs/speed.md');
const marks = ['<!-- Written by `npm run bench -- --write`. -->', '<!-- End of what is written. -->'] as const;

/** Before the work on speed, each in the same run as its peer; the rest was not measured then. */
const before: Readonly<Record<string, string>> = {
  'GET /drives?limit=20, against Prism': '10 to 12',
  'the same, against a bare server': '0.30',
  'start to first answer: package': '0.32',
  'start to first answer: npm start in a clone': '0.73',
  'memory after load': '0.55',
  'page near the end of 1,000,000 drives': '1.1 to 1.6',
  'tree of 10 out of 1,000,000 files': '1.1 to 1.2',
  'loading 1,000,000 drives': '6.9 s',
  'memory of each, beyond its strings': 'about 1,000 bytes',
  'opening 1,000 worlds': '0.1 s',
  'memory of each world': '6 to 8 KiB',
  'createMock() to its first answer': '0.13 s',
};

/** Replaces the table of docs/speed.md by that of these runs. All runs have the same rows. */
export function writeDocument(reports: readonly Report[]): void {
  const text = readFileSync(file, 'utf8');
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`docs/speed.md has to hold these two lines: ${marks.join(' ')}`);
  writeFileSync(file, [text.slice(0, start) + marks[0], tableOf(reports), text.slice(end)].join('\n\n'));
}

/** The table of these runs in Markdown, below the date and the machine. */
export function tableOf(reports: readonly Report[]): string {
  const heads = ['What', 'Before', ...reports.map((_, index) => `Run ${index + 1}`), 'Aim', 'Met'];
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
  return [nameOf(row), before[row.what] ?? '', ...results, aimOf(row), met[0] === undefined ? '' : isAlways];
}

function nameOf({ what, peer }: Row): string {
  return peer === undefined || what.includes('against') ? what : `${what}, against ${peer.name}`;
}
