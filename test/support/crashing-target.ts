import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Session } from '../../conformance/target/session.ts';
import { answerOf } from './dying-target.ts';

/**
 * Starts a front of the mock at `mockUrl` that crashes at each selected request. Like under a supervisor, it starts again
 * once the run has seen that it is gone, however late the run looks.
 */
export async function startCrashing(mockUrl: string, isMeant: (request: IncomingMessage, body: string) => boolean) {
  const server = createServer({ keepAliveTimeout: 0 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  let count = 0;
  server.on('request', async (request, response) => {
    // A request in progress when the process ended has no body.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    if (isMeant(request, body.toString())) {
      count++;
      await end(server);
      return;
    }
    (await answerOf(mockUrl, request, body))(response);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}${new URL(mockUrl).pathname}`,
    /** How often it crashed. */
    crashes: () => count,
    startAgainFor: ({ target }: Session) => {
      target.onExchange = ({ request, answered }) => {
        const isSeen = request === target.heartbeat && answered.failure?.kind === 'refused';
        if (isSeen && !server.listening) server.listen(port, '127.0.0.1');
      };
    },
    close: () => end(server),
  };
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
