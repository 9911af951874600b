import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { isFramed } from './headers.ts';
import { isUnheard, Lanes, watch } from './lanes.ts';

/** The head of a request to an upstream. */
export interface Outgoing {
  method: string;
  /** Path and query at the upstream. */
  target: string;
  /** Names and values alternate. */
  headers: readonly string[];
}

// More than clients and servers accept, since they refuse oversized input themselves.
export const maxHeaderBytes = 65_536;

// An upstream that gets `Connection: close` may close before the request is fully sent.
const keepAlive = ['Connection', 'keep-alive'];

/**
 * The connections to an upstream. Each serves a single request, except that the plain reads of one client connection
 * share one. Otherwise an upstream that responds twice, or reads a body as the next request, would send one client
 * another client's response.
 */
export class Upstream {
  readonly #begin: (outgoing: Outgoing, agent: HttpAgent) => ClientRequest;
  readonly #single: HttpAgent;
  readonly #lanes: Lanes;

  constructor(url: URL) {
    const isSecure = url.protocol === 'https:';
    this.#single = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
    this.#lanes = new Lanes(isSecure ? HttpsAgent : HttpAgent);
    this.#begin = createBegin(url, isSecure);
  }

  /** Starts a request on a new connection; its body is not written yet. */
  send(outgoing: Outgoing): ClientRequest {
    return this.#begin(outgoing, this.#single);
  }

  /** Starts a plain read for a client, on the connection of the previous one if possible. */
  async read(outgoing: Outgoing, client: Socket): Promise<ClientRequest> {
    const lane = this.#lanes.of(client);
    // Unsolicited bytes and a closed connection must be noticed before it is used.
    if (Object.keys(lane.freeSockets).length > 0) await setImmediate();
    return watch(this.#begin(outgoing, lane));
  }

  close(): void {
    this.#single.destroy();
    this.#lanes.close();
  }
}

function createBegin(
  { hostname, port }: URL,
  isSecure: boolean,
): (outgoing: Outgoing, agent: HttpAgent) => ClientRequest {
  const request = isSecure ? requestOverHttps : requestOverHttp;
  const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || (isSecure ? 443 : 80) };
  return ({ method, target: path, headers }, agent) =>
    request({ ...target, agent, method, path, headers: [...headers, ...keepAlive], maxHeaderSize: maxHeaderBytes });
}

/** Whether a request consists of a head only, and can be repeated: no server can read a second request out of it. */
export function isPlainRead(message: IncomingMessage): boolean {
  const { method, httpVersion, headers } = message;
  const isPlain = headers.upgrade === undefined && headers.expect === undefined && !isFramed(message);
  return method === 'GET' && httpVersion === '1.1' && isPlain;
}

/** Whether a request came too late: the upstream had closed the connection. On a new one it would have responded. */
export function cameTooLate(request: ClientRequest, error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isUnheard(request) && (code === 'ECONNRESET' || code === 'EPIPE');
}
