import { open } from './raw-http.ts';

/** What came over one connection until it was closed. */
export interface Tapped {
  /** As it was read, piece by piece. */
  pieces: readonly Buffer[];
  /** `end` when the server closed it in good order, else the code of the error. */
  endedBy: string;
}

/** Sends bytes over a connection of their own and reads until the server closes it. */
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
