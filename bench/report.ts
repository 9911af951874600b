import { availableParallelism, cpus } from 'node:os';

/** The figures of one subject, in the order in which they were taken. */
type Samples = readonly number[];

export function median(samples: Samples): number {
  return percentile(samples, 50);
}

/** The value below which `percent` of the samples lie, between the two nearest where it falls between. */
export function percentile(samples: Samples, percent: number): number {
  if (samples.length === 0) throw new Error('There is no sample.');
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

/** One comparison of the mock with a peer. */
export interface Row {
  what: string;
  unit: string;
  mock: Samples;
  peerName: string;
  peer: Samples;
  aim: Aim;
  /** How to take a profile of what the row measures. */
  profile: readonly string[];
}

export interface Aim {
  kind: 'at least' | 'at most';
  ratio: number;
}

/** What a run found. */
export interface Report {
  rows: readonly Row[];
  notes: readonly string[];
  /** Why the ratios may be wrong. */
  warnings: readonly string[];
}

export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), Node ${process.version}, ${process.platform} ${process.arch}`;
}

export function render({ rows, notes, warnings }: Report): string {
  const spread = ['Spread (least - most):', ...rows.map(spreadLine)];
  return [machineLine(), ...warnings, '', ...table(rows), '', ...spread, '', ...notes, ...profiles(rows)].join('\n');
}

function profiles(rows: readonly Row[]): string[] {
  const missed = Map.groupBy(
    rows.filter((row) => !isMet(row)),
    (row) => row.profile,
  );
  if (missed.size === 0) return [];
  const lines = [...missed].flatMap(([steps, those]) => [
    `  ${those.map((row) => row.what).join(', ')}:`,
    ...steps.map((step) => `    ${step}`),
  ]);
  return ['', "Missed. How to take a profile, to open in a browser's developer tools:", ...lines];
}

function isMet({ mock, peer, aim }: Row): boolean {
  const ratio = median(mock) / median(peer);
  return aim.kind === 'at least' ? ratio >= aim.ratio : ratio <= aim.ratio;
}

function table(rows: readonly Row[]): string[] {
  const cells = [['what', 'ratio', 'aim', 'met', 'mock', 'peer'], ...rows.map(cellsOf)];
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}

function cellsOf(row: Row): string[] {
  const { what, unit, mock, peerName, peer, aim } = row;
  const ratio = figure(median(mock) / median(peer));
  const peerCell = `${figure(median(peer))} ${unit} (${peerName})`;
  const aimCell = `${aim.kind} ${aim.ratio}`;
  return [what, ratio, aimCell, isMet(row) ? 'met' : 'missed', `${figure(median(mock))} ${unit}`, peerCell];
}

function spreadLine({ what, unit, mock, peerName, peer }: Row): string {
  return `  ${what}: mock ${spread(mock)} ${unit}, ${peerName} ${spread(peer)} ${unit}`;
}

// With many samples the extremes mean little, so the range between them is reported too.
function spread(samples: Samples): string {
  const [least, most] = [figure(percentile(samples, 0)), figure(percentile(samples, 100))];
  if (samples.length < 50) return `${least} - ${most}`;
  return `${least} - ${most} (nine of ten within ${figure(percentile(samples, 5))} - ${figure(percentile(samples, 95))})`;
}

/** Three digits, or all before the decimal point if there are more. */
export function figure(value: number): string {
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
