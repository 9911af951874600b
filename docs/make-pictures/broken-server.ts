/** A server with a mistake that real ones make, for pictures of what the suite finds: a mock behind a front. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '../../src/index.ts';

interface Running {
  /** With the version segment. */
  baseUrl: string;
  close(): Promise<void>;
}

export async function startBrokenServer(clock: string): Promise<Running> {
  const mock = await createMock({ clock });
  const server = createServer((request, response) => void handOn(mock.url, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v0.1`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await mock.close();
    },
  };
}

/** `offset` is ignored: the first drives always come, with the offset that was asked for. */
async function handOn(mockUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const offset = /^\/v0\.1\/drives\?.*\boffset=(\d+)/.exec(url)?.[1];
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers;
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
  const target = new URL(mockUrl).origin + (offset === undefined ? url : url.replace(/([?&])offset=\d+/, '$1offset=0'));
  const answer = await fetch(target, { method, headers: kept as Record<string, string>, ...body });
  const text = (await answer.text()).replace('"offset":0', `"offset":${offset ?? 0}`);
  const type = answer.headers.get('content-type');
  response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(text);
}
