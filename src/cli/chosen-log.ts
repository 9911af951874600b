import { createJsonLog, createPrettyLog, type Log } from './log.ts';
import type { LogLevel } from './mock-options.ts';
import type { Chosen } from './options.ts';
import type { Terminal } from './terminal.ts';

/** Whether a person reads what is said. */
export function isPretty(chosen: Chosen, terminal: Terminal): boolean {
  return (chosen.get('log-format') ?? (terminal.isInteractive ? 'pretty' : 'json')) === 'pretty';
}

/** The log that was asked for. */
export function createLog(chosen: Chosen, terminal: Terminal): Log {
  const level = (chosen.get('log-level') ?? 'info') as LogLevel;
  return isPretty(chosen, terminal) ? createPrettyLog(level, terminal.write) : createJsonLog(level);
}
