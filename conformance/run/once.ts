import { currentTrial } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { Inconclusive, Stopped } from './signals.ts';

/**
 * A function that runs once per session and arguments: later calls get the same promise. A failure is cached too,
 * unless the target was busy or the run was stopped.
 */
export function oncePerRun<Args extends readonly (string | number)[], Result>(
  make: (session: Session, ...args: Args) => Promise<Result>,
): (session: Session, ...args: Args) => Promise<Result> {
  const memories = new WeakMap<Session, Map<string, Promise<Result>>>();
  return (session, ...args) => {
    const memory = memories.get(session) ?? new Map<string, Promise<Result>>();
    memories.set(session, memory);
    const key = JSON.stringify(args);
    const known = memory.get(key);
    if (known !== undefined) return known;
    const result = make(session, ...args);
    memory.set(key, result);
    result.catch((error: unknown) => {
      if (error instanceof Stopped || (error instanceof Inconclusive && error.code === 'TARGET')) memory.delete(key);
    });
    return result;
  };
}

/** A function that runs once for checks that are tried beside each other, and anew for each that runs alone. */
export function onceTogether<Result>(
  make: (session: Session) => Promise<Result>,
): (session: Session) => Promise<Result> {
  return (session) => {
    const shared = currentTrial.getStore()?.shared;
    const result = (shared?.get(make) as Promise<Result> | undefined) ?? make(session);
    shared?.set(make, result);
    return result;
  };
}

/**
 * Does some work for all items in parallel; the target bounds how many requests are in progress. Resolves to the results in the
 * order of the items. If some fail, rejects with the error of the first such item, after all have ended.
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const settled = await Promise.allSettled(Array.from(items, work));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
