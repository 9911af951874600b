import { availableParallelism, cpus, totalmem } from 'node:os';

/** The figures of one subject, in the order in which they were taken. */
export type Samples = readonly number[];

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

/** One measure of the mock: against a peer, or by itself. */
export interface Row {
  what: string;
  unit: string;
  mock: Samples;
  peer?: { name: string; samples: Samples };
  /** Of the ratio to the peer; without a peer of the figure itself. Absent: it is only shown. */
  aim?: Aim;
  /** The result before the work on speed, in the same kind of run; absent where it was not measured. */
  before?: string;
  /** How to take a profile of what the row measures. */
  profile?: readonly string[];
}

export interface Aim {
  kind: 'at least' | 'at most';
  value: number;
}

/** What a run found. */
export interface Report {
  rows: readonly Row[];
  notes: readonly string[];
  /** Why the figures may be wrong. */
  warnings: readonly string[];
}

export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`;
  const system = `Node ${process.version}, ${process.platform} ${process.arch}`;
  return `${availableParallelism()} cores (${model}), ${memory}, ${system}`;
}

export function render({ rows, notes, warnings }: Report): string {
  const spread = ['Spread (least - most):', ...rows.map(spreadLine)];
  return [machineLine(), ...warnings, '', ...table(rows), '', ...spread, '', ...notes, ...profiles(rows)].join('\n');
}

function profiles(rows: readonly Row[]): string[] {
  const missed = Map.groupBy(
    rows.filter((row) => isMet(row) === false && row.profile !== undefined),
    (row) => row.profile ?? [],
  );
  if (missed.size === 0) return [];
  const lines = [...missed].flatMap(([steps, those]) => [
    `  ${those.map((row) => row.what).join(', ')}:`,
    ...steps.map((step) => `    ${step}`),
  ]);
  return ['', "Missed. How to take a profile, to open in a browser's developer tools:", ...lines];
}

/** The ratio to the peer; without a peer the figure itself. */
export function resultOf({ mock, peer }: Row): number {
  return peer === undefined ? median(mock) : median(mock) / median(peer.samples);
}

/** Whether the aim is met; undefined where there is none. */
export function isMet(row: Row): boolean | undefined {
  const { aim } = row;
  if (aim === undefined) return undefined;
  return aim.kind === 'at least' ? resultOf(row) >= aim.value : resultOf(row) <= aim.value;
}

/** The aim of a row in words. */
export function aimOf({ aim, peer, unit }: Row): string {
  if (aim === undefined) return '';
  return `${aim.kind} ${aim.value}${peer === undefined ? ` ${unit}` : ''}`;
}

function table(rows: readonly Row[]): string[] {
  const cells = [['what', 'result', 'goal', 'met', 'mock', 'peer'], ...rows.map(cellsOf)];
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
  const { what, unit, mock, peer } = row;
  const [isAimed, own] = [isMet(row), `${figure(median(mock))} ${unit}`];
  const met = isAimed === undefined ? '' : isAimed ? 'met' : 'missed';
  const peerCell = peer === undefined ? '' : `${figure(median(peer.samples))} ${unit} (${peer.name})`;
  return [what, peer === undefined ? own : figure(resultOf(row)), aimOf(row), met, own, peerCell];
}

function spreadLine({ what, unit, mock, peer }: Row): string {
  const beside = peer === undefined ? '' : `, ${peer.name} ${spread(peer.samples)} ${unit}`;
  return `  ${what}: mock ${spread(mock)} ${unit}${beside}`;
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
