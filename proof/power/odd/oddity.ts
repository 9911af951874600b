import type { IncomingMessage } from 'node:http';
import type { Fixtures } from '../../../conformance/run/settings.ts';
import type { Engine } from '../mutant.ts';
import type { Startable } from '../start-mutant.ts';

/** A legal server, or one with unusual fixtures, that no profile covers: what is odd about it. The rest is the mock. */
export interface Oddity extends Omit<Startable, 'tools'> {
  /** Why it is legal, with the section. */
  why: string;
  /** The checks that may warn, by `*`: what the text asks for as a should, and this server does otherwise. */
  mayWarn?: readonly string[];
  /** Other fixtures than all that a user could know. */
  fixtures?(usual: Fixtures, engine: Engine): Fixtures;
  /** For how long the run waits for what may come late. Default: 1,800, as everything settles within 700 ms. */
  settleMs?: number;
  /** Other keys than the two of the mock. */
  keys?(usual: readonly string[]): readonly string[];
}

/** Whether a request comes with a key that the mock knows. */
export function hasValidKey({ store }: Engine, { headers }: IncomingMessage): boolean {
  const bearer = String(headers.authorization ?? '').replace(/^Bearer /, '');
  return [String(headers['x-api-key'] ?? ''), bearer].some((key) => store.organizationOf(key) !== undefined);
}
