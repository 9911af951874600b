/*
 * The connections to an upstream. Each serves a single request, except that the plain reads of one client connection
 * share one. Otherwise an upstream that responds twice, or reads a body as the next request, would send one client
 * another client's response.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Outgoing } from './headers.ts';
import { isFramed } from './headers.ts';

// More than clients and servers accept, since they refuse oversized input themselves.
export const maxHeaderBytes = 65_536;

// An upstream that gets `Connection: close` may close before the request is fully sent.
const keepAlive = ['Connection', 'keep-alive'];

/** The connections to one upstream. */
export class Upstream {
  readonly #isSecure: boolean;
  readonly #target: { hostname: string; port: string | number };
  readonly #single: HttpAgent;
  readonly #kept = new Map<Socket, KeepingAgent>();
  // After unsolicited bytes, the next ones may look like a response.
  #isTrusted = true;

  constructor({ protocol, hostname, port }: URL) {
    this.#isSecure = protocol === 'https:';
    this.#target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || (this.#isSecure ? 443 : 80) };
    this.#single = this.#isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  }

  /** Starts a request on a new connection; its body is not written yet. */
  send(outgoing: Outgoing): ClientRequest {
    return this.#begin(outgoing, this.#single);
  }

  /** Starts a plain read for a client, on the connection of the previous one if possible. */
  async read(outgoing: Outgoing, client: Socket): Promise<ClientRequest> {
    const agent = this.#agentOf(client);
    const { idle } = agent;
    if (idle === undefined) return this.#begin(outgoing, agent);
    // Unsolicited bytes and a closed connection must be noticed before it is used.
    await setImmediate();
    if (idle.socket.bytesRead > idle.receivedBytes) {
      this.#isTrusted = false;
      idle.socket.destroy();
    }
    const request = this.#begin(outgoing, agent);
    receivedBefore.set(request, idle.receivedBytes);
    return request;
  }

  close(): void {
    for (const agent of [this.#single, ...this.#kept.values()]) agent.destroy();
  }

  #begin({ method, target: path, headers }: Outgoing, agent: HttpAgent): ClientRequest {
    const request = this.#isSecure ? requestOverHttps : requestOverHttp;
    const options = { ...this.#target, agent, method, path, maxHeaderSize: maxHeaderBytes };
    return request({ ...options, headers: [...headers, ...keepAlive] });
  }

  /** The agent of an open client connection: it ends with the connection. */
  #agentOf(client: Socket): KeepingAgent {
    const known = this.#kept.get(client);
    if (known !== undefined) return known;
    const agent = createKeepingAgent(this.#isSecure ? HttpsAgent : HttpAgent, () => {
      return this.#isTrusted && !client.destroyed;
    });
    this.#kept.set(client, agent);
    client.once('close', () => {
      this.#kept.delete(client);
      agent.destroy();
    });
    return agent;
  }
}

/** An agent that keeps one connection for the next request. */
interface KeepingAgent extends HttpAgent {
  /** The connection that was kept last, and how much had been received over it. */
  idle: { socket: Socket; receivedBytes: number } | undefined;
}

function createKeepingAgent(Agent: typeof HttpAgent, mayKeep: () => boolean): KeepingAgent {
  class Keeping extends Agent implements KeepingAgent {
    idle: KeepingAgent['idle'];

    // Node closes the connection unless this is true.
    override keepSocketAlive(socket: Socket) {
      this.idle = { socket, receivedBytes: socket.bytesRead };
      return mayKeep() && super.keepSocketAlive(socket);
    }
  }
  return new Keeping({ keepAlive: true, maxFreeSockets: 1 });
}

// How much had been received over a kept connection before a request.
const receivedBefore = new WeakMap<ClientRequest, number>();

/** Whether a request consists of a head only, and can be repeated: no server can read a second request out of it. */
export function isPlainRead(message: IncomingMessage): boolean {
  const { method, httpVersion, headers } = message;
  const isPlain = headers.upgrade === undefined && headers.expect === undefined && !isFramed(message);
  return method === 'GET' && httpVersion === '1.1' && isPlain;
}

/** Whether a request came too late: the upstream had closed the connection. On a new one it would have responded. */
export function cameTooLate(request: ClientRequest, error: unknown): boolean {
  const { code } = error as { code?: unknown };
  const isUnheard = request.reusedSocket && request.socket?.bytesRead === receivedBefore.get(request);
  return isUnheard && (code === 'ECONNRESET' || code === 'EPIPE');
}
