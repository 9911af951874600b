import { type ClientRequest, Agent as HttpAgent, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';

/** What is sent to an upstream. */
export interface Outgoing {
  method: string;
  /** Path and query at the upstream. */
  target: string;
  /** Names and values in turn. */
  headers: readonly string[];
}

/** The connections to one upstream. */
export interface Upstream {
  /** Begins a request; its body is still to be written. `isAlone` asks for a connection that was not used before. */
  send(outgoing: Outgoing, isAlone?: boolean): ClientRequest;
  /** Ends all connections. */
  close(): void;
}

// More than other parts take in: what they refuse is theirs to say.
export const maxHeaderBytes = 65_536;

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

// An upstream that is told may close while it is still being written to.
const untold = ['Connection', 'keep-alive'];

/** Whether a request may be sent again when its connection turns out to be closed (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return safeMethods.includes(method);
}

/**
 * Connections are kept for requests that change nothing: an upstream may close one that idles just when it is used, and
 * then nobody knows whether it has acted. Others have one of their own, which it is not told.
 */
export function createUpstream({ protocol, hostname, port }: URL): Upstream {
  const isSecure = protocol === 'https:';
  const [kept, single] = [{ keepAlive: true }, { keepAlive: false }].map((options) =>
    isSecure ? new HttpsAgent(options) : new HttpAgent(options),
  );
  const request = isSecure ? requestOverHttps : requestOverHttp;
  return {
    send: ({ method, target, headers }, isAlone = !isSafe(method)) =>
      request({
        agent: isAlone ? single : kept,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (isSecure ? 443 : 80),
        method,
        path: target,
        headers: isAlone ? [...headers, ...untold] : headers,
        maxHeaderSize: maxHeaderBytes,
      }),
    close: () => {
      kept?.destroy();
      single?.destroy();
    },
  };
}
