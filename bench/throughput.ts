import autocannon from 'autocannon';
import { end } from './children.ts';
import { keyHeader } from './http.ts';
import { type Memory, memoryOf } from './memory.ts';
import { type Cores, watchCores } from './processor.ts';
import type { Server, Subject } from './servers.ts';
import { connections, type Settings } from './settings.ts';

/** What one start of a server gave under load. */
export interface LoadSample {
  perSecond: number;
  /** Undefined where the system does not say. */
  cores: Cores | undefined;
  started: Memory;
  loaded: Memory;
}

/** One sample of each subject in turn, round by round, each of a process of its own. */
export async function measureLoad<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  settings: Settings,
  tell: (text: string) => void,
): Promise<Record<Name, LoadSample[]>> {
  const names = Object.keys(subjects) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, LoadSample[]>;
  for (let round = 1; round <= settings.loadRounds; round++) {
    for (const name of names) {
      tell(`Load, round ${round} of ${settings.loadRounds}: ${subjects[name].name}`);
      samples[name].push(await sampleOf(subjects[name], settings));
    }
  }
  return samples;
}

async function sampleOf(subject: Subject, settings: Settings): Promise<LoadSample> {
  const server = await subject.start();
  try {
    const started = memoryOf(server.child.pid);
    await load(server, settings.warmUpSeconds);
    const cores = watchCores(server.child.pid);
    const perSecond = await load(server, settings.loadSeconds);
    return { perSecond, cores: cores(), started, loaded: memoryOf(server.child.pid) };
  } finally {
    await end(server.child);
  }
}

async function load(server: Server, duration: number): Promise<number> {
  const result = await autocannon({ url: server.drivesUrl, connections, duration, headers: keyHeader });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${server.drivesUrl} failed. ${server.child.complaint()}`);
  return result.requests.total / result.duration;
}
