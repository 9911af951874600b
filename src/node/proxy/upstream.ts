import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { isFramed } from './headers.ts';
import { KeptConnection } from './kept-connection.ts';

/** The head of a request to an upstream. */
export interface Outgoing {
  method: string;
  /** Path and query at the upstream. */
  target: string;
  /** Names and values in turn. */
  headers: readonly string[];
}

// More than other parts accept, since they refuse oversized input themselves.
export const maxHeaderBytes = 65_536;

// An upstream that gets `Connection: close` may close while it is still being written to.
const keepAlive = ['Connection', 'keep-alive'];

export type Upstream = ReturnType<typeof createUpstream>;

/**
 * The connections to an upstream. One serves a single request, except for plain reads: those of one client connection
 * follow each other on one connection. An upstream that answers twice, or takes a body for the next request, would have
 * others get what is not theirs.
 */
export function createUpstream({ protocol, hostname, port }: URL) {
  const isSecure = protocol === 'https:';
  const single = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const lanes = createLanes(isSecure ? HttpsAgent : HttpAgent);
  const request = isSecure ? requestOverHttps : requestOverHttp;
  const begin = ({ method, target, headers }: Outgoing, agent: HttpAgent): ClientRequest =>
    request({
      agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port || (isSecure ? 443 : 80),
      method,
      path: target,
      headers: [...headers, ...keepAlive],
      maxHeaderSize: maxHeaderBytes,
    });
  return {
    /** Begins a request on a connection of its own; its body is still to be written. */
    send: (outgoing: Outgoing): ClientRequest => begin(outgoing, single),
    /** Begins a plain read for a client, on the connection of the one before it where that can be. */
    read: async (outgoing: Outgoing, client: Socket): Promise<ClientRequest> => {
      const lane = lanes.of(client);
      // Bytes that nobody asked for, and the end of a connection, are seen before it is used.
      if (Object.keys(lane.freeSockets).length > 0) await setImmediate();
      return lanes.begin(begin(outgoing, lane));
    },
    /**
     * Whether a request failed because its connection had ended meanwhile: it came too late to be answered. The upstream
     * would have answered on another one.
     */
    cameTooLate: (request: ClientRequest, error: unknown): boolean => {
      const { code } = error as { code?: unknown };
      return request.reusedSocket && lanes.isSilent(request) && (code === 'ECONNRESET' || code === 'EPIPE');
    },
    close: () => {
      single.destroy();
      lanes.close();
    },
  };
}

/** Whether a request is nothing but a head, and can be repeated: no server reads the next request out of it. */
export function isPlainRead(message: IncomingMessage): boolean {
  const { method, httpVersion, headers } = message;
  const isPlain = headers.upgrade === undefined && headers.expect === undefined && !isFramed(message);
  return method === 'GET' && httpVersion === '1.1' && isPlain;
}

/** For each connection of a client one to the upstream at most, which is used again where that is safe. */
function createLanes(Agent: typeof HttpAgent) {
  const connections = new WeakMap<Duplex, KeptConnection>();
  const ofRequest = new WeakMap<ClientRequest, KeptConnection>();
  const open = new Map<Socket, HttpAgent>();
  // Where bytes came that nobody had asked for, the next ones may look like an answer.
  let isTrusted = true;
  const distrust = () => {
    isTrusted = false;
  };
  class Lane extends Agent {
    #isOver = false;

    override createConnection(...args: Parameters<HttpAgent['createConnection']>): Duplex | null | undefined {
      const socket = super.createConnection(...args);
      if (socket) connections.set(socket, new KeptConnection(socket, distrust));
      return socket;
    }

    // Node closes the connection unless this is true.
    override keepSocketAlive(socket: Duplex) {
      const isClear = connections.get(socket)?.end() === true;
      return isClear && isTrusted && !this.#isOver && super.keepSocketAlive(socket);
    }

    override destroy(): void {
      this.#isOver = true;
      super.destroy();
    }
  }
  const openLane = (client: Socket): HttpAgent => {
    const lane = new Lane({ keepAlive: true, maxFreeSockets: 1 });
    open.set(client, lane);
    client.once('close', () => {
      open.delete(client);
      lane.destroy();
    });
    return lane;
  };
  return {
    of: (client: Socket): HttpAgent => open.get(client) ?? openLane(client),
    begin: (request: ClientRequest): ClientRequest =>
      request.once('socket', (socket) => {
        const connection = connections.get(socket);
        connection?.begin(request);
        if (connection !== undefined) ofRequest.set(request, connection);
      }),
    isSilent: (request: ClientRequest): boolean => ofRequest.get(request)?.isSilent === true,
    close: () => {
      for (const lane of open.values()) lane.destroy();
    },
  };
}
