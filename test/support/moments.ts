import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { answerOf } from './dying-target.ts';

/** A request as a target receives it. */
export interface Asked {
  method: string;
  /** The path to which a file should be moved; undefined for other requests. */
  sentTo: string | undefined;
}

/**
 * What happens to the request at a moment. `answered`: it gets its response. `lost`: it is performed, but its
 * connection breaks. `hung`: it is performed, but gets no response. `dropped`: it is not performed, and its connection
 * breaks.
 */
export type Fate = 'answered' | 'lost' | 'hung' | 'dropped';

/** A place in a run at which something happens. */
export interface Moment {
  name: string;
  isHere(asked: Asked): boolean;
  fate: Fate;
}

/** A front of a mock that waits for a moment. */
export interface MomentFront {
  baseUrl: string;
  /** Stops listening for a while, like a server that restarts. */
  restart(downMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a front of the mock at `mockUrl`. At the first request of the moment it calls `act` before it responds. */
export async function startMoment(
  mockUrl: string,
  moment: Moment,
  act: (front: MomentFront) => unknown,
): Promise<MomentFront> {
  let isOver = false;
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, async (request, response) => {
    const body = await buffer(request);
    const isNow = !isOver && moment.isHere(askedBy(request, body));
    isOver ||= isNow;
    const fate = isNow ? moment.fate : 'answered';
    // Performed before the moment; answered after it.
    const answer = fate === 'dropped' ? undefined : await answerOf(mockUrl, request, body);
    if (fate === 'lost' || fate === 'dropped') request.socket.destroy();
    if (isNow) await act(front);
    if (fate === 'answered') answer?.(response);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const front: MomentFront = {
    baseUrl: `http://127.0.0.1:${port}${new URL(mockUrl).pathname}`,
    restart: async (downMs) => {
      await close();
      await setTimeout(downMs);
      await listen(port);
    },
    close,
  };
  return front;
}

function askedBy({ method = '' }: IncomingMessage, body: Buffer): Asked {
  if (method !== 'PATCH') return { method, sentTo: undefined };
  try {
    return { method, sentTo: String(JSON.parse(body.toString()).path) };
  } catch {
    return { method, sentTo: undefined };
  }
}
