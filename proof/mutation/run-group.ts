import { spawn } from 'node:child_process';
import { once } from 'node:events';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a program in a folder to its end. A signal that comes meanwhile ends it, and all that it has started. Rejects if it
 * does not end with 0.
 */
export async function runGroup(
  folder: string,
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<void> {
  const env = { ...process.env, ...environment };
  // In a group of its own: Stryker leaves processes behind when a signal ends it alone.
  const child = spawn(program, args, { cwd: folder, env, stdio: 'inherit', detached: true });
  const end = (signal: NodeJS.Signals) => void process.kill(-(child.pid ?? Number.NaN), signal);
  for (const signal of signals) process.on(signal, end);
  try {
    const [code, signal] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code ?? signal}.`);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
