import autocannon from 'autocannon';
import { end } from './children.ts';
import { keyHeader } from './http.ts';
import { eachTree, type MixedRequest, mixedTrees } from './mixed.ts';
import { measurePace, type Pace } from './pace.ts';
import { type Cores, type Memory, memoryOf, watchCores } from './processes.ts';
import { inTurn, page, type Server, type Subject } from './servers.ts';
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

/** What is sent over and over: the page of twenty drives, if nothing else is said. */
export type Requests = readonly (Omit<MixedRequest, 'method'> & { method?: MixedRequest['method'] })[];

const pages: Requests = [{ path: page, headers: keyHeader }];

/** One sample of each subject in turn, round by round, each of a process of its own. */
export function measureLoad<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  settings: Settings,
  tell: (text: string) => void,
  requests = pages,
): Promise<Record<Name, LoadSample[]>> {
  return inTurn(subjects, settings.loadRounds, (subject, round) => {
    tell(`Load, round ${round} of ${settings.loadRounds}: ${subject.name}`);
    return sampleOf(subject, settings, requests);
  });
}

async function sampleOf(subject: Subject, settings: Settings, requests: Requests): Promise<LoadSample> {
  const server = await subject.start();
  try {
    const started = memoryOf(server.child.pid);
    await load(server, { duration: settings.warmUpSeconds }, requests);
    const cores = watchCores(server.child.pid);
    const perSecond = await load(server, { duration: settings.loadSeconds }, requests);
    return { perSecond, cores: cores(), started, loaded: memoryOf(server.child.pid) };
  } finally {
    await end(server.child);
  }
}

/** Resident memory of one mock after so many requests, and after so many more, in MiB. */
export async function measureGrowth(
  subject: Subject,
  few: number,
  many: number,
): Promise<{ few: number; many: number }> {
  const server = await subject.start();
  const nowMib = () => memoryOf(server.child.pid).nowMib;
  try {
    await load(server, { amount: few }, pages);
    const afterFew = nowMib();
    await load(server, { amount: many - few }, pages);
    return { few: afterFew, many: nowMib() };
  } finally {
    await end(server.child);
  }
}

/** How late answers come at an even pace, of each subject in turn, in milliseconds. */
export function measurePaces<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  perSecond: number,
  { loadRounds, warmUpSeconds, loadSeconds }: Settings,
): Promise<Record<Name, Pace[]>> {
  return inTurn(subjects, loadRounds, async (subject) => {
    const server = await subject.start();
    try {
      await load(server, { duration: warmUpSeconds }, pages);
      return await measurePace(server.baseUrl, page, perSecond, loadSeconds);
    } finally {
      await end(server.child);
    }
  });
}

let lastTree = 0;

function withNextTree(request: autocannon.Request): autocannon.Request {
  if (!request.path?.includes(eachTree)) return request;
  lastTree = (lastTree + 1) % mixedTrees;
  return { ...request, path: request.path.replace(eachTree, String(lastTree)) };
}

type Extent = { duration: number } | { amount: number };

async function load(server: Server, extent: Extent, requests: Requests): Promise<number> {
  const below = new URL(server.baseUrl).pathname.replace(/\/$/, '');
  const sent = requests.map((request) => ({ ...request, path: below + request.path, setupRequest: withNextTree }));
  const result = await autocannon({ url: server.baseUrl, connections, ...extent, requests: sent });
  const failed = result.errors + result.timeouts + result['5xx'] + (requests === pages ? result.non2xx : 0);
  if (failed > 0) throw new Error(`${failed} requests to ${server.baseUrl} failed. ${server.child.complaint()}`);
  return result.requests.total / result.duration;
}
