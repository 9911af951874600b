/** Calls `then` after a delay, unless the client goes away. */
export type Wait = (delayMs: number, then: () => void) => void;

interface Dribble {
  readonly kind: 'slowDribble';
  readonly overMs: number;
  readonly wait: Wait;
}

/** How the bytes of an answer are damaged on their way. */
export type Damage = { readonly kind: 'truncatedBody' } | Dribble;

/** What is sent of a truncated body. */
export function half<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  return bytes.subarray(0, bytes.length / 2) as Bytes;
}

const maxPieces = 10;

/** Sends a body piece by piece, the last one after `overMs`. */
export function dribble(
  bytes: Uint8Array,
  { overMs, wait }: Dribble,
  sink: { write(piece: Uint8Array): void; end(): void },
): void {
  const pieceBytes = Math.ceil(bytes.length / maxPieces);
  const pauseMs = (overMs * pieceBytes) / bytes.length;
  const writeFrom = (start: number) => {
    if (start >= bytes.length) sink.end();
    else
      wait(pauseMs, () => {
        sink.write(bytes.subarray(start, start + pieceBytes));
        writeFrom(start + pieceBytes);
      });
  };
  writeFrom(0);
}
