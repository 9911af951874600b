import { expressMistakes } from './express/mistakes.ts';
import { startExpress } from './express/start.ts';
import type { Mistake } from './mistake.ts';
import type { Cluster } from './postgres/cluster.ts';
import { postgresMistakes } from './postgres/mistakes.ts';
import { startPostgres } from './postgres/start.ts';
import type { Running } from './running.ts';
import { sqliteMistakes } from './sqlite/mistakes.ts';
import { startSqlite } from './sqlite/start.ts';

export type Database = 'SQLite' | 'PostgreSQL' | 'Express';

/** A server that can be started: one with a mistake, or a correct one. */
export interface Candidate extends Pick<Mistake<never>, 'name' | 'what' | 'leads' | 'why'> {
  database: Database;
  isCorrect: boolean;
  isFound: boolean;
  start(): Promise<Running>;
}

const correct = { name: 'correct', what: 'No mistake.', leads: 'yes', why: '', change: () => undefined } as const;

/** The servers on SQLite: the correct one first. */
export function onSqlite(): Candidate[] {
  return candidates('SQLite', sqliteMistakes, startSqlite);
}

/** The server of a team in a hurry, with Express: the correct one first. */
export function onExpress(): Candidate[] {
  return candidates('Express', expressMistakes, startExpress);
}

/** The servers on PostgreSQL: the correct one first. */
export function onPostgres(cluster: Cluster): Candidate[] {
  return candidates('PostgreSQL', postgresMistakes, (change) => startPostgres(cluster, change));
}

function candidates<Parts>(
  database: Database,
  mistakes: readonly Mistake<Parts>[],
  start: (change: (parts: Parts) => void) => Promise<Running>,
): Candidate[] {
  return [correct, ...mistakes].map(({ change, ...mistake }) => ({
    ...mistake,
    ...{ isCorrect: mistake.name === correct.name, isFound: mistake.leads !== 'not found' },
    ...{ database, start: () => start(change) },
  }));
}
