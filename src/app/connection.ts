/** The client's end of a call, as far as waiting needs it. Node's sockets and responses fit. */
export interface Connection {
  readonly destroyed: boolean;
  /** Whether its client waits in this process, which must not end meanwhile. */
  readonly isInProcess?: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Calls `then` after a delay. Keeps the process alive only if the client waits in it. Returns how to cancel it. */
export function startTimer(
  delayMs: number,
  then: () => void,
  { isInProcess = false }: Partial<Connection> = {},
): () => void {
  const timer: unknown = setTimeout(then, delayMs);
  if (typeof timer === 'object' && !isInProcess) (timer as { unref(): void }).unref();
  return () => clearTimeout(timer as number);
}

/** Waits. False if the client disconnected meanwhile: then nobody is left to respond to. */
export function wait(delayMs: number, connection: Connection): Promise<boolean> {
  if (connection.destroyed) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onClose = () => {
    cancel();
    resolve(false);
  };
  const onTime = () => {
    connection.off('close', onClose);
    resolve(true);
  };
  const cancel = startTimer(delayMs, onTime, connection);
  connection.once('close', onClose);
  return promise;
}
