import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { handOn } from './dying-target.ts';

/** A front of a mock whose process ends now and then, and is started again by a supervisor. */
export interface CrashingTarget {
  baseUrl: string;
  /** How often it ended. */
  crashes(): number;
  close(): Promise<void>;
}

// A supervisor takes a moment.
const restartMs = 25;

/** Starts a front of the mock at `mockUrl` that ends at each request that is meant, and listens again soon. */
export async function startCrashing(
  mockUrl: string,
  isMeant: (request: IncomingMessage, body: string) => boolean,
): Promise<CrashingTarget> {
  const server = createServer({ keepAliveTimeout: 0 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  let count = 0;
  let supervisor: NodeJS.Timeout | undefined;
  server.on('request', async (request, response) => {
    const body = await buffer(request);
    if (isMeant(request, body.toString())) {
      count++;
      await end(server);
      supervisor = setTimeout(() => server.listen(port, '127.0.0.1'), restartMs);
      return;
    }
    await handOn(mockUrl, request, response, body);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}${new URL(mockUrl).pathname}`,
    crashes: () => count,
    close: async () => {
      clearTimeout(supervisor);
      await end(server);
    },
  };
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
