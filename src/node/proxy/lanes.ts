import type { ClientRequest, Agent as HttpAgent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { KeptConnection } from './kept-connection.ts';

/** The agent of one client connection. */
type Lane = HttpAgent;

const connections = new WeakMap<Duplex, KeptConnection>();
const connectionOf = new WeakMap<ClientRequest, KeptConnection>();

/** At most one connection to the upstream for each client connection, reused if that is safe. */
export class Lanes {
  readonly #open = new Map<Socket, Lane>();
  readonly #create: () => Lane;
  // After unsolicited bytes, the next ones may look like a response.
  #isTrusted = true;

  /** `Agent`: Node's agent for HTTP or HTTPS. */
  constructor(Agent: typeof HttpAgent) {
    const onStray = () => {
      this.#isTrusted = false;
    };
    this.#create = createLanes(Agent, () => this.#isTrusted, onStray);
  }

  /** The lane of an open client connection. It ends with the connection. */
  of(client: Socket): Lane {
    const known = this.#open.get(client);
    if (known !== undefined) return known;
    const lane = this.#create();
    this.#open.set(client, lane);
    client.once('close', () => {
      this.#open.delete(client);
      lane.destroy();
    });
    return lane;
  }

  close(): void {
    for (const lane of this.#open.values()) lane.destroy();
  }
}

/** Call it when a request starts on a lane. */
export function watch(request: ClientRequest): ClientRequest {
  return request.once('socket', (socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.begin(request);
    connectionOf.set(request, connection);
  });
}

/** Whether a request went over a reused connection, and nothing was received since. */
export function isUnheard(request: ClientRequest): boolean {
  return request.reusedSocket && connectionOf.get(request)?.isSilent === true;
}

function createLanes(Agent: typeof HttpAgent, isTrusted: () => boolean, onStray: () => void): () => Lane {
  class WatchedLane extends Agent {
    #isOver = false;

    override createConnection(...args: Parameters<HttpAgent['createConnection']>): Duplex | null | undefined {
      const socket = super.createConnection(...args);
      if (socket) connections.set(socket, new KeptConnection(socket, onStray));
      return socket;
    }

    // Node closes the connection unless this is true.
    override keepSocketAlive(socket: Duplex) {
      const isClear = connections.get(socket)?.end() === true;
      return isClear && isTrusted() && !this.#isOver && super.keepSocketAlive(socket);
    }

    override destroy(): void {
      this.#isOver = true;
      super.destroy();
    }
  }
  return () => new WatchedLane({ keepAlive: true, maxFreeSockets: 1 });
}
