import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from './application.ts';
import type { Context } from './http.ts';

export const versionSegment = '/v0.1';

export interface Listening {
  baseUrl: string;
  stop: () => Promise<void>;
}

/** Serves an application on a free port of 127.0.0.1. */
export async function listen(app: Application): Promise<Listening> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return; // The client went away.
    }
    const url = incoming.url ?? '/';
    const split = url.includes('?') ? url.indexOf('?') : url.length;
    const rawQuery = url.slice(split + 1);
    const path = url.slice(0, split);
    const context: Context = {
      method: incoming.method ?? 'GET',
      path: path.startsWith(`${versionSegment}/`) ? path.slice(versionSegment.length) : '',
      rawQuery,
      query: new URLSearchParams(rawQuery),
      headers: incoming.headers,
      rawBody: Buffer.concat(chunks),
      connection: incoming.socket,
      operation: 'listAgents',
      params: {},
      organizationId: '',
      input: {},
    };
    try {
      const answer = await app.handle(context);
      const { headers, bytes } = app.encode(answer, context);
      outgoing.writeHead(answer.status, { 'content-length': String(bytes.length), ...headers, ...answer.headers });
      outgoing.end(context.method === 'HEAD' ? undefined : bytes);
    } catch {
      outgoing.writeHead(500).end(); // Only when variants that do not fit each other are combined.
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${versionSegment}`,
    stop: () => {
      app.timers.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}
