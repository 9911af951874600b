import autocannon from 'autocannon';
import { end } from './children.ts';
import { keyHeader } from './http.ts';
import { type Cores, type Memory, memoryOf, watchCores } from './processes.ts';
import { inTurn, type Server, type Subject } from './servers.ts';
import { connections, type Settings } from './settings.ts';

/** The times from the start of the process to the first valid answer, of each subject in turn, in milliseconds. */
export function measureStarts<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  return inTurn(subjects, rounds, async (subject) => {
    const startedMs = performance.now();
    const { child } = await subject.start();
    const durationMs = performance.now() - startedMs;
    await end(child);
    return durationMs;
  });
}

/** What one start of a server gave under load. */
export interface LoadSample {
  perSecond: number;
  /** Undefined where the system does not say. */
  cores: Cores | undefined;
  started: Memory;
  loaded: Memory;
}

/** One sample of each subject in turn, round by round, each of a process of its own. */
export function measureLoad<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  settings: Settings,
  tell: (text: string) => void,
): Promise<Record<Name, LoadSample[]>> {
  return inTurn(subjects, settings.loadRounds, (subject, round) => {
    tell(`Load, round ${round} of ${settings.loadRounds}: ${subject.name}`);
    return sampleOf(subject, settings);
  });
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
