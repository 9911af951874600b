import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Does something when the answers before this one are out. */
export function whenItsTurn(response: ServerResponse, act: (connection: Socket) => void): void {
  if (response.socket === null) response.once('socket', act);
  else act(response.socket);
}

/**
 * Asks clients that wait for it to send their bodies (`Expect: 100-continue`; RFC 9110, section 10.1.1), each when it is its
 * turn. Behind other requests of a connection, Node itself would ask between the head and the body of the answer.
 */
export function continueInTurn(server: Server): void {
  server.on('checkContinue', (request, response) => {
    whenItsTurn(response, () => {
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}

/**
 * Ends a connection on which no more can be read, after all answers that are due. `answer` ends it with one to the request
 * that could not be read; that request may have been answered before it was whole. `latest` is the response to the
 * latest request whose head was read.
 */
export function endInTurn(socket: Socket, latest: ServerResponse | undefined, answer: () => void): void {
  const close = () => socket.destroySoon();
  if (latest === undefined) answer();
  else if (latest.req.complete) whenFinished(latest, answer);
  else if (latest.headersSent) whenFinished(latest, close);
  else whenItsTurn(latest, () => (latest.headersSent ? whenFinished(latest, close) : answer()));
}

function whenFinished(response: ServerResponse, act: () => void): void {
  if (response.writableFinished) act();
  else response.once('finish', act);
}
