import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A running server that is no implementation of anything. */
interface RunningDegenerate {
  baseUrl: string;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** A server on which a suite must come to an end, and must not find anything to be in order. */
export interface DegenerateServer {
  /** Kebab-case, unique. */
  id: string;
  start(): Promise<RunningDegenerate>;
}

const json = { 'content-type': 'application/json' };
const megabyte = Buffer.alloc(1024 * 1024, ' ');

/** Servers that are wrong in everything. */
export const degenerateServers: readonly DegenerateServer[] = [
  { id: 'refuses-connections', start: refuseConnections },
  overTcp('never-answers', (socket) => void socket.resume()),
  overTcp('closes-at-once', (socket) => socket.destroy()),
  overTcp('sends-garbage', (socket) => {
    socket.once('data', () => socket.end(Buffer.from([0, 255, 13, 10, 7, 128, 72, 84, 84, 80, 10, 13, 10])));
  }),
  always('empty-object', 200, json, '{}'),
  always('empty-array', 200, json, '[]'),
  always('null', 200, json, 'null'),
  always('401', 401, json, '{"message":"Unauthorized"}'),
  always('403', 403, json, '{"message":"Forbidden"}'),
  always('404', 404, json, '{"message":"Not found"}'),
  always('429', 429, { ...json, 'retry-after': '1' }, '{"message":"Too many requests"}'),
  always('500', 500, json, '{"message":"Internal error"}'),
  always('503', 503, json, '{"message":"Unavailable"}'),
  always('html', 200, { 'content-type': 'text/html' }, '<!doctype html><title>Welcome</title><p>It works.'),
  overHttp('redirects-in-a-circle', ({ url = '' }, response) => {
    const other = url.endsWith('/again') ? url.slice(0, -'/again'.length) : `${url}/again`;
    response.writeHead(302, { location: other }).end();
  }),
  overHttp('echo', async (request, response) => {
    const { method, url, headers } = request;
    response
      .writeHead(200, json)
      .end(JSON.stringify({ method, url, headers, body: await text(request).catch(() => '') }));
  }),
  overHttp('endless-body', (_request, response) => {
    response.writeHead(200, json).write('[');
    pour(response, Number.POSITIVE_INFINITY);
  }),
  overHttp('body-of-fifty-megabytes', (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': 50 * megabyte.length + 2 }).write('[');
    pour(response, 50);
  }),
  overHttp('head-only', (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': 1000 }).flushHeaders();
  }),
  overHttp('byte-per-second', (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': 1000 }).write('[');
    const timer = setInterval(() => response.write(' '), 1000);
    response.once('close', () => clearInterval(timer));
  }),
];

/** Blanks by the megabyte, as fast as they are read, and the end of the array. */
function pour(response: ServerResponse, megabytes: number): void {
  if (response.destroyed) return;
  if (megabytes === 0) response.end(']');
  else response.write(megabyte, () => pour(response, megabytes - 1));
}

function always(id: string, status: number, headers: Record<string, string>, body: string): DegenerateServer {
  return overHttp(`always-${id}`, (_request, response) => void response.writeHead(status, headers).end(body));
}

function overHttp(id: string, answer: RequestListener): DegenerateServer {
  return { id, start: () => listen(createHttpServer(answer)) };
}

function overTcp(id: string, serve: (socket: Socket) => void): DegenerateServer {
  return { id, start: () => listen(createTcpServer(serve)) };
}

// On a port that was free a moment ago.
async function refuseConnections(): Promise<RunningDegenerate> {
  const { baseUrl, close } = await listen(createTcpServer());
  await close();
  return { baseUrl, close: async () => undefined };
}

async function listen(server: Server): Promise<RunningDegenerate> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // A client that goes away is no error here.
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { baseUrl: `http://127.0.0.1:${port}/v0.1`, close };
}
