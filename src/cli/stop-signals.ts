import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

// npm forwards a Ctrl+C that the terminal has already sent to every process.
const sameSignalMs = 300;

/** Signals that ask a command to stop. */
interface StopSignals {
  /** Resolves at the first signal. */
  stopped: Promise<NodeJS.Signals>;
  /** Calls `handle` at the second signal, before the process ends. Without it, that signal ends the process by itself. */
  onSecond(handle: () => void): void;
}

export function listenForSignals(): StopSignals {
  const { promise: stopped, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let farewell: (() => void) | undefined;
  const first = (signal: NodeJS.Signals) => {
    const atMs = performance.now();
    const second = (again: NodeJS.Signals) => {
      if (performance.now() - atMs < sameSignalMs) return;
      farewell?.();
      process.exit(exitCodeOfSignal(again));
    };
    for (const each of signals) {
      process.removeListener(each, first);
      if (farewell !== undefined) process.on(each, second);
    }
    resolve(signal);
  };
  for (const signal of signals) process.on(signal, first);
  return {
    stopped,
    onSecond: (handle) => {
      farewell = handle;
    },
  };
}

/** The exit code of a process ended by a signal, as in shells. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
