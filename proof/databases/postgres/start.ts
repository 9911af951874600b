import pg from 'pg';
import type { Running } from '../running.ts';
import { listen } from '../shared/edge.ts';
import type { Choices, Parts } from '../shared/operations.ts';
import { rules } from '../shared/rules.ts';
import { type Insert, seed } from '../shared/seed.ts';
import type { Cluster } from './cluster.ts';
import { createConnections } from './connections.ts';
import { createRepository, isUuid, type PostgresAccess } from './repository.ts';
import { toJson } from './rows.ts';
import { schema } from './schema.ts';
import { statements } from './statements.ts';

/** Everything that the server is made of. A mistake changes it in place before the server starts. */
export interface PostgresParts extends PostgresAccess, Parts {
  schema: string;
  /** How the database is created. */
  encoding: string;
}

const choices: Choices = {
  'successStatus.createDrive': 201,
  'successStatus.publishAgentRevision': 200,
  'successStatus.deleteDriveTree': 200,
  treePathParameter: 'path',
  problem: (message) => ({ message }),
};

let databases = 0;

/** Starts the server on a new database of the cluster, with two organizations. */
export async function startPostgres(
  cluster: Cluster,
  change: (parts: PostgresParts) => void = () => undefined,
): Promise<Running> {
  const { host, user } = cluster;
  const database = `judged_${++databases}`;
  const connections = createConnections({ host, user, database });
  const access: PostgresAccess = { connections, sql: { ...statements }, toJson: { ...toJson }, isId: isUuid };
  const parts: PostgresParts = Object.assign(access, {
    ...{ schema, encoding: 'UTF8', choices: { ...choices }, rules: { ...rules } },
    repository: createRepository(access),
  });
  change(parts);
  await administer(cluster, `CREATE DATABASE ${database} TEMPLATE template0 ENCODING '${parts.encoding}' LOCALE 'C'`);
  const seeded = await fill(cluster, database, parts.schema);
  const { baseUrl, close } = await listen(parts);
  const end = async () => {
    await close();
    await administer(cluster, `DROP DATABASE ${database} WITH (FORCE)`);
    // Its connections are gone, also those that were never given back; for these the pool would wait for ever.
    void connections.pool.end();
  };
  return { ...seeded, baseUrl, treePathParameter: choices.treePathParameter, close: end };
}

async function administer({ host, user }: Cluster, statement: string): Promise<void> {
  const client = new pg.Client({ host, user, database: 'postgres' });
  await client.connect();
  await client.query(statement);
  await client.end();
}

// Through a connection of its own: a mistake is one of the server, not of its data.
async function fill({ host, user }: Cluster, database: string, tables: string) {
  const client = new pg.Client({ host, user, database });
  await client.connect();
  await client.query(tables);
  const seeded = await seed(inserter(client));
  await client.end();
  return seeded;
}

function inserter(client: pg.Client): Insert {
  return async (table, row) => {
    const columns = Object.keys(row);
    const values = columns.map((_, index) => `$${index + 1}`);
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')}) RETURNING *`;
    const { rows } = await client.query<{ id?: string }>(text, Object.values(row));
    return String(rows[0]?.id);
  };
}
