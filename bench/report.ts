import { availableParallelism, cpus, totalmem } from 'node:os';
import type { LoadSample } from './throughput.ts';

/** One figure of the mock: the ratio to a peer, or with a unit. */
export interface Row {
  what: string;
  value: number;
  unit?: string;
  goal?: Goal;
}

export interface Goal {
  kind: 'at least' | 'at most';
  value: number;
  /** What the figure must never fall below, while the goal is not met. */
  floor?: number;
}

/** What a run found. */
export interface Report {
  rows: readonly Row[];
  /** The servers that were read from. */
  servers: readonly LoadSample[];
}

export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`;
  const system = `Node ${process.version}, ${process.platform} ${process.arch}`;
  return `${availableParallelism()} cores (${model}), ${memory}, ${system}`;
}

/** The tables of these runs in Markdown. All runs have the same rows. */
export function tablesOf(reports: readonly Report[]): string {
  const servers = transposed(reports.map((report) => report.servers)).map(serverCells);
  const rows = transposed(reports.map((report) => report.rows)).map(rowCells);
  const serverHeads = ['Server', 'Bytes of the body', 'Requests per second', 'Processor time each, µs', 'Memory, MiB'];
  const heads = ['What', ...reports.map((_, index) => `Run ${index + 1}`), 'Goal', 'Never below', 'Met'];
  const tables = [servers.length > 0 ? tableOf(serverHeads, servers) : [], tableOf(heads, rows)];
  return tables.flat().join('\n\n');
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
}

function transposed<Item>(runs: readonly (readonly Item[])[]): Item[][] {
  return (runs[0] ?? []).map((_, index) => runs.flatMap((run) => run[index] ?? []));
}

function serverCells(runs: readonly LoadSample[]): string[] {
  const of = (key: 'bytes' | 'perSecond' | 'cpuUs' | 'mib') => median(runs.map((run) => run[key]));
  const whole = (value: number) => Math.round(value).toLocaleString('en-US');
  return [runs[0]?.name ?? '', whole(of('bytes')), whole(of('perSecond')), figure(of('cpuUs')), whole(of('mib'))];
}

function rowCells(runs: readonly Row[]): string[] {
  const [{ what, unit = '', goal } = { what: '' }] = runs;
  const values = runs.map(({ value }) => value);
  const cells = [what, ...values.map((value) => `${figure(value)} ${unit}`.trim())];
  if (goal === undefined) return [...cells, '', '', ''];
  const text = `${goal.kind} ${goal.value} ${unit}`.trim();
  return [...cells, text, goal.floor === undefined ? '' : String(goal.floor), verdictOf(goal, values)];
}

function verdictOf({ kind, value, floor = Number.POSITIVE_INFINITY }: Goal, values: readonly number[]): string {
  if (values.every((each) => (kind === 'at least' ? each >= value : each <= value))) return 'yes';
  return values.every((each) => each >= floor) ? 'not yet' : 'no';
}

export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new Error('There is no sample.');
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

/** Three digits, or all before the decimal point if there are more. */
function figure(value: number): string {
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
