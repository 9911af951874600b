/** What code does with a signal. */
import { creation, type Fact, fact, failureOf, inNode, kindOf, type Site } from './fact.ts';

const never = 60_000;
const readers = ['json', 'text', 'blob', 'arrayBuffer', 'formData'] as const;

/** Reasons for an abort, by name. */
const reasons: Readonly<Record<string, Abort>> = {
  'no reason': (stop) => stop.abort(),
  'an error': (stop) => abortWithError(stop),
  'a text': (stop) => stop.abort('my text'),
  null: (stop) => stop.abort(null),
  'an object of its own': (stop) => stop.abort({ toString: () => 'my object' }),
};

type Abort = (stop: AbortController) => void;
const abortWithError: Abort = (stop) => stop.abort(new Error('my error'));

/** A signal that is aborted soon. */
function soon(abort = abortWithError): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => abort(stop), 30);
  return stop.signal;
}

/** A request whose headers never come. */
async function waiting(site: Site, init: RequestInit): Promise<Promise<Response>> {
  await site.fault({ latency: { delayMs: never } });
  return site.ask('/drives', init);
}

async function slow(site: Site, init: RequestInit): Promise<Response> {
  await site.fault({ slowDribble: { overMs: never } });
  return site.ask('/drives', init);
}

/** A slow response that is aborted soon after it has begun. */
async function stopped(site: Site, abort = abortWithError): Promise<Response> {
  const stop = new AbortController();
  const response = await slow(site, { signal: stop.signal });
  setTimeout(() => abort(stop), 30);
  return response;
}

const before: readonly Fact[] = [
  ...Object.entries(reasons).map(([title, abort]) =>
    fact(`a signal that was aborted before, with ${title}`, async (site) => {
      const stop = new AbortController();
      abort(stop);
      const { signal } = stop;
      const failures = [
        await failureOf(() => site.ask('/drives', { ...creation(), signal })),
        await failureOf(() => site.fetch(new Request(`${site.url}/drives`, { signal }))),
      ];
      return [failures, await site.drives()];
    }),
  ),
  fact('an abort right after the call', async (site) => {
    const stop = new AbortController();
    // Whether the request was sent nevertheless is up to the platform.
    const asked = failureOf(() => site.ask('/drives', { signal: stop.signal }));
    stop.abort();
    return asked;
  }),
  fact('a signal that times out before', async (site) => {
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return failureOf(() => site.ask('/drives', { signal }));
  }),
  fact('no signal in place of one that is aborted', async (site) => {
    const request = new Request(`${site.url}/drives`, {
      headers: { 'x-api-key': 'key-a' },
      signal: AbortSignal.abort(),
    });
    return (await site.fetch(request, { signal: null })).status;
  }),
  fact('what is no signal', async (site) => failureOf(() => site.ask('/drives', { signal: {} as AbortSignal }))),
];

const whileWaiting: readonly Fact[] = [
  ...Object.entries(reasons).map(([title, abort]) =>
    fact(`an abort while the headers are waited for, with ${title}`, (site) =>
      failureOf(() => waiting(site, { ...creation(), signal: soon(abort) })),
    ),
  ),
  fact('the same reason, not a copy', async (site) => {
    const signal = soon();
    return waiting(site, { signal }).then(
      () => 'none',
      (error: unknown) => [error === signal.reason, kindOf(error)],
    );
  }),
  fact('a time limit while the headers are waited for', async (site) =>
    failureOf(() => waiting(site, { signal: AbortSignal.timeout(30) })),
  ),
  fact('a signal of several while the headers are waited for', async (site) => {
    const stop = new AbortController();
    const any = AbortSignal.any([stop.signal, AbortSignal.timeout(30)]);
    return failureOf(() => waiting(site, { signal: any }));
  }),
  fact('the signal of a Request', async (site) => {
    await site.fault({ latency: { delayMs: never } });
    const request = new Request(`${site.url}/drives`, { signal: soon(), headers: { 'x-api-key': 'key-a' } });
    return [await failureOf(() => site.fetch(request)), request.signal.aborted];
  }),
  fact('a signal beside that of a Request', async (site) => {
    const own = new AbortController();
    await site.fault({ latency: { delayMs: never } });
    const request = new Request(`${site.url}/drives`, { signal: own.signal, headers: { 'x-api-key': 'key-a' } });
    const asked = failureOf(() => site.fetch(request, { signal: soon() }));
    own.abort(new Error('my own'));
    return asked;
  }),
  fact('one signal for several requests', async (site) => {
    await site.fault({ latency: { delayMs: never } });
    const signal = soon();
    return Promise.all([1, 2, 3].map(() => failureOf(() => site.ask('/drives', { signal }))));
  }),
];

