import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Running } from '../running.ts';
import { seed } from '../shared/seed.ts';
import type { Source } from './mistakes.ts';

interface Server {
  openDatabase(): DatabaseSync;
  createApp(db: DatabaseSync): RequestListener;
}

const correct = readFileSync(join(import.meta.dirname, 'server.mjs'), 'utf8');

/** Starts server.mjs, changed as told, on a new database with two organizations. */
export async function startExpress(change: (source: Source) => void = () => undefined): Promise<Running> {
  const source = { text: correct };
  change(source);
  const { openDatabase, createApp } = await load(source.text);
  const db = openDatabase();
  const seeded = await seed(async (table, row) => insertRow(db, table, row));
  const server = createServer(createApp(db)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    db.close();
  };
  return { ...seeded, baseUrl: `http://127.0.0.1:${port}/v0.1`, treePathParameter: 'path', close };
}

// Beside the original, so that it finds the same packages.
async function load(text: string): Promise<Server> {
  const folder = mkdtempSync(join(import.meta.dirname, 'changed-'));
  try {
    const file = join(folder, 'server.mjs');
    writeFileSync(file, text);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Value = string | number | null;

function insertRow(db: DatabaseSync, table: string, row: Record<string, unknown>): string {
  const id = randomUUID();
  const named = ['api_keys', 'publications'].includes(table) ? row : { id, ...row };
  const columns = Object.keys(named);
  db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...(Object.values(named) as Value[]),
  );
  return id;
}
