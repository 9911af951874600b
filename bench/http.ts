import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The key of every seed of the benchmark. The peers take any. */
export const key = 'demo-key';
export const keyHeader = { 'x-api-key': key };

export interface Reply {
  status: number;
  body: string;
}

const requestLimitMs = 10_000;

/** The answer to one GET. */
export async function get(url: string): Promise<Reply> {
  const response = await fetch(url, { headers: keyHeader, signal: AbortSignal.timeout(requestLimitMs) });
  return { status: response.status, body: await response.text() };
}

/** The number of drives in an answer; 0 when it is none of `GET /drives`. */
export function driveCount({ status, body }: Reply): number {
  if (status !== 200) return 0;
  const { data } = JSON.parse(body) as { data?: unknown };
  return Array.isArray(data) ? data.length : 0;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
