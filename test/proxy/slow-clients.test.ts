import { once } from 'node:events';
import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProxyWithin, type ProxyOptions, type ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { sampleOf } from '../support/depth.ts';
import { useProxy, useUpstream } from '../support/proxied.ts';
import { by, exchange, toBytes } from '../support/raw-http.ts';
import { sendJson, startUpstream } from '../support/upstream.ts';

const key = { 'x-api-key': 'k' };

// Whoever sends nothing and reads nothing must not hold a connection for ever.

const clientMs = 150;

async function impatient(listener: RequestListener): Promise<URL> {
  const upstream = await useUpstream(listener);
  const proxy = await createProxyWithin(clientMs, { upstream: upstream.url, timeoutMs: clientMs });
  onTestFinished(() => proxy.close());
  return new URL(proxy.url);
}

const answered: RequestListener = (request, response) => {
  const isLarge = request.url?.endsWith('/large') === true;
  response.end(Buffer.alloc(isLarge ? 64 * 1024 * 1024 : 2));
};

const lines = 'Host: localhost\r\nX-API-Key: demo-key\r\n';
const stubborn: Record<string, string> = {
  'says nothing': '',
  'owes the rest of a head': `GET /v0.1/agents HTTP/1.1\r\n${lines}`,
  'owes a body': `POST /v0.1/drives HTTP/1.1\r\n${lines}Content-Length: 1000\r\n\r\n{`,
  'sent noise': 'noise\r\n\r\n',
  'asked for a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
  'reads no answer': `GET /v0.1/large HTTP/1.1\r\n${lines}\r\n`,
};

it('closes the connection of a client that never does', async () => {
  const { hostname, port } = await impatient(answered);
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
  const { hostname, port } = await impatient(answered);
  const ended = ['says nothing', 'owes the rest of a head', 'owes a body'].map((name) => {
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.resume().write(stubborn[name] ?? '');
    return once(socket, 'end');
  });
  expect(await Promise.all(ended)).toEqual([[], [], []]);
});

it('leaves the connection open while an event stream is silent', async () => {
  const url = await impatient((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    setTimeout(() => response.end('data: late\n\n'), 5 * clientMs);
  });
  const response = await fetch(`${url.href}/agents`, { headers: key });
  expect(await response.text()).toBe('data: late\n\n');
});

// Whoever sends a byte now and then must not keep the other side waiting for the judgement.

const pieceMs = 10;
const judgeTimeMs = 100;
const slow = `slower than ${judgeTimeMs} ms`;

/** Writes a blank now and then, which JSON allows, until it is told to stop. */
function trickle(write: (text: string) => void): { stop(): void } {
  const timer = setInterval(() => write(' '), pieceMs);
  return { stop: () => clearInterval(timer) };
}

describe('body slower than judgeTimeMs', () => {
  const json = { 'content-type': 'application/json' };

  /** Begins a response, and returns how it ends. */
  const begins: Record<string, (response: ServerResponse) => () => void> = {
    'of which a byte comes now and then': (response) => {
      response.writeHead(200, json).write('[');
      const body = trickle((text) => response.write(text));
      return () => {
        body.stop();
        response.end('{}]');
      };
    },
    'of which only the head comes': (response) => {
      response.writeHead(200, { ...json, 'content-length': 4 }).flushHeaders();
      return () => void response.end('[{}]');
    },
  };

  it.each(Object.entries(begins))('is forwarded unjudged in a response %s, and goes on', async (_, begin) => {
    const { promise: seen, resolve: onSeen } = Promise.withResolvers<void>();
    const upstream = await useUpstream((_request, response) => void seen.then(begin(response)));
    const proxy = await useProxy({ upstream: upstream.url, judgeTimeMs, errors: true });
    const response = await fetch(`${proxy.url}/agents`, { headers: key });
    onSeen();
    expect(await response.json()).toEqual([{}]);
    const expected = { status: 200, notJudged: [`response body ${slow}`], violations: [] };
    expect(proxy.requestLog.entries).toMatchObject([expected]);
  });

  it('is forwarded unjudged in a request, which goes on', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const bodies: string[] = [];
    const upstream = await useUpstream(async (request, response) => {
      onAsked();
      let body = '';
      for await (const piece of request) body += piece;
      bodies.push(body.replaceAll(' ', ''));
      sendJson(response, {}, 201);
    });
    const proxy = await useProxy({ upstream: upstream.url, judgeTimeMs });
    const headers = { ...key, 'content-type': 'application/json' };
    const sent = sendRequest(`${proxy.url}/drives`, { method: 'POST', headers });
    const answered = once(sent, 'response');
    sent.write('{');
    const body = trickle((text) => sent.write(text));
    await asked;
    body.stop();
    sent.end('"name":1}');
    const [incoming] = await answered;
    expect(incoming.resume().statusCode).toBe(201);
    expect(bodies).toEqual(['{"name":1}']);
    await expect
      .poll(() => proxy.requestLog.entries)
      .toMatchObject([{ status: 201, notJudged: [`request body ${slow}`] }]);
  });
});

