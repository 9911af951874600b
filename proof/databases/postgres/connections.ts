import pg from 'pg';
import type { Row } from '../shared/rows.ts';

/** The values of a statement by name. */
export type Values = Record<string, unknown>;

export type Query = (sql: string, values?: Values) => Promise<{ rows: Row[]; count: number }>;

/** What statements are sent through. */
export interface Connections {
  pool: pg.Pool;
  /** One statement, on any connection. */
  query: Query;
  /** The whole work on one connection, or nothing of it. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

/** Opens a pool of connections. */
export function createConnections(options: pg.PoolConfig): Connections {
  const pool = new pg.Pool({ max: 8, ...options });
  // A connection that ends while nobody waits for it is replaced.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const query = queryOn(pool);
  return { pool, query, transaction: (work) => inTransaction(pool, work) };
}

async function inTransaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(queryOn(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Sends statements with named parameters, such as `:name`, to a pool or one of its connections. */
export function queryOn(target: pg.Pool | pg.PoolClient): Query {
  return async (sql, values = {}) => {
    const names = [...new Set(Array.from(sql.matchAll(/(?<!:):([a-z]\w*)/gi), ([, name = '']) => name))];
    const text = sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => `$${names.indexOf(name) + 1}`);
    const { rows, rowCount } = await target.query<Row>(
      text,
      names.map((name) => values[name]),
    );
    return { rows, count: rowCount ?? 0 };
  };
}

/** Whether a statement failed because a row like it exists. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}