const whileReading: readonly Fact[] = [
  ...readers.map((name) =>
    fact(`an abort during ${name}()`, async (site) => {
      const response = await stopped(site, (stop) => stop.abort());
      return [
        await failureOf(() => response[name]()),
        response.bodyUsed,
        await failureOf(() => response.text()),
        await site.drives(),
      ];
    }),
  ),
  ...Object.entries(reasons).map(([title, abort]) =>
    fact(`an abort before a slow body is read, with ${title}`, async (site) => {
      const stop = new AbortController();
      const response = await slow(site, { signal: stop.signal });
      abort(stop);
      return [await failureOf(() => response.text()), response.status, response.headers.get('content-type')];
    }),
  ),
  fact('a time limit while a body arrives', async (site) => {
    // On a slow machine the limit may be reached before the headers arrive.
    return failureOf(async () => (await slow(site, { signal: AbortSignal.timeout(300) })).text());
  }),
  fact('a signal of several while a body arrives', async (site) => {
    const stop = new AbortController();
    const response = await slow(site, { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(never)]) });
    setTimeout(() => stop.abort(new Error('my error')), 30);
    return failureOf(() => response.text());
  }),
  fact('the signal of a Request while a body arrives', async (site) => {
    const stop = new AbortController();
    await site.fault({ slowDribble: { overMs: never } });
    const headers = { 'x-api-key': 'key-a' };
    const request = new Request(`${site.url}/drives`, { signal: stop.signal, headers });
    const response = await site.fetch(request);
    setTimeout(() => stop.abort(new Error('my error')), 30);
    // Keeps the request alive: otherwise Node's own `fetch` no longer learns of the abort.
    return [await failureOf(() => response.text()), request.signal.aborted];
  }),
  fact('an abort between two reads', async (site) => {
    const reader = (await stopped(site)).body?.getReader();
    return [await failureOf(() => reader?.read().then(() => reader.read())), await failureOf(() => reader?.closed)];
  }),
  fact('an abort during for await', async (site) => {
    const { body } = await stopped(site);
    return failureOf(async () => {
      for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
    });
  }),
  fact('an abort during pipeTo()', async (site) => {
    const { body } = await stopped(site);
    let aborted: unknown;
    const abort = (reason: unknown) => {
      aborted = kindOf(reason);
    };
    const sink = new WritableStream({ abort });
    return [await failureOf(() => body?.pipeTo(sink)), aborted];
  }),
  fact('an abort of a response that was cloned', async (site) => {
    const response = await stopped(site);
    const clone = response.clone();
    return Promise.all([failureOf(() => clone.text()), failureOf(() => response.text())]);
  }),
  fact('an abort after the clone was read to the end', async (site) => {
    const stop = new AbortController();
    const response = await site.ask('/drives', { signal: stop.signal });
    const text = await response.clone().text();
    stop.abort();
    const reading = response.text().then((again) => again === text, kindOf);
    return [await reading, response.ok];
  }),
  fact('an abort after the end', async (site) => {
    const stop = new AbortController();
    const response = await site.ask('/drives', { signal: stop.signal });
    const { length } = await response.text();
    stop.abort();
    return [length, response.status, response.bodyUsed, await failureOf(() => response.text())];
  }),
  fact('an abort of a response without a body', async (site) => {
    const stop = new AbortController();
    const response = await site.ask('/drives', { method: 'HEAD', signal: stop.signal });
    stop.abort();
    return [response.body, await response.text().catch(kindOf)];
  }),
  fact('an abort of the live request log', async ({ fetch, adminUrl, ask }) => {
    const stop = new AbortController();
    const response = await fetch(`${adminUrl}/requests/live`, { signal: stop.signal });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    const next = failureOf(async () => {
      while (!(await reader?.read())?.done);
    });
    setTimeout(() => stop.abort(new Error('my error')), 30);
    return [first?.done, await next, (await ask('/drives')).status];
  }),
];

const inRequests: readonly Fact[] = [
  inNode('an abort while a body is sent', async (site) => {
    const stop = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"name":')),
    });
    const init = { ...creation(), body, duplex: 'half', signal: stop.signal } as RequestInit;
    const asked = failureOf(() => site.ask('/drives', init));
    setTimeout(() => stop.abort(new Error('my error')), 100);
    return [await asked, await site.drives()];
  }),
];

export const factsOfSignals: readonly Fact[] = [...before, ...whileWaiting, ...whileReading, ...inRequests];
