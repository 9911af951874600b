import { StartError } from '../app/start-error.ts';

type Sqlite = typeof import('node:sqlite');

/** Node's SQLite, without the warning of Node 22 that it is experimental. Throws a {@link StartError}. */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  // Only until SQLite is loaded; nothing else runs in between.
  process.emitWarning = (...[warning, ...more]: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, [warning, ...more]);
  };
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined;
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new StartError(
    'NODE_TOO_OLD',
    `A state file needs node:sqlite, which this runtime lacks. Use Node 22.13 or later (for Node 23: 23.4 or later).`,
  );
}
