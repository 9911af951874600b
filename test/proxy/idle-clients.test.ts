import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createProxyWithin } from '../../src/node/proxy/create-proxy.ts';
import { sampleOf } from '../support/depth.ts';
import { useUpstream } from '../support/proxied.ts';

// Whoever sends nothing and reads nothing must not hold a connection for ever.

const clientMs = 150;

async function proxied(listener: RequestListener): Promise<URL> {
  const upstream = await useUpstream(listener);
  const proxy = await createProxyWithin(clientMs, { upstream: upstream.url, timeoutMs: clientMs });
  onTestFinished(() => proxy.close());
  return new URL(proxy.url);
}

const answered: RequestListener = (request, response) => {
  const isLarge = request.url?.endsWith('/large') === true;
  response.end(Buffer.alloc(isLarge ? 64 * 1024 * 1024 : 2));
};

const rest = 'Host: localhost\r\nX-API-Key: demo-key\r\n';
const stubborn: Record<string, string> = {
  'says nothing': '',
  'owes the rest of a head': `GET /v0.1/agents HTTP/1.1\r\n${rest}`,
  'owes a body': `POST /v0.1/drives HTTP/1.1\r\n${rest}Content-Length: 1000\r\n\r\n{`,
  'sent noise': 'noise\r\n\r\n',
  'asked for a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
  'reads no answer': `GET /v0.1/large HTTP/1.1\r\n${rest}\r\n`,
};

it('closes the connection of a client that never does', async () => {
  const { hostname, port } = await proxied(answered);
  const closed = sampleOf(Object.entries(stubborn), 3).map(async ([name, bytes]) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.on('close', () => resolve(name));
    socket.write(bytes);
    if (name === 'reads no answer') socket.pause();
    else socket.resume();
    // Only writing shows that the other side is gone; more rarely than it takes for idle.
    const poke = setInterval(() => socket.write(' '), 5 * clientMs);
    onTestFinished(() => clearInterval(poke));
    return promise;
  });
  expect(await Promise.all(closed)).toHaveLength(closed.length);
});

it('ends the connection of a client, whatever it does then', async () => {
  const { hostname, port } = await proxied(answered);
  const ended = ['says nothing', 'owes the rest of a head', 'owes a body'].map((name) => {
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.resume().write(stubborn[name] ?? '');
    return once(socket, 'end');
  });
  expect(await Promise.all(ended)).toEqual([[], [], []]);
});

it('leaves the connection open while an event stream is silent', async () => {
  const url = await proxied((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    setTimeout(() => response.end('data: late\n\n'), 5 * clientMs);
  });
  const response = await fetch(`${url.href}/agents`, { headers: { 'x-api-key': 'demo-key' } });
  expect(await response.text()).toBe('data: late\n\n');
});
