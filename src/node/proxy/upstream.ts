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
  /** Names and values in turn. */
  headers: readonly string[];
}

// More than other parts accept, since they refuse oversized input themselves.
export const maxHeaderBytes = 65_536;

// An upstream that gets `Connection: close` may close while it is still being written to.
const keepAlive = ['Connection', 'keep-alive'];

/**
 * The connections to an upstream. One serves a single request, except for plain reads: those of one client connection
 * follow each other on one connection. An upstream that responds twice, or takes a body for the next request, would have
 * others get what is not theirs.
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

  /** Starts a request on a separate connection; its body is not written yet. */
  send(outgoing: Outgoing): ClientRequest {
    return this.#begin(outgoing, this.#single);
  }

  /** Begins a plain read for a client, on the connection of the one before it where that can be. */
  async read(outgoing: Outgoing, client: Socket): Promise<ClientRequest> {
    const lane = this.#lanes.of(client);
    // Unsolicited bytes, and the end of a connection, are noticed before it is used.
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

/** Whether a request is nothing but a head, and can be repeated: no server reads the next request out of it. */
export function isPlainRead(message: IncomingMessage): boolean {
  const { method, httpVersion, headers } = message;
  const isPlain = headers.upgrade === undefined && headers.expect === undefined && !isFramed(message);
  return method === 'GET' && httpVersion === '1.1' && isPlain;
}

/**
 * Whether a request failed because its connection had ended meanwhile: it came too late. The upstream
 * would have responded on a different one.
 */
export function cameTooLate(request: ClientRequest, error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isUnheard(request) && (code === 'ECONNRESET' || code === 'EPIPE');
}
