import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An answer with all its headers, as it would go over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly body: string;
}

/** Writes an answer in one way or another. */
export type Deliver = (response: ServerResponse, answer: WireAnswer) => void;

/** Calls `then` after the delay, unless the client goes away. */
export type Wait = (delayMs: number, then: () => void) => void;

const maxPieces = 10;

/** Sends an answer as it is, in one piece. */
export const writeWhole: Deliver = (response, { status, headers, body }) => {
  response.writeHead(status, headers);
  // Text of as many bytes as characters is ASCII: Node sends it in one piece with the headers. Other text it would send
  // so as well, and spoil a header that is not ASCII.
  if ((headers['content-length'] ?? 0) === body.length) response.end(body, 'latin1');
  else response.end(Buffer.from(body));
};

/** Resets the connection (TCP RST) instead of an answer. */
export function resetConnection(response: ServerResponse): void {
  whenItsTurn(response, (connection) => connection.resetAndDestroy());
}

/** Closes the connection in good order, but without an answer. */
export function closeConnection(response: ServerResponse): void {
  whenItsTurn(response, (connection) => connection.destroySoon());
}

/** Announces the whole body, sends the first half of its bytes and closes the connection. */
export const writeHalf: Deliver = (response, { status, headers, body }) => {
  whenItsTurn(response, (connection) => {
    response.writeHead(status, headers);
    const bytes = bytesFor(response, body);
    const half = bytes.subarray(0, bytes.length / 2);
    if (half.length === 0) response.flushHeaders();
    else response.write(half);
    connection.destroySoon();
  });
};

/** Sends the headers at once and the body piece by piece, the last one after `overMs`. */
export function writeSlowly(
  response: ServerResponse,
  { status, headers, body }: WireAnswer,
  overMs: number,
  wait: Wait,
): void {
  const bytes = bytesFor(response, body);
  const pieceBytes = Math.ceil(bytes.length / maxPieces);
  const pauseMs = (overMs * pieceBytes) / bytes.length;
  const writeFrom = (start: number) => {
    if (start >= bytes.length) response.end();
    else
      wait(pauseMs, () => {
        response.write(bytes.subarray(start, start + pieceBytes));
        writeFrom(start + pieceBytes);
      });
  };
  response.writeHead(status, headers);
  response.flushHeaders();
  writeFrom(0);
}

// Nothing that was asked before on the same connection is lost with it.
function whenItsTurn(response: ServerResponse, act: (connection: Socket) => void): void {
  if (response.socket === null) response.once('socket', act);
  else act(response.socket);
}

function bytesFor({ req }: ServerResponse, body: string): Buffer {
  return Buffer.from(req.method === 'HEAD' ? '' : body);
}
