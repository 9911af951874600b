import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createMockWithin } from '../../src/http/create-mock.ts';
import { sampleOf } from '../support/depth.ts';
import { exchange } from '../support/raw-http.ts';

// A request that never ends is cut after the same time, whatever it is for, and whether or not it was answered before.

const type = 'Content-Type: application/json';
const heads: Record<string, { head: string; status: number }> = {
  'a creation': { head: `POST /v0.1/drives HTTP/1.1\r\n${type}\r\n`, status: 408 },
  'a move': { head: `PATCH /v0.1/drives/d/files/f HTTP/1.1\r\n${type}\r\n`, status: 408 },
  'a deletion': { head: `DELETE /v0.1/drives/d/items/tree?path=/x HTTP/1.1\r\n${type}\r\n`, status: 408 },
  'a deletion without a media type': { head: 'DELETE /v0.1/drives/d/items/tree?path=/x HTTP/1.1\r\n', status: 408 },
  'a list, which has no body': { head: 'GET /v0.1/agents HTTP/1.1\r\n', status: 200 },
  'an unknown path': { head: `POST /v0.1/nothing HTTP/1.1\r\n${type}\r\n`, status: 404 },
  'a wrong method': { head: `PUT /v0.1/agents HTTP/1.1\r\n${type}\r\n`, status: 405 },
  'the admin API': { head: `POST /__admin/sandboxes HTTP/1.1\r\n${type}\r\n`, status: 408 },
};
const rest = 'Host: localhost\r\nX-API-Key: demo-key\r\n';

async function statusesOf(bytes: string): Promise<[statuses: number[], isClosed: boolean]> {
  const mock = await createMockWithin(300, {});
  onTestFinished(() => mock.close());
  const { answers, isClosed } = await exchange(mock.url, Buffer.from(bytes), { isReadToEnd: true });
  return [answers.map(({ status }) => status), isClosed];
}

it.each(sampleOf(Object.entries(heads), 2))('cuts a body of %s', async (_, { head, status }) => {
  expect(await statusesOf(`${head}${rest}Content-Length: 1000\r\n\r\n{`)).toEqual([[status], true]);
  expect(await statusesOf(`${head}${rest}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`)).toEqual([[status], true]);
});

it('cuts a head', async () => {
  expect(await statusesOf(`GET /v0.1/agents HTTP/1.1\r\n${rest}`)).toEqual([[408], true]);
});

const stubborn: Record<string, string> = {
  'says nothing': '',
  'owes a body': `POST /v0.1/drives HTTP/1.1\r\n${type}\r\n${rest}Content-Length: 1000\r\n\r\n{`,
  'sent noise': 'noise\r\n\r\n',
  'reads no answer': `GET /v0.1/drives?limit=100 HTTP/1.1\r\n${rest}\r\n`.repeat(5_000),
  'asks nothing more': `GET /v0.1/agents HTTP/1.1\r\n${rest}\r\n`,
};

it.each(sampleOf(Object.entries(stubborn), 2))(
  'closes the connection of a client that never closes its own and %s',
  async (_, bytes) => {
    const mock = await createMockWithin(300, {});
    onTestFinished(() => mock.close());
    const { hostname, port } = new URL(mock.url);
    // It reads nothing, so only writing shows that the other side is gone.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.pause().on('error', () => undefined);
    socket.write(bytes);
    const poke = setInterval(() => socket.write(' '), 100);
    onTestFinished(() => clearInterval(poke));
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // With an error, as what it writes is not taken any more.
    socket.on('close', resolve);
    expect(await promise).toBe(true);
  },
);

it('leaves the connection open while an answer is delayed', async () => {
  const mock = await createMockWithin(300, { latency: 1_500 });
  onTestFinished(() => mock.close());
  const { status } = await fetch(`${mock.url}/agents`, { headers: { 'x-api-key': 'demo-key' } });
  expect(status).toBe(200);
});
