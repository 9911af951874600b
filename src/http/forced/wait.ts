import type { ServerResponse } from 'node:http';

/** Waits. False when the client went away before the time was over; then there is nobody to answer. */
export function wait(delayMs: number, response: ServerResponse): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onClose = () => {
    clearTimeout(timer);
    resolve(false);
  };
  const timer = setTimeout(() => {
    response.off('close', onClose);
    resolve(true);
  }, delayMs).unref();
  response.once('close', onClose);
  return promise;
}
