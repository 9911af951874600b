import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Running } from '../running.ts';
import { listen } from '../shared/edge.ts';
import type { Choices, Parts } from '../shared/operations.ts';
import { rules } from '../shared/rules.ts';
import { type Insert, seed } from '../shared/seed.ts';
import { type Connection, connect } from './connection.ts';
import { startJobs } from './jobs.ts';
import { createRepository, newId, type SqliteAccess } from './repository.ts';
import { toJson } from './rows.ts';
import { schema } from './schema.ts';
import { statements } from './statements.ts';

/** Everything that the server is made of. A mistake changes it in place before the server starts. */
export interface SqliteParts extends SqliteAccess, Parts {
  schema: string;
  file: string;
}

const choices: Choices = {
  'successStatus.createDrive': 200,
  'successStatus.publishAgentRevision': 202,
  'successStatus.deleteDriveTree': 202,
  treePathParameter: 'prefix',
  problem: (message) => ({ error: { message } }),
};

/** Starts the server on a new file, with two organizations. */
export async function startSqlite(change: (parts: SqliteParts) => void = () => undefined): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-sqlite-'));
  const file = join(folder, 'data.db');
  const access: SqliteAccess = { connection: connect(file), sql: { ...statements }, toJson: { ...toJson } };
  const parts: SqliteParts = Object.assign(access, {
    ...{ schema, file, choices: { ...choices }, rules: { ...rules } },
    repository: createRepository(access),
  });
  change(parts);
  parts.connection.exec(parts.schema);
  const seeded = await seed(inserter(parts.connection));
  const stopJobs = startJobs(parts);
  const { baseUrl, close } = await listen(parts);
  const end = async () => {
    stopJobs();
    await close();
    parts.connection.close();
    rmSync(folder, { recursive: true });
  };
  return { ...seeded, baseUrl, treePathParameter: choices.treePathParameter, close: end };
}

const prefixes: Record<string, string> = {
  ...{ organizations: 'org', agents: 'agt', revisions: 'rev', drives: 'drv', files: 'fil', contents: 'cnt' },
  ...{ mcp_servers: 'mcp', tools: 'tol' },
};

function inserter(connection: Connection): Insert {
  return async (table, row) => {
    const prefix = prefixes[table];
    const id = prefix === undefined ? {} : { id: newId(prefix) };
    return insertRow(
      connection,
      table,
      table === 'files' ? withContent(connection, { ...id, ...row }) : { ...id, ...row },
    );
  };
}

function insertRow(connection: Connection, table: string, row: Record<string, unknown>): string {
  const columns = Object.keys(row);
  const values = columns.map((column) => `:${column}`);
  connection.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`, row);
  return String(row.id);
}

// Files of the same size and type have the same content here.
function withContent(connection: Connection, { size, content_type, ...row }: Record<string, unknown>) {
  connection.run('INSERT OR IGNORE INTO contents (id, size, content_type) VALUES (:id, :size, :content_type)', {
    ...{ id: newId('cnt'), size, content_type },
  });
  const content = connection.get('SELECT id FROM contents WHERE size = :size AND content_type = :content_type', {
    ...{ size, content_type },
  });
  return { ...row, content_id: content?.id };
}
