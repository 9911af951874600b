import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Fills a folder once per test run: the first file that asks does it, in whatever process, and the others wait. The
 * folder is read-only for all. It is removed with the run's temporary folder.
 */
export async function once(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), `once-${name}`);
  const outcome = `${folder}.outcome`;
  if (isFirst(folder)) await settle(fill(folder), outcome);
  while (!existsSync(outcome)) await setTimeout(50);
  const complaint = readFileSync(outcome, 'utf8');
  if (complaint !== '') throw new Error(complaint);
  return folder;
}

// If several create a folder at the same time, one succeeds.
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function settle(work: Promise<void>, outcome: string): Promise<void> {
  const complaint = await work.then(
    () => '',
    (error: unknown) => String(error),
  );
  // The file must be complete once it can be seen.
  writeFileSync(`${outcome}.part`, complaint);
  renameSync(`${outcome}.part`, outcome);
}
