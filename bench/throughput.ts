import { end } from './children.ts';
import { driveCount } from './http.ts';
import { mixedTrees } from './mixed.ts';
import { usageOf } from './processes.ts';
import type { Subject } from './servers.ts';
import type { Settings } from './settings.ts';
import { load } from './wrk.ts';

/** What one start of a server gave under load. */
export interface LoadSample {
  name: string;
  /** Of the page that it answers with. */
  bytes: number;
  perSecond: number;
  /** Processor time for each request, in microseconds. */
  cpuUs: number;
  /** Resident memory after the load. */
  mib: number;
}

/** What is sent: see {@link load}. */
export interface Traffic {
  /** Below the base URL of each server. */
  path: string;
  args: readonly string[];
  /** Which share of the requests is refused. */
  refusedShare: number;
}

/** One sample of each subject, one at a time. */
export async function measureLoad<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  traffic: Traffic,
  settings: Settings,
  tell: (text: string) => void,
): Promise<Record<Name, LoadSample>> {
  const samples: Partial<Record<Name, LoadSample>> = {};
  for (const name of Object.keys(subjects) as Name[]) {
    tell(`Load: ${subjects[name].name}`);
    samples[name] = await sampleOf(subjects[name], traffic, settings);
  }
  return samples as Record<Name, LoadSample>;
}

async function sampleOf({ name, start }: Subject, traffic: Traffic, settings: Settings): Promise<LoadSample> {
  const { child, baseUrl, first } = await start();
  try {
    if (driveCount(first) !== 20) throw new Error(`${name} did not serve twenty drives: ${first.body}`);
    const { path, args, refusedShare } = traffic;
    await load(baseUrl + path, settings.warmUpSeconds, args);
    const before = usageOf(child.pid).seconds;
    // Other trees than before.
    const { requests, perSecond, refused } = await load(baseUrl + path, settings.loadSeconds, args, mixedTrees / 2);
    const { seconds, mib } = usageOf(child.pid);
    if (Math.abs(refused / requests - refusedShare) > refusedShare / 10)
      throw new Error(`${name} refused ${refused} of ${requests} requests. ${child.complaint()}`);
    const cpuUs = ((seconds - before) * 1e6) / requests;
    return { name, bytes: Buffer.byteLength(first.body), perSecond, cpuUs, mib };
  } finally {
    await end(child);
  }
}

/** The times from the start of the process to the first valid answer, of two subjects in turn, in milliseconds. */
export async function measureStarts(subjects: readonly [Subject, Subject], rounds: number): Promise<number[][]> {
  const samples: number[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      const startedMs = performance.now();
      const { child } = await subject.start();
      samples[index]?.push(performance.now() - startedMs);
      await end(child);
    }
  }
  return samples;
}
