import { type ClientRequest, Agent as HttpAgent, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';

/** The head of a request to an upstream. */
interface Outgoing {
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
 * The connections to an upstream: one for each request. An upstream that answers twice, or takes a body for the next
 * request, would have others get what is not theirs.
 */
export function createUpstream({ protocol, hostname, port }: URL) {
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const request = isSecure ? requestOverHttps : requestOverHttp;
  return {
    /** Begins a request; its body is still to be written. */
    send: ({ method, target, headers }: Outgoing): ClientRequest =>
      request({
        agent,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (isSecure ? 443 : 80),
        method,
        path: target,
        headers: [...headers, ...keepAlive],
        maxHeaderSize: maxHeaderBytes,
      }),
    close: () => agent.destroy(),
  };
}
