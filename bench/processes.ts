import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Processor time in seconds, up to a moment. */
interface Usage {
  server: number;
  ours: number;
  all: number;
}

/** How many cores were in use between two moments. */
export interface Cores {
  server: number;
  /** By what is neither the server nor the load generator. */
  others: number;
}

/** Starts to watch; the result ends the watch. Undefined if the system does not report the usage of a process. */
export function watchCores(pid: number): () => Cores | undefined {
  const startedMs = performance.now();
  const before = usageNow(pid);
  return () => {
    const after = usageNow(pid);
    if (before === undefined || after === undefined) return undefined;
    const seconds = (performance.now() - startedMs) / 1000;
    const server = after.server - before.server;
    const others = after.all - before.all - server - (after.ours - before.ours);
    return { server: server / seconds, others: Math.max(0, others / seconds) };
  };
}

function usageNow(pid: number): Usage | undefined {
  const server = secondsOf(pid);
  if (server === undefined) return undefined;
  const { user, system } = process.cpuUsage();
  const all = cpus().reduce((total, { times }) => total + times.user + times.nice + times.sys + times.irq, 0) / 1000;
  return { server, ours: (user + system) / 1e6, all };
}

/** Processor time of a process so far, in seconds; undefined where the system does not say. */
export function secondsOf(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process with all below it, in MiB. */
export interface Memory {
  nowMib: number;
  /** The most that it ever was; the same as now where the system does not say. */
  peakMib: number;
}

interface ProcessEntry {
  pid: number;
  parent: number;
  nowKib: number;
  peakKib: number;
}

/** The memory of the tree of processes below `pid`. Prism may have workers. */
export function memoryOf(pid: number): Memory {
  const tree = treeOf(pid, existsSync('/proc/self/status') ? fromProc() : fromPs());
  if (tree.length === 0) throw new Error('A measured process is gone.');
  const sum = (field: 'nowKib' | 'peakKib') => tree.reduce((total, entry) => total + entry[field], 0) / 1024;
  return { nowMib: sum('nowKib'), peakMib: sum('peakKib') };
}

function treeOf(pid: number, entries: readonly ProcessEntry[]): ProcessEntry[] {
  const own = entries.filter((entry) => entry.pid === pid);
  const below = entries.filter((entry) => entry.parent === pid);
  return [...own, ...below.flatMap((entry) => treeOf(entry.pid, entries))];
}

function fromProc(): ProcessEntry[] {
  return globSync('/proc/[0-9]*/status').flatMap((file) => {
    const status = readStatus(file);
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    if (status === '') return [];
    return [{ pid: field('Pid'), parent: field('PPid'), nowKib: field('VmRSS'), peakKib: field('VmHWM') }];
  });
}

// A process may end between the listing and the reading.
function readStatus(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function fromPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = 0, parent = 0, nowKib = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent, nowKib, peakKib: nowKib };
  });
}
