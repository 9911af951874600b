/** What code reads from a response. */
import { creation, type Fact, fact, failureOf, inNode, json, type Site } from './fact.ts';

const ofTheWire = ['connection', 'keep-alive', 'vary', 'transfer-encoding', 'date', 'x-request-id'];
const publish = (site: Site) =>
  site.ask('/agents/agt-1/publish', { method: 'POST', headers: json, body: '{"revisionId":"rev-1"}' });

function outside({ below }: Site, { url, type, redirected, ok, status, statusText }: Response) {
  return { url: below(url), type, redirected, ok, status, statusText };
}

const readers = ['json', 'text', 'blob', 'arrayBuffer', 'bytes', 'formData'] as const;

/** Reads a body in one way, into a form that can be compared. */
async function readBy(name: (typeof readers)[number], body: Response | Request): Promise<unknown> {
  const value: unknown = await body[name]();
  if (value instanceof Blob) return { type: value.type, text: await value.text() };
  if (value instanceof ArrayBuffer || value instanceof Uint8Array)
    return { class: value.constructor.name, text: new TextDecoder().decode(value) };
  return value;
}

const statuses: readonly Fact[] = [
  ...['/agents', '/drives?limit=1', '/none', '/drives?limit=x', '/%FF', '/agents#part', '/drives?q=%C3%A4%20b+c'].map(
    (path) => fact(`a response of ${path}`, async (site) => outside(site, await site.ask(path))),
  ),
  fact('a creation', async (site) => outside(site, await site.ask('/drives', creation()))),
  fact('a publication', async (site) => outside(site, await publish(site))),
  fact('a wrong method', async (site) => outside(site, await site.ask('/agents', { method: 'PUT' }))),
  fact('no valid key', async (site) => outside(site, await site.fetch(`${site.url}/agents`))),
  ...[418, 429, 422, 499, 500, 503, 511, 599].map((code) =>
    fact(`the status ${code}`, async (site) => {
      await site.fault({ status: { code } });
      return outside(site, await site.ask('/agents'));
    }),
  ),
  fact('a response of the admin API', async ({ fetch, adminUrl }) => {
    const { status, statusText, type, url } = await fetch(`${adminUrl}/health`);
    return { status, statusText, type, url: url.replace(adminUrl, '') };
  }),
  fact('the document', async ({ fetch, url }) => {
    const { status, statusText, type, redirected } = await fetch(url.replace(/\/v0\.1$/, '/openapi.json'));
    return { status, statusText, type, redirected };
  }),
];

const shapes: readonly Fact[] = [
  fact('the class of a response', async (site) => {
    const response = await site.ask('/agents');
    const { name } = response.constructor;
    return [response instanceof Response, String(response), name, Object.keys(response), JSON.stringify(response)];
  }),
  fact('a response cannot be changed', async (site) => {
    const response = await site.ask('/agents');
    const names = ['url', 'type', 'redirected', 'ok', 'status', 'statusText', 'headers', 'body', 'bodyUsed'] as const;
    const failures = names.map((name) =>
      failureOf(() => {
        (response as unknown as Record<string, unknown>)[name] = 'x';
      }),
    );
    return [await Promise.all(failures), response.status, response.type];
  }),
  fact('headers', async (site) => {
    const { headers } = await site.ask('/agents');
    const names = [...headers.keys()].filter((name) => !ofTheWire.includes(name));
    const entries = [...headers].filter(([name]) => names.includes(name));
    const called: string[] = [];
    headers.forEach((_, name) => {
      if (names.includes(name)) called.push(name);
    });
    return {
      ...{ names, entries, called, isHeaders: headers instanceof Headers, text: String(headers) },
      ...{ type: headers.get('Content-TYPE'), none: headers.get('x-none'), has: headers.has('CONTENT-type') },
      cookies: headers.getSetCookie(),
    };
  }),
  fact('headers cannot be changed, a copy can', async (site) => {
    const response = await site.ask('/agents');
    const { headers } = response;
    const failures = [
      await failureOf(() => headers.set('x-a', 'b')),
      await failureOf(() => headers.append('x-a', 'b')),
      await failureOf(() => headers.delete('content-type')),
      await failureOf(() => headers.delete('x-none')),
      await failureOf(() => headers.get('in valid')),
      await failureOf(() => response.clone().headers.set('x-a', 'b')),
    ];
    const copy = new Headers(headers);
    copy.set('x-a', 'b');
    const same = response.headers === headers;
    return { failures, same, copied: copy.get('x-a'), type: headers.get('content-type'), a: headers.get('x-a') };
  }),
  fact('a response made of a response', async (site) => {
    const response = await site.ask('/agents');
    const made = new Response(response.body, response);
    const { url, type, status, statusText } = made;
    const header = made.headers.get('content-type');
    return { url, type, status, statusText, header, body: await made.json(), used: response.bodyUsed };
  }),
];

