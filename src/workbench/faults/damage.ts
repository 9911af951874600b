/** Calls `then` after a delay, unless the client disconnects. */
export type Wait = (delayMs: number, then: () => void) => void;

interface Dribble {
  readonly kind: 'slowDribble';
  readonly overMs: number;
  readonly wait: Wait;
}

/** How the bytes of a response are damaged on their way. */
export type Damage = { readonly kind: 'truncatedBody' } | Dribble;

/** The part of a truncated body that is sent. */
export function half<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  return bytes.subarray(0, bytes.length / 2) as Bytes;
}

const maxPieces = 10;

/**
 * Sends a body piece by piece, the first one immediately and the last one after `overMs`. If there is only one piece,
 * it is sent after `overMs`. Some edges send the headers with the first piece.
 */
export function dribble(
  bytes: Uint8Array,
  { overMs, wait }: Dribble,
  sink: { write(piece: Uint8Array): void; end(): void },
): void {
  const pieceBytes = Math.ceil(bytes.length / maxPieces);
  const pauseMs = overMs / Math.max(1, Math.ceil(bytes.length / pieceBytes) - 1);
  const writeFrom = (start: number) => {
    sink.write(bytes.subarray(start, start + pieceBytes));
    const next = start + pieceBytes;
    if (next >= bytes.length) sink.end();
    else wait(pauseMs, () => writeFrom(next));
  };
  if (bytes.length === 0) sink.end();
  else if (bytes.length <= pieceBytes) wait(overMs, () => writeFrom(0));
  else writeFrom(0);
}