// A body that was not read to its end when its answer was there must not keep the next request of the connection waiting.

// More than Node and this proxy read ahead.
const rest = Buffer.alloc(1_048_576, ' ');

/** The URL of an upstream that refuses a POST before it reads the body. */
async function refusing(): Promise<string> {
  const upstream = await useUpstream(({ method }, response) => {
    if (method === 'POST') sendJson(response, {}, 413);
    else sendJson(response, []);
  });
  return upstream.url;
}

async function gone(): Promise<string> {
  const upstream = await startUpstream(() => undefined);
  await upstream.close();
  return upstream.url;
}

async function answerTo(outgoing: ReturnType<typeof sendRequest>): Promise<number | undefined> {
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer.resume().statusCode;
}

/** Sends the larger part of a body when its answer is there, then another request. The status of each. */
async function sendAround(proxy: ValidatingProxy, path: string, headers: OutgoingHttpHeaders) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const early = sendRequest(proxy.url + path, { agent, method: 'POST', headers });
  early.write('{"name": "');
  const statuses = [await answerTo(early)];
  const port = early.socket?.localPort;
  early.end(rest);
  const next = sendRequest(`${proxy.url}/agents`, { agent, headers: key }).end();
  statuses.push(await answerTo(next));
  expect(next.socket?.localPort).toBe(port);
  return statuses;
}

interface Case {
  why: string;
  upstream: () => Promise<string>;
  options?: Partial<ProxyOptions>;
  path?: string;
  headers?: OutgoingHttpHeaders;
  statuses: number[];
}

it.each<Case>([
  { why: 'the upstream refuses it early', upstream: refusing, statuses: [413, 200] },
  { why: 'it is slow', upstream: refusing, options: { judgeLimitBytes: 1_000, judgeTimeMs: 1 }, statuses: [413, 200] },
  { why: 'it is not judged', upstream: refusing, path: '/unknown', statuses: [413, 200] },
  { why: 'the proxy refuses it', upstream: refusing, options: { errors: true }, headers: {}, statuses: [401, 200] },
  { why: 'the upstream is down', upstream: gone, statuses: [502, 502] },
])('answers the next request when it leaves a body because $why', async (each) => {
  const { upstream, options, path = '/drives', headers = key, statuses } = each;
  const proxy = await useProxy({ upstream: await upstream(), judgeLimitBytes: 1, ...options });
  expect(await sendAround(proxy, path, headers)).toEqual(statuses);
});

it('answers the next request when more of a body has come than the upstream takes', async () => {
  const proxy = await useProxy({ upstream: await gone(), judgeLimitBytes: 1 });
  const large = { method: 'POST', target: '/v0.1/drives', body: rest };
  const { answers } = await exchange(proxy.url, Buffer.concat([toBytes(large), toBytes(by('GET', '/v0.1/agents'))]), {
    methods: ['POST', 'GET'],
  });
  expect(answers.map(({ status }) => status)).toEqual([502, 502]);
});
