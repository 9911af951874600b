import type { Terminal } from './terminal.ts';

// Lines are written in batches: writing one line costs more than the response.
const batchLength = 16_000;
const flushEveryMs = 100;
// Lines beyond this many unread characters are dropped.
const unreadLength = 4_194_304;

/** Writes log lines to standard output without waiting for a reader. Write errors end nothing. */
export class LogOutput {
  readonly #terminal: Terminal;
  #lines: string[] = [];
  #gathered = 0;
  #unread = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  readonly write = (line: string): void => {
    if (!this.#isOpen) this.#open();
    if (this.#unread > unreadLength) return;
    this.#lines.push(line);
    this.#gathered += line.length;
    if (this.#gathered >= batchLength) this.flush();
    else this.#timer ??= setTimeout(this.flush, flushEveryMs).unref();
  };

  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#gathered = 0;
    this.#unread += text.length;
    // Written or lost: with a closed pipe or a full disk only these lines are lost.
    this.#terminal.write(text, () => {
      this.#unread -= text.length;
    });
  };

  /** Flushes at the end. */
  readonly close = (): void => {
    process.off('exit', this.flush);
    this.flush();
  };

  #open(): void {
    this.#isOpen = true;
    // Also after a crash. What a pipe accepts without waiting still arrives.
    process.once('exit', this.flush);
  }
}
