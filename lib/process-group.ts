import type { ChildProcess } from 'node:child_process';

/** Whether a child started with `detached` has a group that can be signalled. On Windows it has none. */
export const hasGroups = process.platform !== 'win32';

/** Sends a signal to a child and all that it has started. False if they are gone. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (!hasGroups) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
