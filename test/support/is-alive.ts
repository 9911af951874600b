import { spawnSync } from 'node:child_process';

/** Whether a process runs. One that is gone and that nobody has taken note of yet is a zombie. */
export function isAlive(pid: number): boolean {
  return /^[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