const bodies: readonly Fact[] = [
  ...readers.map((name) =>
    fact(`a body by ${name}(), twice`, async (site) => {
      const response = await site.ask('/drives');
      const before = response.bodyUsed;
      const reading = readBy(name, response).catch((error: Error) => error.name);
      const during = response.body?.locked;
      const value = await reading;
      const again = [await failureOf(() => response[name]()), await failureOf(() => response.text())];
      return { before, during, value, after: response.bodyUsed, again };
    }),
  ),
  ...readers.map((name) =>
    fact(`no body by ${name}()`, async (site) => {
      const found: unknown[] = [];
      for (const response of [await publish(site), await site.ask('/drives', { method: 'HEAD' })]) {
        const { body, bodyUsed } = response;
        const value = await readBy(name, response).catch((error: Error) => error.name);
        const again = await readBy(name, response).catch((error: Error) => error.name);
        found.push({ body, bodyUsed, value, again, after: response.bodyUsed });
        found.push(response.headers.get('content-type'), response.headers.get('content-length'));
      }
      return found;
    }),
  ),
  fact('the stream of a body', async (site) => {
    const response = await site.ask('/drives');
    const { body } = response;
    const facts = [body instanceof ReadableStream, String(body), body === response.body, body?.locked];
    const reader = body?.getReader();
    const locked = [body?.locked, response.bodyUsed, await failureOf(() => response.text())];
    const clone = await failureOf(() => response.clone());
    const first = await reader?.read();
    const text = new TextDecoder().decode(first?.value);
    const last = await reader?.read();
    const rest = [first?.value instanceof Uint8Array, first?.done, last?.done, last?.value === undefined];
    reader?.releaseLock();
    return {
      facts,
      locked,
      clone,
      text,
      rest,
      used: response.bodyUsed,
      after: await failureOf(() => response.text()),
    };
  }),
  fact('a body read into a buffer of the reader', async (site) => {
    const reader = (await site.ask('/drives')).body?.getReader({ mode: 'byob' });
    const first = await reader?.read(new Uint8Array(4));
    const second = await reader?.read(new Uint8Array(5));
    return [first, second].map((part) => [new TextDecoder().decode(part?.value), part?.done]);
  }),
  fact('a body by for await', async (site) => {
    const { body } = await site.ask('/drives');
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(piece, { stream: true });
    return text;
  }),
  fact('a body through a stream', async (site) => {
    const response = await site.ask('/drives');
    let text = '';
    const write = (piece: string) => {
      text += piece;
    };
    const sink = new WritableStream<string>({ write });
    await response.body?.pipeThrough(new TextDecoderStream() as never).pipeTo(sink as never);
    return [text, response.bodyUsed];
  }),
  fact('a stream that is divided', async (site) => {
    const response = await site.ask('/drives');
    const [one, other] = response.body?.tee() ?? [];
    const texts = [await new Response(one).text(), await new Response(other).text()];
    return [texts, response.bodyUsed, await failureOf(() => response.text())];
  }),
  fact('a body that is given up', async (site) => {
    const response = await site.ask('/drives');
    await response.body?.cancel('my reason');
    return [response.bodyUsed, await failureOf(() => response.text())];
  }),
  fact('a clone', async (site) => {
    const response = await site.ask('/drives');
    const clone = response.clone();
    const second = clone.clone();
    const facts = [clone, second].map((each) => outside(site, each));
    const types = [clone instanceof Response, clone.headers === response.headers, clone.headers.get('content-type')];
    const text = await response.text();
    const used = [response, clone, second].map(({ bodyUsed }) => bodyUsed);
    const same = [await clone.text(), await second.text()].map((each) => each === text);
    return { facts, types, used, same, again: await failureOf(() => response.clone()) };
  }),
  fact('a clone of a response without a body', async (site) => {
    const response = await publish(site);
    const clone = response.clone();
    return [outside(site, clone), clone.body, await clone.text(), await response.text()];
  }),
];

const damaged: readonly Fact[] = [
  ...['connectionReset', 'emptyAnswer'].map((effect) =>
    fact(`a lost connection: ${effect}`, async (site) => {
      await site.fault({ [effect]: {} });
      return failureOf(() => site.ask('/drives', creation()));
    }),
  ),
  ...readers.map((name) =>
    fact(`a truncated body by ${name}()`, async (site) => {
      await site.fault({ truncatedBody: {} });
      const response = await site.ask('/drives');
      const clone = response.clone();
      const reading = await failureOf(() => readBy(name, response));
      const after = [await failureOf(() => clone.text()), response.bodyUsed, await failureOf(() => response.text())];
      return { ...outside(site, response), reading, after };
    }),
  ),
  fact('a truncated body by its stream', async (site) => {
    const whole = await (await site.ask('/drives')).text();
    await site.fault({ truncatedBody: {} });
    const response = await site.ask('/drives');
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    const failure = await failureOf(async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        text += decoder.decode(part.value, { stream: true });
    });
    const isPart = whole.startsWith(text) && text.length < whole.length;
    return [response.status, isPart, failure, await failureOf(() => reader?.closed), response.bodyUsed];
  }),
  // In Chromium, the error discards what was not read before it.
  inNode('the first half of a truncated body by its stream', async (site) => {
    await site.fault({ truncatedBody: {} });
    const response = await site.ask('/drives');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    const text = new TextDecoder().decode(first?.value);
    return [text, await failureOf(() => reader?.read()), await failureOf(() => reader?.closed)];
  }),
  fact('a slow body', async (site) => {
    await site.fault({ slowDribble: { overMs: 20 } });
    const response = await site.ask('/drives');
    const { body } = response;
    const isStream = [body instanceof ReadableStream, response.bodyUsed];
    return [outside(site, response), isStream, await response.json()];
  }),
  fact('a slow body that is given up', async (site) => {
    await site.fault({ slowDribble: { overMs: 60_000 } });
    const response = await site.ask('/drives');
    await response.body?.cancel('my reason');
    return [response.bodyUsed, await failureOf(() => response.text()), await site.drives()];
  }),
];

export const factsOfResponses: readonly Fact[] = [...statuses, ...shapes, ...bodies, ...damaged];
