import type { Terminal } from './terminal.ts';

/** Aborts when the process is asked to end. */
export function stopSignal(terminal: Terminal): AbortSignal {
  const controller = new AbortController();
  void terminal.stopped().then(() => controller.abort());
  return controller.signal;
}
