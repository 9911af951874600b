import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, connectTo } from './connection.ts';
import { connections } from './settings.ts';

/** How the answers come when requests are sent at an even pace. */
export interface Pace {
  perSecond: number;
  /** From the moment when each request was due to the last byte of its answer, in milliseconds. */
  durationsMs: number[];
}

/**
 * Sends `path` at an even pace over the usual number of connections. A request that finds none of them free waits, and its
 * waiting counts: otherwise a server that stops for a moment would look better than it is.
 */
export async function measurePace(baseUrl: string, path: string, perSecond: number, seconds: number): Promise<Pace> {
  const free = await Promise.all(Array.from({ length: connections }, () => connectTo(baseUrl)));
  const all = [...free];
  const durationsMs: number[] = [];
  const waiting: number[] = [];
  const send = async (connection: Connection, dueMs: number) => {
    const { status } = await connection.send('GET', path);
    if (status !== 200) throw new Error(`${path} returned ${status}.`);
    durationsMs.push(performance.now() - dueMs);
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else await send(connection, next);
  };
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  const count = Math.round(perSecond * seconds);
  for (let index = 0; index < count; ) {
    for (; index < count && dueMsOf(index) <= performance.now(); index++) {
      const connection = free.pop();
      if (connection === undefined) waiting.push(dueMsOf(index));
      else running.push(send(connection, dueMsOf(index)));
    }
    await delay(1);
  }
  await Promise.all(running);
  for (const connection of all) connection.close();
  return { perSecond, durationsMs };

  function dueMsOf(index: number): number {
    return startedMs + (index * 1000) / perSecond;
  }
}
