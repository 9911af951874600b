/** What a command sees of the process around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal. */
  readonly isInteractive: boolean;
  /** The width of the terminal now. Absent or undefined if there is none. */
  columns?(): number | undefined;
  /** Writes to standard output. Calls `done` when the text is written, or with an error if it is lost. */
  write(text: string, done?: (error?: Error | null) => void): void;
  /** Writes a line to standard error. */
  complain(text: string): void;
  /** Calls `handle` for each uncaught error, and exits with the code of the first call that finishes. */
  onCrash(handle: (error: unknown) => Promise<number>): void;
  /** Lets the process end even if nobody reads its output. */
  waitForNoReader(): void;
  /** Resolves at the first signal to stop, with its name. The second one ends the process immediately. */
  stopped(): Promise<NodeJS.Signals>;
  /** Calls `handle` at the second signal, before the process ends. */
  onSecondSignal(handle: () => void): void;
  /** Waits for Enter; false at the end of the input, or once `signal` is aborted. Absent without a terminal. */
  entered?(signal: AbortSignal): Promise<boolean>;
}

/** Aborts at the first signal to stop, and prints `message` then. */
export function stopSignal(terminal: Terminal, message?: string): AbortSignal {
  const controller = new AbortController();
  void terminal.stopped().then(() => {
    if (message !== undefined) terminal.complain(message);
    controller.abort();
  });
  return controller.signal;
}

/** Whether to print colours: on a terminal that has them, unless the user wants none. */
export function wantsColor(
  { color = true }: { color?: boolean },
  { isInteractive, environment }: Pick<Terminal, 'isInteractive' | 'environment'>,
): boolean {
  return color && isInteractive && environment.TERM !== 'dumb' && (environment.NO_COLOR ?? '') === '';
}

/** Where the width is not known, as in a pipe. */
const usualColumns = 79;

/** A status line that each update overwrites. */
export function statusLine({ write, columns }: Terminal): { show(text: string): void; clear(): void } {
  // A full line would wrap, and could not be overwritten.
  const width = () => Math.max(1, (columns?.() || usualColumns) - 1);
  return {
    show: (text) => write(`\r${text.slice(0, width()).padEnd(width())}`),
    clear: () => write(`\r${' '.repeat(width())}\r`),
  };
}
