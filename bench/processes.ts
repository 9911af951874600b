import { globSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** One process: its name, its processor time so far, and its resident memory. */
interface ProcessUsage {
  name: string;
  seconds: number;
  mib: number;
}

const ticksPerSecond = 100;

/** A process and all below it, as Linux reports them. */
export function processesOf(pid: number): ProcessUsage[] {
  const all = globSync('/proc/[0-9]*').flatMap(processIn);
  const tree = all.filter((each) => each.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter((each) => each.parent === parent));
  if (tree.length === 0) throw new Error('A measured process is gone, or this is not Linux: there is no /proc for it.');
  return tree;
}

/** Processor time and memory of a process with all below it. */
export function usageOf(pid: number): Omit<ProcessUsage, 'name'> {
  const sum = (key: 'seconds' | 'mib') => processesOf(pid).reduce((total, each) => total + each[key], 0);
  return { seconds: sum('seconds'), mib: sum('mib') };
}

function processIn(folder: string): (ProcessUsage & { pid: number; parent: number })[] {
  try {
    const status = readFileSync(`${folder}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '0';
    const times = readFileSync(`${folder}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const seconds = (Number(times[11]) + Number(times[12])) / ticksPerSecond;
    const [pid, parent, kib] = [Number(field('Pid')), Number(field('PPid')), Number(field('VmRSS'))];
    return [{ pid, parent, name: field('Name'), seconds, mib: kib / 1024 }];
  } catch {
    // It ended since it was listed.
    return [];
  }
}

/** How many cores are in use while the benchmark does nothing. */
export async function coresInUse(): Promise<number> {
  const seconds = 2;
  const before = busySeconds();
  await delay(seconds * 1000);
  return (busySeconds() - before) / seconds;
}

function busySeconds(): number {
  return cpus().reduce((total, { times }) => total + times.user + times.nice + times.sys + times.irq, 0) / 1000;
}
