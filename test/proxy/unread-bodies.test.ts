import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as sendRequest } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { ProxyOptions, ValidatingProxy } from '../../src/node/proxy/create-proxy.ts';
import { useProxy, useUpstream } from '../support/proxied.ts';
import { by, exchange, toBytes } from '../support/raw-http.ts';
import { sendJson, startUpstream } from '../support/upstream.ts';

// A body that was not read to its end when its answer was there must not keep the next request of the connection waiting.

const key = { 'x-api-key': 'k' };
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
