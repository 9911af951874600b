import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Row } from '../shared/rows.ts';

/** The values of a statement by name. A statement need not use all of them. */
export type Values = Record<string, unknown>;

/** A connection to the file of the database. */
export interface Connection {
  all(sql: string, values?: Values): Row[];
  get(sql: string, values?: Values): Row | undefined;
  /** How many rows it changed. */
  run(sql: string, values?: Values): number;
  /** The whole work, or nothing of it. */
  transaction<T>(work: () => T): T;
  exec(sql: string): void;
  close(): void;
}

/** Opens the file. */
export function connect(file: string, timeout = 5_000): Connection {
  const database = new DatabaseSync(file, { timeout });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON');
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  };
  const bound = (values: Values = {}) => values as Record<string, SQLInputValue>;
  const transaction = <T>(work: () => T): T => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    all: (sql, values) => prepare(sql).all(bound(values)) as Row[],
    get: (sql, values) => prepare(sql).get(bound(values)) as Row | undefined,
    run: (sql, values) => Number(prepare(sql).run(bound(values)).changes),
    transaction,
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

/** Whether a statement failed because a row like it exists. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && /^UNIQUE constraint failed/.test(error.message);
}
