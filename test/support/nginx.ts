import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { machinePath } from './shell.ts';

const { CI } = process.env;

/** Why nothing is tested behind nginx, if {@link findNginx} finds none. */
export const noNginx = 'There is no nginx in PATH or /usr/sbin. On Debian: apt-get install nginx-light';

/** The path of nginx. If there is none: undefined, which adds a visible line at the end of the run; in CI an error. */
export function findNginx(): string | undefined {
  const found = [...machinePath(), '/usr/sbin'].map((folder) => join(folder, 'nginx')).find((path) => existsSync(path));
  if (found === undefined && CI !== undefined && CI !== '' && CI !== 'false') throw new Error(noNginx);
  return found;
}
