import { once } from 'node:events';
import { connect } from 'node:net';
import { key } from './http.ts';

/** An answer and the time from the first byte of the request to the last of the answer. */
export interface TimedAnswer {
  status: number;
  body: string;
  durationMs: number;
}

/** One connection that is kept, for one request at a time. */
export interface Connection {
  send(method: string, path: string, apiKey?: string, json?: string): Promise<TimedAnswer>;
  close(): void;
}

/** A connection to a mock. A plain socket: a client library would cost more than the mock and hide how it scales. */
export async function connectTo(baseUrl: string): Promise<Connection> {
  const { hostname, port, host, pathname } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  const parts = socket[Symbol.asyncIterator]();
  const send = async (method: string, path: string, apiKey = key, json?: string) => {
    const startedMs = performance.now();
    const head = `${method} ${pathname}${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${apiKey}\r\n`;
    socket.write(`${head}${json === undefined ? '\r\n' : bodyOf(json)}`);
    const text = await wholeAnswer(parts);
    return { ...toAnswer(text), durationMs: performance.now() - startedMs };
  };
  return { send, close: () => socket.destroy() };
}

const bodyOf = (json: string) =>
  `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;

async function wholeAnswer(parts: AsyncIterator<string>): Promise<string> {
  let text = '';
  while (!isWhole(text)) {
    const { value, done } = await parts.next();
    if (done) throw new Error('The connection ended within a response.');
    text += value;
  }
  return text;
}

const headEnd = '\r\n\r\n';

function isWhole(text: string): boolean {
  const end = text.indexOf(headEnd);
  if (end < 0) return false;
  const length = /^content-length: (\d+)/im.exec(text)?.[1];
  if (length === undefined) throw new Error(`A response does not give its length: ${text.slice(0, end)}`);
  return text.length >= end + headEnd.length + Number(length);
}

function toAnswer(text: string): { status: number; body: string } {
  return { status: Number(text.slice(9, 12)), body: text.slice(text.indexOf(headEnd) + headEnd.length) };
}
