import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProxyOptions, ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { sampleOf } from '../../test/support/depth.ts';
import { startProxy, useProxy, useUpstream } from '../../test/support/proxied.ts';
import { exchange, headerOf, open, sendRaw } from '../../test/support/raw-http.ts';
import { sendJson } from '../../test/support/upstream.ts';
import { startWireUpstream, type WireOptions } from '../../test/support/wire-upstream.ts';
import { answerForms } from './answer-forms.ts';
import { clientForms } from './client-forms.ts';
import { head, hidden, length, size } from './form.ts';
import { sendAnswerForm } from './send-answer-form.ts';
import { sendClientForm } from './send-client-form.ts';
import { modes } from './stage.ts';

// The proxy sends exactly one request for each that it takes, whatever the headers say (RFC 9112, section 11.2).

async function stage(options: Partial<ProxyOptions> = {}, wire: WireOptions = {}) {
  const upstream = await startWireUpstream(wire);
  const { proxy, close } = await startProxy({ upstream: upstream.url, ...options });
  onTestFinished(upstream.close);
  onTestFinished(close);
  return { upstream, proxy, close };
}

/** Another client, which must get its own answers over whatever connection. */
async function askAsAnother({ url }: ValidatingProxy, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const target = `/v0.1/agents?own=${index}`;
    const { status, body } = await sendRaw(url, { method: 'GET', target, lines: ['X-API-Key: key-of-another'] });
    expect([status, body.toString()]).toEqual([200, JSON.stringify({ target })]);
  }
}

const isAnothers = (target: string) => target.includes('?own=');

// Some forms are drawn, and more in the full run. The others are all used in the quick run, and not again after it.
describe.each(modes)('smuggling through a $taken request', ({ judgeLimitBytes }) => {
  it.each(sampleOf(clientForms, 60))('$group: $name', async (form) => {
    expect((await sendClientForm(form, judgeLimitBytes)).deviations).toEqual([]);
  });
});

describe.each(modes)('smuggling through a $taken answer', ({ judgeLimitBytes }) => {
  it.each(sampleOf(answerForms, 30))('$group: $name', async (form) => {
    expect((await sendAnswerForm(form, judgeLimitBytes)).deviations).toEqual([]);
  });
});

describe.each(modes)('smuggling through a $taken answer on a used connection', ({ judgeLimitBytes }) => {
  it.each(sampleOf(answerForms, 30))('$group: $name', async (form) => {
    expect((await sendAnswerForm(form, judgeLimitBytes, 'used')).deviations).toEqual([]);
  });
});

describe('client that disconnects', () => {
  it.each(['GET', 'OPTIONS', 'POST'])('leaves no reusable connection after a partial %s body', async (method) => {
    const { upstream, proxy, close } = await stage({ judgeLimitBytes: 0 });
    await askAsAnother(proxy, 1);
    const socket = open(proxy.url).on('error', () => undefined);
    socket.write(head(method, ['Connection: content-length', `Content-Length: ${size + 1}`]) + hidden);
    await expect.poll(() => upstream.requests.length).toBe(2);
    socket.destroy();
    await askAsAnother(proxy, 3);
    await close();
    expect(await upstream.drained()).toEqual([]);
    expect(upstream.requests.filter(({ target }) => !isAnothers(target))).toMatchObject([{ method, body: '' }]);
  });
});

describe('upstream that reads each body as a request', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])('never affects the answers to another client: %s', async (method) => {
    const { proxy } = await stage({}, { isDeaf: true });
    await askAsAnother(proxy, 1);
    await exchange(proxy.url, head(method, [length]) + hidden, { methods: [method] });
    await askAsAnother(proxy, 3);
  });
});

describe('client that disconnects after an early response', () => {
  it('leaves no upstream request open', async () => {
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    const upstream = await useUpstream((request, response) => {
      request.resume().socket.once('close', () => onEnded());
      sendJson(response, []);
    });
    const proxy = await useProxy({ upstream: upstream.url, judgeLimitBytes: 0 });
    const socket = open(proxy.url);
    socket.write(`${head('POST', [length])}{`);
    await once(socket, 'data');
    socket.destroy();
    await expect(ended).resolves.toBeUndefined();
  });
});

describe('unsupported upgrade', () => {
  it('closes the connection, because later bytes may be in another protocol', async () => {
    const { upstream, proxy, close } = await stage();
    const bytes = head('GET', ['Connection: Upgrade', 'Upgrade: h2c']) + hidden;
    const { answers, isClosed } = await exchange(proxy.url, bytes, { isReadToEnd: true });
    await close();
    expect(upstream.requests).toMatchObject([{ method: 'GET', body: '' }]);
    expect(answers.map((answer) => headerOf(answer, 'connection'))).toEqual(['close']);
    expect(isClosed).toBe(true);
  });
});

describe('chunked upstream response', () => {
  it('reaches an HTTP/1.0 client without chunks and Trailer', async () => {
    const chunked = `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`;
    const { proxy } = await stage({}, { answer: () => chunked });
    const socket = open(proxy.url);
    socket.write(head('GET', [], { version: '1.0' }));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?!.*trailer)[\s\S]*\r\n\r\n\{\}$/i);
  });
});
