/** What code passes as a request. */
import { creation, type Fact, fact, failureOf, inNode, json, type Site } from './fact.ts';

/** The latest request that the mock received. */
async function received(site: Site): Promise<unknown> {
  const answer = await site.fetch(`${site.adminUrl}/requests?limit=1`);
  const { method, url, headers, body } = (await answer.json()).requests[0].request;
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith('x-own'))
    .sort();
  const [, boundary = '<none>'] = /^--(-+formdata-\S+|-*WebKit\S+)/i.exec(body ?? '') ?? [];
  const plain = (text?: string) => text?.replaceAll(boundary, '<boundary>');
  return { method, url, type: plain(headers['content-type']), own, body: plain(body) };
}

async function send(site: Site, init: RequestInit, path = '/drives'): Promise<unknown> {
  const { status } = await site.ask(path, init);
  return { status, received: await received(site) };
}

const bytes = () => new TextEncoder().encode('{"name":"Nëw"}');
const streamOf = (...pieces: unknown[]) =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
function form(): FormData {
  const data = new FormData();
  data.append('name', 'Nëw');
  return data;
}

const kinds: Readonly<Record<string, () => BodyInit | null | undefined>> = {
  'a text': () => '{"name":"Nëw"}',
  'an empty text': () => '',
  null: () => null,
  undefined: () => undefined,
  'a Uint8Array': bytes,
  'a part of a buffer': () => new Uint8Array([32, 32, ...bytes(), 32]).subarray(1, -1),
  'an ArrayBuffer': () => bytes().buffer,
  'a DataView': () => new DataView(bytes().buffer),
  'a Blob': () => new Blob([bytes()]),
  'a Blob with a type': () => new Blob([bytes()], { type: 'application/json' }),
  'an empty Blob': () => new Blob([]),
  'a File': () => new File([bytes()], 'a.json', { type: 'application/json' }),
  URLSearchParams: () => new URLSearchParams({ name: 'Nëw' }),
  FormData: form,
  'an object': () => ({ name: 'x' }) as unknown as string,
  'a number': () => 7 as unknown as string,
};

const bodies: readonly Fact[] = Object.entries(kinds).flatMap(([title, make]) => [
  fact(`${title} as a body`, (site) => send(site, { method: 'POST', body: make() ?? null })),
  fact(`${title} as a body that is called JSON`, (site) => send(site, { ...creation(), body: make() ?? null })),
]);

/** What a stream may and may not contain. */
const pieces: Readonly<Record<string, () => unknown>> = {
  'an ArrayBuffer': () => bytes().buffer,
  'a DataView': () => new DataView(bytes().buffer),
  'larger numbers': () => new Uint16Array(new TextEncoder().encode('{"name":"even"}\n').buffer),
  'a part of a buffer': () => new Uint8Array([32, 32, ...bytes(), 32]).subarray(1, -1),
  'an object': () => ({ name: 'x' }),
  'a number': () => 7,
  null: () => null,
};

const streams: readonly Fact[] = [
  fact('a stream without duplex', (site) =>
    failureOf(() => site.ask('/drives', { ...creation(), body: streamOf(bytes()) })),
  ),
  fact('a stream with a wrong duplex', (site) =>
    failureOf(() => site.ask('/drives', { ...creation(), body: streamOf(bytes()), duplex: 'full' } as RequestInit)),
  ),
  inNode('a stream as a body', async (site) => {
    const body = streamOf(bytes().subarray(0, 5), bytes().subarray(5));
    const init = { ...creation(), body, duplex: 'half' } as RequestInit;
    return [(await site.ask('/drives', init)).status, await failureOf(() => site.ask('/drives', init))];
  }),
  inNode('a stream of texts', async (site) => {
    const body = streamOf('{"name":', '"x"}');
    return (await site.ask('/drives', { ...creation(), body, duplex: 'half' } as RequestInit)).status;
  }),
  ...Object.entries(pieces).map(([title, make]) =>
    inNode(`a stream of ${title}`, (site) =>
      send(site, { ...creation(), body: streamOf(make()), duplex: 'half' } as RequestInit),
    ),
  ),
  inNode('a stream that fails', async (site) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('my error')) });
    const init = { ...creation(), body, duplex: 'half' } as RequestInit;
    return [await failureOf(() => site.ask('/drives', init)), await site.drives()];
  }),
  fact('a stream that is in use', (site) => {
    const body = streamOf(bytes());
    body.getReader();
    return failureOf(() => site.ask('/drives', { ...creation(), body, duplex: 'half' } as RequestInit));
  }),
];

/** In a page, the class of a frame; Node has no frames. */
function requestClass(): typeof Request {
  if (typeof document === 'undefined') return Request;
  const frame = document.body.appendChild(document.createElement('iframe'));
  return (frame.contentWindow as unknown as typeof globalThis).Request;
}

