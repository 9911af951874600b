import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

// A state file is a SQLite database with one row per record. A row's place is its order of arrival; a replaced row
// keeps its place. SQLite detects whether a file can be read as a database, not whether it holds what was written. Each
// row has a checksum for that. The total of checksums and places distinguishes the state after a change from one in the
// middle of it, whatever the cause: a copy made meanwhile, a journal left behind, a machine failure.
const schema = [
  'CREATE TABLE record (place INTEGER, organization TEXT, kind TEXT, drive TEXT, id TEXT, value TEXT, sum INTEGER, PRIMARY KEY (organization, id, drive, kind)) STRICT, WITHOUT ROWID',
  'CREATE TABLE total (sum INTEGER) STRICT',
  'CREATE TRIGGER added AFTER INSERT ON record BEGIN UPDATE total SET sum = sum + new.sum + new.place; END',
  'CREATE TRIGGER replaced AFTER UPDATE ON record BEGIN UPDATE total SET sum = sum + new.sum - old.sum; END',
  'CREATE TRIGGER removed AFTER DELETE ON record BEGIN UPDATE total SET sum = sum - old.sum - old.place; END',
];

const sql = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  put: 'INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, sum = excluded.sum',
  remove: 'DELETE FROM record WHERE organization = ? AND kind = ? AND drive = ? AND id = ?',
  empty: 'DELETE FROM record WHERE organization = ? AND kind <> ?',
  drop: 'DELETE FROM record WHERE organization = ?',
  clear: 'DELETE FROM record',
};

/** Identifies a record. Parts that it does not have are empty. */
export interface RowName {
  readonly organization: string;
  readonly kind: string;
  /** The drive of a file. */
  readonly drive: string;
  readonly id: string;
}

/** One record. Its value is JSON. */
export interface Row extends RowName {
  readonly value: unknown;
}

/** The kind of an organization's own row. */
export const organizationKind = 'organization';

/** One change of the rows. `empty` removes the rows of an organization except its own, and `drop` removes all. */
export type RowChange =
  | { readonly put: Row }
  | { readonly remove: RowName }
  | { readonly empty: string }
  | { readonly drop: string };

/** A database that does not hold what was written to it. */
export class Damage extends Error {}

export class Rows {
  readonly #database: DatabaseSync;
  readonly #statements: Readonly<Record<keyof typeof sql, StatementSync>>;
  #lastPlace = 0;

  /** Makes the tables of a new database. */
  static createTables(database: DatabaseSync): void {
    database.exec([...schema, 'INSERT INTO total VALUES (0)'].join(';'));
  }

  /** Throws a {@link Damage} if the database has other tables. */
  constructor(database: DatabaseSync) {
    const found = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
    if (JSON.stringify(found.map((one) => one.sql)) !== JSON.stringify(schema))
      throw new Damage('It has unexpected tables.');
    this.#database = database;
    const prepared = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)]);
    this.#statements = Object.fromEntries(prepared);
  }

  /** All rows in their order. Throws a {@link Damage} if they are not what was written. */
  read(): Row[] {
    const database = this.#database;
    const [sound] = database.prepare('PRAGMA integrity_check(1)').all();
    if (sound?.integrity_check !== 'ok') throw new Damage('Its pages are inconsistent.');
    const whole =
      'SELECT count(*) = 1 AND max(sum) = (SELECT coalesce(sum(sum + place), 0) FROM record) AS isWhole FROM total';
    if (database.prepare(whole).get()?.isWhole !== 1) throw new Damage('It holds an incomplete change.');
    const rows = database.prepare('SELECT * FROM record ORDER BY place').all();
    this.#lastPlace = Number(rows.at(-1)?.place ?? 0);
    return rows.map(readRow);
  }

  /** Makes all changes or none; with `isAfresh`, after removing all rows. */
  change(changes: Iterable<RowChange>, isAfresh = false): void {
    const { begin, commit, clear } = this.#statements;
    begin.run();
    try {
      if (isAfresh) clear.run();
      for (const change of changes) this.#carryOut(change);
      commit.run();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #carryOut(change: RowChange): void {
    const { put, remove, empty, drop } = this.#statements;
    if ('put' in change) {
      const columns = [...nameColumns(change.put), JSON.stringify(change.put.value)];
      put.run(++this.#lastPlace, ...columns, sumOf(columns));
    } else if ('remove' in change) remove.run(...nameColumns(change.remove));
    else if ('empty' in change) empty.run(toColumn(change.empty), organizationKind);
    else drop.run(toColumn(change.drop));
  }

  // If the disk is full, SQLite has done it already.
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // The original error says more.
    }
  }
}

function readRow(columns: Record<string, unknown>): Row {
  const { organization, kind, drive, id, value, sum } = columns as Record<string, string> & { sum: unknown };
  const texts = [organization, kind, drive, id, value] as string[];
  if (sumOf(texts) !== sum) throw new Damage('A row differs from what was written.');
  const [ofOrganization = '', ofKind = '', ofDrive = '', itsId = ''] = texts.slice(0, 4).map(fromColumn);
  return { organization: ofOrganization, kind: ofKind, drive: ofDrive, id: itsId, value: JSON.parse(value as string) };
}

function nameColumns({ organization, kind, drive, id }: RowName): string[] {
  return [organization, kind, drive, id].map(toColumn);
}

// UTF-8 cannot hold half a surrogate pair; JSON can. So a row does not depend on what an id may contain.
function toColumn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function fromColumn(column: string): string {
  return JSON.parse(`"${column}"`);
}

function sumOf(texts: readonly string[]): number {
  return crc32(texts.join('\0'));
}
