import { get as httpGet } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';

/** The key of every seed of the benchmark. Prism takes any. */
export const key = 'demo-key';
export const keyHeader = { 'x-api-key': key };

export interface Reply {
  status: number | undefined;
  contentType: string | undefined;
  body: string;
}

const requestLimitMs = 10_000;

/** The answer to one GET on a connection of its own. */
export function get(url: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: keyHeader, timeout: requestLimitMs };
    const request = httpGet(url, options, (response) => {
      const toReply = (body: string) => ({
        status: response.statusCode,
        contentType: response.headers['content-type'],
        body,
      });
      text(response).then((body) => resolve(toReply(body)), reject);
    });
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer in time.`)));
    request.on('error', reject);
  });
}

/** The number of drives in an answer; 0 when it is none of `GET /drives`. */
export function driveCount({ status, body }: Reply): number {
  if (status !== 200) return 0;
  const { data } = JSON.parse(body) as { data?: unknown };
  return Array.isArray(data) ? data.length : 0;
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      server.close(() => (port === undefined ? reject(new Error('No port is free.')) : resolve(port)));
    });
  });
}
