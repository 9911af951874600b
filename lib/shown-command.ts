import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = 'agent-platform-contract';

/** This code runs from its sources, as in a clone of the repository. */
const inClone = 'clone';

/** How the reader starts the command from where it runs now: with the scripts of a clone, or with a prefix. */
type Start = typeof inClone | { prefix: string };

const ownStart = startOf(fileURLToPath(import.meta.url));

/** How to start the command whose code is at this path. */
export function startOf(path: string): Start {
  if (path.endsWith('.ts')) return inClone;
  const [folder = ''] = path.split(/[\\/]node_modules[\\/]/, 1);
  // Linked, as in a workspace.
  if (folder === path) return { prefix: `npx ${command}` };
  const manifest = join(folder, 'package.json');
  if (basename(dirname(folder)) === '_npx') return { prefix: `npx ${packageOfNpx(manifest)}` };
  // Only a project has a manifest above its packages; the folder of global packages has none.
  return { prefix: existsSync(manifest) ? `npx ${command}` : command };
}

/** What the reader named to npx, which fetched it into a folder of its own. */
function packageOfNpx(manifest: string): string {
  try {
    const [named] = JSON.parse(readFileSync(manifest, 'utf8'))._npx.packages;
    return typeof named === 'string' ? named : command;
  } catch {
    return command;
  }
}

/**
 * A command line of ours as the reader can type it where the command runs. `name` is the command's name, for instance
 * `conformance doctor`.
 */
export function shownCommand(name: string, words: readonly string[] = [], start = ownStart): string {
  if (start !== inClone) return [start.prefix, name, ...words].join(' ');
  const [script = '', ...rest] = name.split(' ');
  const run = script === 'mock' ? 'npm start' : `npm run ${script}`;
  const all = [...rest, ...words];
  return all.length === 0 ? run : `${run} -- ${all.join(' ')}`;
}

/** What to type before the name of a command that is not known yet. */
export function shownProgram(start = ownStart): string {
  return start === inClone ? 'npx node src/cli/main.ts' : start.prefix;
}

/** The command line that lists all commands. */
export function shownHelp(start = ownStart): string {
  return `${shownProgram(start)} --help`;
}
