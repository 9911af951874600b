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

/** The connections to an upstream. It does not know which connections are used only once. */
export function createUpstream({ protocol, hostname, port }: URL) {
  const isSecure = protocol === 'https:';
  const [shared, single] = [{ keepAlive: true }, { keepAlive: false }].map((options) =>
    isSecure ? new HttpsAgent(options) : new HttpAgent(options),
  );
  const request = isSecure ? requestOverHttps : requestOverHttp;
  return {
    /** Begins a request; its body is still to be written. `isAlone` asks for a connection that nobody else uses. */
    send: ({ method, target, headers }: Outgoing, isAlone: boolean): ClientRequest =>
      request({
        agent: isAlone ? single : shared,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (isSecure ? 443 : 80),
        method,
        path: target,
        headers: isAlone ? [...headers, ...keepAlive] : headers,
        maxHeaderSize: maxHeaderBytes,
      }),
    close: () => {
      shared?.destroy();
      single?.destroy();
    },
  };
}