const inputs: readonly Fact[] = [
  fact('an address as a text, a URL, a Request and an object', async ({ fetch, url }) => {
    const headers = { 'x-api-key': 'key-a' };
    const address = `${url}/drives`;
    const texts = [address, new URL(address), new Request(address), { toString: () => address } as URL];
    const answers = await Promise.all(texts.map((each) => fetch(each, { headers })));
    return answers.map(({ status, url: asked }) => [status, asked === address]);
  }),
  fact('a Request of a frame', async ({ fetch, url }) => {
    const request = new (requestClass())(`${url}/drives`, { headers: { 'x-api-key': 'key-a' } });
    return [(await fetch(request)).status, (await fetch(request, { method: 'DELETE' })).status];
  }),
  fact('a Request, and what is given over it', async (site) => {
    const headers = { 'x-api-key': 'key-a', 'x-own': 'first', ...json };
    const request = new Request(`${site.url}/drives`, { method: 'POST', headers, body: '{"name":"One"}' });
    const { status } = await site.fetch(request, {
      body: '{"name":"Other"}',
      headers: { ...headers, 'x-own': 'last' },
    });
    return [status, await received(site), request.bodyUsed];
  }),
  fact('the method of a Request is changed', async (site) => {
    const request = new Request(`${site.url}/drives`, { headers: { 'x-api-key': 'key-a' } });
    return [(await site.fetch(request, { method: 'HEAD' })).body, (await site.fetch(request)).status];
  }),
  fact('a Request that is sent twice', async (site) => {
    const request = new Request(`${site.url}/drives`, { ...creation(), headers: { ...json, 'x-api-key': 'key-a' } });
    const copy = request.clone();
    const first = (await site.fetch(request)).status;
    const used = [request.bodyUsed, copy.bodyUsed];
    const again = await failureOf(() => site.fetch(request));
    return { first, used, again, copied: (await site.fetch(copy)).status, drives: await site.drives() };
  }),
  fact('a Request whose body was read', async (site) => {
    const request = new Request(`${site.url}/drives`, { ...creation(), headers: { ...json, 'x-api-key': 'key-a' } });
    await request.text();
    const over = (await site.fetch(request, { body: '{"name":"Other"}' }).catch(() => undefined))?.status;
    return [await failureOf(() => site.fetch(request)), over, await site.drives()];
  }),
  fact('a Request without a key, whose body nobody reads', async (site) => {
    const request = new Request(`${site.url}/drives`, creation());
    return [(await site.fetch(request)).status, request.bodyUsed];
  }),
  ...['http://', 'http://a b/', 'ftp://localhost/v0.1/drives', 'about:blank#x', 'blob:none'].map((address) =>
    fact(`the address ${address}`, (site) => failureOf(() => site.fetch(address))),
  ),
  fact('an address with a password', (site) =>
    failureOf(() => site.fetch(`${site.url.replace('//', '//me:secret@')}/drives`)),
  ),
];

const odd = (init: object): Fact =>
  fact(`the settings ${JSON.stringify(init)}`, async (site) => {
    let status: number | undefined;
    const failure = await failureOf(async () => {
      ({ status } = await site.ask('/drives', init as RequestInit));
    });
    return status ?? failure;
  });

// A digest of the body of `GET /agents`, which contains no times.
const settings: readonly Fact[] = [
  ...[
    { body: '{}' },
    { method: 'HEAD', body: '{}' },
    { method: 'get' },
    { method: 'CONNECT' },
    { method: 'trace' },
    { method: 'in valid' },
    { method: '' },
    { mode: 'none' },
    { mode: 'navigate' },
    { mode: 'same-origin' },
    { credentials: 'none' },
    { credentials: 'include' },
    { credentials: 'omit' },
    { cache: 'none' },
    { cache: 'no-store' },
    { cache: 'reload' },
    { cache: 'only-if-cached' },
    { cache: 'only-if-cached', mode: 'same-origin' },
    { redirect: 'none' },
    { redirect: 'manual' },
    { redirect: 'error' },
    { referrer: 'http://' },
    { referrer: '' },
    { referrerPolicy: 'none' },
    { referrerPolicy: 'no-referrer' },
    { keepalive: true },
    { priority: 'high' },
    { priority: 'none' },
    { window: 'x' },
    { window: null },
    { integrity: '' },
  ].map(odd),
  ...(['in valid', 'x-ä', ''] as const).map((name) =>
    fact(`a header with the name ${JSON.stringify(name)}`, (site) =>
      failureOf(() => site.fetch(`${site.url}/drives`, { headers: { [name]: 'x' } })),
    ),
  ),
  ...(['a\nb', 'a\0b', 'Ω'] as const).map((value) =>
    fact(`a header with the value ${JSON.stringify(value)}`, (site) =>
      failureOf(() => site.fetch(`${site.url}/drives`, { headers: { 'x-own': value } })),
    ),
  ),
  fact('headers in each form', async ({ fetch, url, ...site }) => {
    const forms: HeadersInit[] = [
      [
        ['x-api-key', 'key-a'],
        ['X-Own', ' one '],
        ['x-own', 'two'],
      ],
      new Headers({ 'x-api-key': 'key-a', 'x-own': 'ä' }),
      new Map([
        ['x-api-key', 'key-a'],
        ['x-own-empty', ''],
      ]) as unknown as HeadersInit,
      { 'x-api-key': 'key-a', 'x-own': null, 'x-own-other': undefined } as unknown as HeadersInit,
    ];
    const found: unknown[] = [];
    for (const headers of forms) {
      const { status } = await fetch(`${url}/drives`, { headers });
      found.push([status, await received({ fetch, url, ...site })]);
    }
    return found;
  }),
  fact('wrong forms of headers', async ({ fetch, url }) => {
    const forms = [[['x-own']], [['x', 'y', 'z']], 'x', 7] as unknown as HeadersInit[];
    return Promise.all(forms.map((headers) => failureOf(() => fetch(`${url}/drives`, { headers }))));
  }),
  fact('a getter that throws rejects', async ({ fetch, url }) => {
    const init = {
      get method(): string {
        throw new Error('my error');
      },
    };
    let asked: Promise<Response> | undefined;
    const thrown = await failureOf(() => {
      asked = fetch(`${url}/drives`, init);
      asked.catch(() => undefined);
    });
    return [thrown, await failureOf(() => asked)];
  }),
];

export const factsOfRequests: readonly Fact[] = [...bodies, ...streams, ...inputs, ...settings];
