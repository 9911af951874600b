import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { insertSampleData } from './sample-data.js';

/** Opens the file. A new one gets the tables and the sample data. */
export function openDatabase(file) {
  const isNew = !existsSync(file);
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  if (isNew) inTransaction(database, () => fill(database));
  return database;
}

function fill(database) {
  database.exec(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8'));
  insertSampleData(database);
}

/** Runs all of the work, or nothing of it. */
export function inTransaction(database, work) {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** The time now, as the database and the API have it. */
export const now = () => new Date().toISOString();
