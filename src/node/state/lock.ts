import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';

/** Lets go of a lock. */
export type Unlock = () => void;

/**
 * Locks a file, given by its real path, for this process; undefined where another one has it. The system takes the lock
 * back when the process ends, however it ends: none is ever left behind.
 */
export function lock(file: string): Promise<Unlock | undefined> | Unlock | undefined {
  if (process.platform === 'linux') return lockName(`\0${nameOf(file)}`);
  if (process.platform === 'win32') return lockName(`\\\\.\\pipe\\${nameOf(file)}`);
  return lockBeside(file);
}

/** By a socket that has a name, but no file: Linux and Windows. */
async function lockName(path: string): Promise<Unlock | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await once(server.listen({ path }), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
  return () => server.close();
}

// The same for all paths that lead to the file.
function nameOf(file: string): string {
  const { dev, ino } = statSync(dirname(file), { bigint: true });
  const digest = createHash('sha256')
    .update(`${dev}/${ino}/${basename(file)}`)
    .digest('hex');
  return `agent-platform-contract-state-${digest.slice(0, 32)}`;
}

// O_EXLOCK of macOS and BSD, which Node does not name.
const exclusive = 0x20;

/** By an empty file beside it, which stays: macOS and BSD. */
function lockBeside(file: string): Unlock | undefined {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = constants;
  try {
    const descriptor = openSync(`${file}.lock`, O_CREAT | O_RDWR | O_NONBLOCK | exclusive, 0o600);
    let isLocked = true;
    return () => {
      if (isLocked) closeSync(descriptor);
      isLocked = false;
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
