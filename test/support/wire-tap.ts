import { open } from './raw-http.ts';

/** What was received on one connection until it was closed. */
export interface Tapped {
  /** In the pieces in which it was read. */
  pieces: readonly Buffer[];
  /** `end` if the server closed it in an orderly way, otherwise the error code. */
  endedBy: string;
}

/** Sends bytes over a new connection and reads until the server closes it. */
export function tap(url: string, bytes: string | Uint8Array): Promise<Tapped> {
  const { promise, resolve } = Promise.withResolvers<Tapped>();
  const pieces: Buffer[] = [];
  let endedBy = 'end';
  open(url)
    .on('data', (piece) => pieces.push(piece))
    .on('error', (error: NodeJS.ErrnoException) => {
      endedBy = String(error.code);
    })
    .on('close', () => resolve({ pieces, endedBy }))
    .write(bytes);
  return promise;
}
