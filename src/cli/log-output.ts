import type { Terminal } from './terminal.ts';

// Lines are written in batches: writing each by itself costs more than the response.
const batchLength = 16_000;
const flushEveryMs = 100;
// Lines beyond this are dropped if nobody reads them.
const unreadLength = 4_194_304;

/** The way of log lines to standard output: it waits for no reader, and errors of writing end nothing. */
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

  /** Hands on what has been gathered. */
  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#gathered = 0;
    this.#unread += text.length;
    // Written or lost: a closed pipe and a full disk lose their lines, no more.
    this.#terminal.write(text, () => {
      this.#unread -= text.length;
    });
  };

  /** The same, at the end. */
  readonly close = (): void => {
    process.off('exit', this.flush);
    this.flush();
  };

  #open(): void {
    this.#isOpen = true;
    // After a crash, too. What a pipe takes without waiting still arrives.
    process.once('exit', this.flush);
  }
}
