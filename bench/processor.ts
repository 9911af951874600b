import { existsSync, readFileSync } from 'node:fs';
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

function secondsOf(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
