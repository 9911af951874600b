import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authenticate } from './authentication.ts';
import { readBody } from './body.ts';
import { type Answer, operations, type Parts } from './operations.ts';
import { Refusal, unknown } from './refusal.ts';
import { findRoute } from './router.ts';

const base = '/v0.1';

/** A server that is listening. */
export interface Listening {
  baseUrl: string;
  close(): Promise<void>;
}

/** Serves the operations on a free port of this machine. */
export async function listen(parts: Parts): Promise<Listening> {
  const server = createServer((request, response) => void serve(parts, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  return { baseUrl: `http://127.0.0.1:${port}${base}`, close };
}

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answerOf(parts, request).catch((error: unknown) => refusalAnswer(parts, error));
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

// The key comes first: without a valid one the answer is 401, whatever else is wrong.
async function answerOf(parts: Parts, request: IncomingMessage): Promise<Answer> {
  const organizationId = await authenticate(parts, request.headers);
  const { path, search } = split(request.url ?? '');
  const { operation, ids } = findRoute(request.method ?? '', path);
  const query = parts.rules.query(search);
  const body = /^(POST|PATCH)/.test(operation) ? await readBody(request) : {};
  const run = operations[operation] as (typeof operations)[string];
  return run(parts, { organizationId, ids, query, body });
}

function split(url: string): { path: string; search: string } {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith(`${base}/`)) throw unknown('path');
  return { path: path.slice(base.length), search: rest.join('?') };
}

function refusalAnswer({ choices }: Parts, error: unknown): Answer {
  if (error instanceof Refusal) return { status: error.status, body: choices.problem(error.message) };
  return { status: 500, body: choices.problem('internal error') };
}
