import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Does something with a connection when the answers before this one are out. */
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
