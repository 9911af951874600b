import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useProxy, useUpstream } from '../support/proxied.ts';
import { sendJson } from '../support/upstream.ts';

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
  it('is forwarded unjudged in a response, which goes on', async () => {
    const { promise: seen, resolve: onSeen } = Promise.withResolvers<void>();
    const upstream = await useUpstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      const body = trickle((text) => response.write(text));
      await seen;
      body.stop();
      response.end('{}]');
    });
    const proxy = await useProxy({ upstream: upstream.url, judgeTimeMs, errors: true });
    const response = await fetch(`${proxy.url}/agents`, { headers: { 'x-api-key': 'k' } });
    onSeen();
    expect(await response.json()).toEqual([{}]);
    expect(proxy.requestLog.entries).toMatchObject([
      { status: 200, notJudged: [`response body ${slow}`], violations: [] },
    ]);
  });

  it('is forwarded unjudged when only the head of a response comes', async () => {
    const { promise: seen, resolve: onSeen } = Promise.withResolvers<void>();
    const upstream = await useUpstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).flushHeaders();
      await seen;
      response.end('[]');
    });
    const proxy = await useProxy({ upstream: upstream.url, judgeTimeMs });
    const response = await fetch(`${proxy.url}/agents`, { headers: { 'x-api-key': 'k' } });
    onSeen();
    expect(await response.json()).toEqual([]);
    expect(proxy.requestLog.entries).toMatchObject([{ status: 200, notJudged: [`response body ${slow}`] }]);
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
    const headers = { 'x-api-key': 'k', 'content-type': 'application/json' };
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
