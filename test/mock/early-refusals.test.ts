import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useMock } from '../support/control.ts';
import { useProxy, useSockets } from '../support/proxied.ts';

// A server may refuse a large body before it has read it. Its answer must reach a client that is still sending.

const large = Buffer.alloc(8 * 1_048_576, ' ');
const rounds = [1, 2, 3];

/** Sends a large body. The status of the answer, or the code of the error that came in its place. */
function sendLarge(url: string, method = 'POST', key = 'demo-key'): Promise<number | string | undefined> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': large.length };
  const { promise, resolve } = Promise.withResolvers<number | string | undefined>();
  const sent = sendRequest(url, { method, headers, agent: false });
  sent.on('response', (answer: IncomingMessage) => answer.resume().on('end', () => resolve(answer.statusCode)));
  sent.on('error', (error) => resolve((error as { code?: string }).code));
  sent.end(large);
  return promise;
}

const refusal = (...lines: string[]) =>
  ['HTTP/1.1 413 Content Too Large', 'Content-Type: application/json', 'Content-Length: 2', ...lines, '', '{}'].join(
    '\r\n',
  );

/** The base URL of a server that answers when it has read something, and then acts on the connection. */
const startRefusing = (answer: string, act: (socket: Socket) => void) =>
  useSockets((socket) => void socket.once('data', () => socket.write(answer, () => act(socket))));

describe('the proxy passes on the answer of an upstream that refuses early, and', () => {
  const ends: Record<string, (socket: Socket) => void> = {
    // Within one turn of this process, nobody could read the answer before.
    'closes at once': (socket) => void setImmediate(() => socket.destroy()),
    'closes after its last byte': (socket) => socket.destroySoon(),
    'ends its side': (socket) => socket.end(),
  };
  const answers = { 'says so': refusal('Connection: close'), 'does not say so': refusal() };
  const cases = Object.entries(ends).flatMap(([how, end]) =>
    Object.entries(answers).map(([word, answer]) => ({ how, word, end, answer })),
  );

  it.each(cases)('$how, and $word', async ({ end, answer }) => {
    const proxy = await useProxy({ upstream: await startRefusing(answer, end), judgeLimitBytes: 1_000 });
    for (const _round of rounds) expect(await sendLarge(`${proxy.url}/drives`)).toBe(413);
    expect(proxy.requestLog.entries.map(({ status, failure }) => [status, failure])).toEqual(
      rounds.map(() => [413, undefined]),
    );
  });
});

it('a client of the mock that is still sending reads its refusal', async () => {
  const mock = await useMock();
  for (const [path, method, key, status] of [
    ['/drives', 'POST', 'demo-key', 413],
    ['/drives', 'POST', 'nobody', 401],
    ['/nowhere', 'POST', 'demo-key', 404],
    ['/agents', 'PUT', 'demo-key', 405],
  ] as const)
    for (const _round of rounds) expect(await sendLarge(mock.url + path, method, key)).toBe(status);
});
