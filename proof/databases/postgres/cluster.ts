import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A private PostgreSQL that listens on a Unix socket only. */
export interface Cluster {
  /** The folder of its socket: the host for clients. */
  host: string;
  user: string;
  stop(): Promise<void>;
}

/** What to install, when PostgreSQL is missing. */
export const howToInstall =
  'PostgreSQL is not installed, so its half does not run. Install it: "apt-get install postgresql" (Debian, Ubuntu), ' +
  '"brew install postgresql" (macOS); or name the folder of initdb in PGBIN.';

/** The folder with the programs of PostgreSQL, the newest version; undefined when it is not installed. */
export function findPostgres(): string | undefined {
  const named = process.env.PGBIN === undefined ? [] : [process.env.PGBIN];
  const onPath = (process.env.PATH ?? '').split(':');
  const ofDebian = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  const hasBoth = (folder: string) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program)));
  return [...named, ...ofDebian, ...onPath].find((folder) => folder !== '' && hasBoth(folder));
}

const user = 'postgres';

/** Creates and starts a cluster in a temporary folder. */
export async function startCluster(bin: string): Promise<Cluster> {
  const host = mkdtempSync(join(tmpdir(), 'agent-platform-pg-'));
  const identity = unprivileged();
  if (identity !== undefined) chownSync(host, identity.uid, identity.gid);
  const data = join(host, 'data');
  const initdb = ['-D', data, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), initdb, { ...identity, cwd: host, stdio: ['ignore', 'ignore', 'inherit'] });
  // Nothing here outlives a crash, so it need not reach the disk.
  const settings = ['listen_addresses=', 'fsync=off', 'lc_messages=C', 'max_connections=60'];
  const options = ['-D', data, '-k', host, ...settings.flatMap((setting) => ['-c', setting])];
  // In a group of its own: Ctrl+C is for us, and we stop it when the servers are closed.
  const inOwnGroup: SpawnOptions = { ...identity, cwd: host, detached: true, stdio: ['ignore', 'ignore', 'pipe'] };
  const server = spawn(join(bin, 'postgres'), options, inOwnGroup);
  const exited = once(server, 'exit');
  await ready(server);
  const stop = async () => {
    server.kill('SIGINT');
    await exited;
    rmSync(host, { recursive: true });
  };
  return { host, user, stop };
}

// PostgreSQL refuses to run as root.
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u', user), gid: idOf('-g', user) };
  } catch {
    return { uid: idOf('-u', 'nobody'), gid: idOf('-g', 'nobody') };
  }
}

async function ready(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  if (server.stderr === null) throw new Error('PostgreSQL has no error output');
  for await (const line of createInterface(server.stderr)) {
    said.push(line);
    if (line.includes('ready to accept connections')) {
      server.stderr.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
}
