import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Damage, Wait } from '../../workbench/faults/play-faults.ts';
import { type Deliver, type WireAnswer, writeWhole } from '../answer.ts';

const maxPieces = 10;

/** How an answer with this damage is written. */
export function deliverDamaged(damage: Damage | undefined): Deliver {
  if (damage === undefined) return writeWhole;
  if (damage.kind === 'truncatedBody') return writeHalf;
  return (response, answer) => writeSlowly(response, answer, damage.overMs, damage.wait);
}

/** How an exchange ends without an answer: by a reset (TCP RST), or in good order. */
export const endings: Readonly<Record<'connectionReset' | 'emptyAnswer', (response: ServerResponse) => void>> = {
  connectionReset: (response) => whenItsTurn(response, (connection) => connection.resetAndDestroy()),
  emptyAnswer: (response) => whenItsTurn(response, (connection) => connection.destroySoon()),
};

/** Announces the whole body, sends the first half of its bytes and closes the connection. */
const writeHalf: Deliver = (response, { status, headers, body }) => {
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
function writeSlowly(
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

// No earlier answer on the same connection is lost with it.
function whenItsTurn(response: ServerResponse, act: (connection: Socket) => void): void {
  if (response.socket === null) response.once('socket', act);
  else act(response.socket);
}

function bytesFor({ req }: ServerResponse, body: string): Buffer {
  return Buffer.from(req.method === 'HEAD' ? '' : body);
}
