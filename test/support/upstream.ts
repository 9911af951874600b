import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as received by an upstream. */
export interface Received {
  method: string;
  target: string;
  /** Names and values alternate, as on the wire. */
  rawHeaders: string[];
  headers: IncomingMessage['headers'];
  body: string;
  trailers: Record<string, string | undefined>;
}

/** A server for a test, to use behind a proxy. */
export interface TestUpstream {
  /** The base URL, with the version segment. */
  url: string;
  origin: string;
  close(): Promise<void>;
  /** Listens on its port again. */
  listenAgain(): Promise<void>;
}

/** Starts a server with this listener. */
export async function startUpstream(listener: RequestListener, options: ServerOptions = {}): Promise<TestUpstream> {
  // Node must not end a connection because of a time limit, however busy the machine is.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0, ...options }, listener);
  // Passed to the listener, instead of being judged by Node.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/v0.1`,
    origin,
    listenAgain: () => (server.listening ? Promise.resolve() : listen(port)),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Starts a server that does with each connection what it likes. */
export async function startSockets(
  onConnection: (socket: Socket) => void,
): Promise<Pick<TestUpstream, 'url' | 'close'>> {
  const sockets: Socket[] = [];
  // Otherwise the system would hold a late piece back until the next request.
  const server = createSocketServer({ noDelay: true }, (socket) => {
    sockets.push(socket.on('error', () => undefined));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0.1`, close };
}

/** A listener that records each complete request and then responds. */
export function recording(
  received: Received[],
  answer: (response: ServerResponse, request: Received) => void,
): RequestListener {
  return async (request, response) => {
    const { method = '', url: target = '', rawHeaders, headers, trailers } = request;
    const body = (await buffer(request)).toString();
    const kept = { method, target, rawHeaders, headers, body, trailers: { ...trailers } };
    received.push(kept);
    answer(response, kept);
  };
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const body = JSON.stringify(value);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
