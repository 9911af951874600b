import type { SqliteAccess } from './repository.ts';

const everyMs = 10;

/** Does the waiting jobs again and again. The function that it returns stops it. */
export function startJobs(access: SqliteAccess): () => void {
  const timer = setInterval(() => {
    while (doNextJob(access));
  }, everyMs);
  return () => clearInterval(timer);
}

// A job that fails must not end the process; it is tried again.
function doNextJob({ connection, sql }: SqliteAccess): boolean {
  try {
    return connection.transaction(() => {
      const jobId = connection.get(sql.nextJob)?.id;
      if (jobId === undefined) return false;
      for (const statement of [sql.deleteFiles, sql.tidyUp, sql.endJob]) connection.run(statement, { jobId });
      return true;
    });
  } catch {
    return false;
  }
}
