import type { Readable } from 'node:stream';

/** Waits for a line; false at the end of the input, or once `signal` is aborted. Between calls nothing is read. */
export function nextLine(input: Readable, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const entered = () => resolve(true);
  const ended = () => resolve(false);
  input.once('data', entered).once('end', ended);
  signal.addEventListener('abort', ended, { once: true });
  if (signal.aborted) ended();
  input.resume();
  return promise.finally(() => {
    input.off('data', entered).off('end', ended).pause();
    signal.removeEventListener('abort', ended);
  });
}
