import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Fills a folder once in this run of the tests: the first file that asks does it, in whichever process, and the others
 * wait for it. All of them may read the folder, and none may change it. It is gone with the temporary folder of the run.
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

// Of those who make a folder at the same time, one succeeds.
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
  // Whoever sees the file reads all of it.
  writeFileSync(`${outcome}.part`, complaint);
  renameSync(`${outcome}.part`, outcome);
}
