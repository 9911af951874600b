import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';

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
