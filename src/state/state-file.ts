import {
  accessSync,
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../app/start-error.ts';
import { Damage, type Row, type RowChange, Rows } from './rows.ts';
import { loadSqlite } from './sqlite.ts';

// They identify a state file: `PRAGMA application_id` and `PRAGMA user_version`.
const applicationId = 0x41_50_43_53;
const format = 2;

// Enough for a change of many records: otherwise pages are written and read again during the change.
const cacheKb = 65_536;

// The file holds keys.
const ownerOnly = 0o600;

/** What happened to a state file while a mock used it. */
export class FileChanged extends Error {}

/**
 * A state file used by this process alone. SQLite locks the file, not its name. After a change everything is in this
 * one file: the journal beside it matters only during the change. So the file may be copied, and only a crash of the
 * system loses anything.
 */
export class StateFile {
  /** As given. */
  readonly name: string;
  readonly #path: string;
  /** Its links are followed anew at each use. */
  readonly #absoluteName: string;
  #database: DatabaseSync | undefined;
  #rows: Rows | undefined;
  /** How the file looked after the last change. */
  #mark: BigIntStats | undefined;

  /**
   * Opens, locks and reads a file; without rows if there is none yet. Throws a {@link StartError} that shows the error
   * and the fix.
   */
  static open(name: string): { file: StateFile; rows: Row[] | undefined } {
    const path = usablePath(name);
    const file = new StateFile(name, path);
    return { file, rows: statSync(path, { throwIfNoEntry: false }) && file.#open() };
  }

  private constructor(name: string, path: string) {
    this.name = name;
    this.#path = path;
    this.#absoluteName = resolve(name);
  }

  /** Makes all changes or none; with `isAfresh`, they replace the old content. Creates the file if there is none. */
  write(changes: Iterable<RowChange>, isAfresh = false): void {
    if (this.#rows === undefined) return void this.#make(changes);
    this.#requireUntouched();
    this.#rows.change(changes, isAfresh);
    this.#leaveMark();
  }

  /** Forces everything to disk with the next change. */
  flushNext(): void {
    this.#database?.exec('PRAGMA synchronous = FULL');
  }

  close(): void {
    try {
      // Removes the journal. A refused file is left as it is.
      if (this.#rows !== undefined) this.#database?.exec('PRAGMA journal_mode = DELETE');
    } catch {
      // The file has changed, which was already reported.
    } finally {
      this.#database?.close();
      [this.#database, this.#rows] = [undefined, undefined];
    }
  }

  /** Locks the file, and reads it. */
  #open(): Row[] {
    const { DatabaseSync } = loadSqlite();
    try {
      this.#database = new DatabaseSync(this.#path);
      requireFormat(this.name, this.#database);
      this.#database.exec(`PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA cache_size = -${cacheKb}`);
      const rows = new Rows(this.#database);
      const saved = rows.read();
      // The last statement writes, so that obstacles to writing show now.
      this.#database.exec(`PRAGMA journal_mode = PERSIST; PRAGMA synchronous = OFF; PRAGMA user_version = ${format}`);
      chmodSync(this.#path, ownerOnly);
      this.#leaveMark();
      this.#rows = rows;
      return saved;
    } catch (error) {
      this.close();
      throw toStartError(error, this.name);
    }
  }

  // Under a temporary name until it is complete: after an interruption, the rest must not be taken for a state.
  #make(changes: Iterable<RowChange>): void {
    const unfinished = join(dirname(this.#path), `.${basename(this.#path)}.unfinished`);
    try {
      remove(unfinished);
      closeSync(openSync(unfinished, 'wx', ownerOnly));
      const database = new (loadSqlite().DatabaseSync)(unfinished);
      try {
        database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}`);
        Rows.createTables(database);
        new Rows(database).change(changes);
      } finally {
        database.close();
      }
      if (statSync(this.#path, { throwIfNoEntry: false })) throw inUse(this.name);
      renameSync(unfinished, this.#path);
    } catch (error) {
      remove(unfinished);
      throw error;
    }
    this.#open();
  }

  #requireUntouched(): void {
    const mark = this.#mark as BigIntStats;
    const now = this.#requireInPlace();
    // In microseconds: some file systems drop the rest.
    if (now.size === mark.size && now.mtimeNs / 1_000n === mark.mtimeNs / 1_000n) return;
    const size = now.size === mark.size ? '' : ` (it has ${now.size} bytes instead of ${mark.size})`;
    const remedy = 'Restart the mock to find out whether the file is damaged. If it is, restore a copy.';
    throw new FileChanged(`Something else wrote to ${this.name}${size}, so the mock stops. ${remedy}`);
  }

  #requireInPlace(): BigIntStats {
    const now = statSync(this.#absoluteName, { bigint: true, throwIfNoEntry: false });
    if (now === undefined)
      throw new FileChanged(`${this.name} was removed or moved away, so the mock stops. ${putBack}`);
    const mark = this.#mark ?? now;
    if (now.ino === mark.ino && now.dev === mark.dev) return now;
    const remedy = 'Restart the mock to continue with the new file, or put the earlier one back first.';
    throw new FileChanged(`${this.name} was replaced by a different file, so the mock stops. ${remedy}`);
  }

  // A file system's clock may stand still for some milliseconds, in which a change by others would look like this one.
  // So the time set here has whole milliseconds, which its clock does not produce.
  #leaveMark(): void {
    const nowSeconds = Date.now() / 1_000;
    utimesSync(this.#path, nowSeconds, nowSeconds);
    this.#mark = this.#requireInPlace();
  }
}

const putBack = 'Restore a copy and restart the mock; without a file, it starts from its seed.';

function remove(file: string): void {
  for (const each of [file, `${file}-journal`]) rmSync(each, { force: true });
}

function inUse(name: string): StartError {
  return new StartError(
    'STATE_IN_USE',
    `Another mock keeps its state in ${name}. Stop it, or choose a different file.`,
  );
}

function requireFormat(name: string, database: DatabaseSync): void {
  const of = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  if (of('application_id') !== applicationId) throw notOurs(name);
  const found = of('user_version');
  if (found === format) return;
  throw new StartError(
    'STATE_INVALID',
    `${name} has format ${found}: it is damaged, or was written by a different version. This version reads format ${format}. Use the version that wrote it, or choose a different file.`,
  );
}

function notOurs(name: string): StartError {
  return new StartError(
    'STATE_INVALID',
    `${name} is not a state file of this mock, or is damaged. Choose a different path; a missing file is created.`,
  );
}

// SQLite result codes that do not mean a damaged file. A read-only error does, since the system allows writing.
const results = { busy: 5, ioError: 10, full: 13, cannotOpen: 14, notDatabase: 26 };
const shortRead = 522;

function toStartError(error: unknown, name: string): unknown {
  if (error instanceof StartError) return error;
  const { errcode, message } = error as { errcode?: number; message: string };
  if (errcode === undefined && !(error instanceof Damage)) return cannotBe('FILE_UNREADABLE', 'read', name, error);
  const result = errcode === shortRead ? undefined : (errcode ?? 0) & 0xff;
  if (result === results.busy) return inUse(name);
  if (result === results.notDatabase) return notOurs(name);
  const { ioError, full, cannotOpen } = results;
  if ([ioError, full, cannotOpen].some((code) => code === result))
    return cannotBe('FILE_UNREADABLE', 'read and written', name, error);
  return new StartError(
    'STATE_INVALID',
    `${name} is damaged: ${message}\nRestore a copy of the file, or move it away: without a file, the mock starts from its seed.`,
    { cause: error },
  );
}

function cannotBe(code: 'FILE_UNREADABLE' | 'FILE_UNWRITABLE', what: string, name: string, error: unknown): StartError {
  const text = `${name} cannot be ${what} (${reasonOf(error)}). Fix this, or choose a different file.`;
  return new StartError(code, text, { cause: error });
}

/** `EACCES`, or what SQLite says. */
export function reasonOf(error: unknown): string {
  const { code, errstr, message } = error as { code?: string; errstr?: string; message: string };
  return errstr ?? code ?? message;
}

/** The real path of the file, if it can be used. */
function usablePath(name: string): string {
  const stats = found(name);
  if (stats === undefined) return newPath(name);
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'not a regular file';
    throw new StartError('FILE_UNREADABLE', `${name} is ${what}. The state needs the name of a file.`);
  }
  // A journal is named after the file: under a different name it would not be found.
  if (stats.nlink > 1) {
    const remedy = 'Remove the other names, or use a copy. A symbolic link to it is fine.';
    throw new StartError(
      'STATE_INVALID',
      `${name} has ${stats.nlink} names (hard links); only one is allowed. ${remedy}`,
    );
  }
  if (stats.size === 0)
    throw new StartError(
      'STATE_INVALID',
      `${name} is empty, so it holds no state. Remove it; the mock creates a new one.`,
    );
  const path = realpathSync(name);
  requireAccess(name, path, 'FILE_UNREADABLE', 'read and written');
  requireAccess(name, dirname(path), 'FILE_UNWRITABLE', 'written: its folder accepts no new files');
  return path;
}

function found(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotBe('FILE_UNREADABLE', 'read', name, error);
  }
}

function newPath(name: string): string {
  const folder = dirname(resolve(name));
  if (!found(folder)?.isDirectory()) {
    throw new StartError('FILE_UNWRITABLE', `${name} cannot be written: there is no folder ${folder}. Create it.`);
  }
  requireAccess(name, folder, 'FILE_UNWRITABLE', 'written: its folder accepts no new files');
  return join(realpathSync(folder), basename(name));
}

function requireAccess(name: string, path: string, code: 'FILE_UNREADABLE' | 'FILE_UNWRITABLE', what: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw cannotBe(code, what, name, error);
  }
}
