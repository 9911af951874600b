import type { Terminal } from './terminal.ts';

/** The way of log lines to standard output: it waits for no reader, and errors of writing end nothing. */
export interface LogOutput {
  write(line: string): void;
  /** Hands on what has been gathered. */
  flush(): void;
  /** The same, at the end. */
  close(): void;
}

// Lines are written in batches: writing each by itself costs more than the response.
const batchLength = 16_000;
const flushEveryMs = 100;
// Lines beyond this are dropped while nobody reads.
const unreadLength = 4_194_304;

export function createLogOutput({ write }: Terminal): LogOutput {
  let lines: string[] = [];
  let gathered = 0;
  let unread = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    gathered = 0;
    unread += text.length;
    // Written or lost: a closed pipe and a full disk lose their lines, no more.
    write(text, () => {
      unread -= text.length;
    });
  };
  let isOpen = false;
  const open = () => {
    isOpen = true;
    // After a crash, too. What a pipe takes without waiting still arrives.
    process.once('exit', flush);
  };
  return {
    write: (line) => {
      if (!isOpen) open();
      if (unread > unreadLength) return;
      lines.push(line);
      gathered += line.length;
      if (gathered >= batchLength) flush();
      else timer ??= setTimeout(flush, flushEveryMs).unref();
    },
    flush,
    close: () => {
      process.off('exit', flush);
      flush();
    },
  };
}
