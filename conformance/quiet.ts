import { isDeepStrictEqual } from 'node:util';
import { poll } from './expectations.ts';
import { Unverified } from './signals.ts';

const quietMs = 300;

/** Throws `Unverified` when something changes while the run does nothing: another client is at work. */
export async function requireQuiet(what: string, look: () => Promise<unknown>): Promise<void> {
  const first = await look();
  const { isThere } = await poll(quietMs, look, (now) => !isDeepStrictEqual(now, first));
  if (isThere) throw new Unverified('QUIET', `${what}; another client seems to be at work.`);
}
