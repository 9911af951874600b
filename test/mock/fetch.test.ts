/** The mock as a function like fetch: its options, its handle, and what only this edge has. */

import { setupServer } from 'msw/node';
import createClient from 'openapi-fetch';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFetch, type FetchOptions, StartError } from '../../src/browser/fetch.ts';
import { createHandlers, type HandlerOptions } from '../../src/browser/msw.ts';
import { requirePlatform } from '../../src/browser/platform.ts';
import { createMock, type paths } from '../../src/index.ts';
import { loadedByScript } from '../support/loaded.ts';

const headers = { 'x-api-key': 'key-a' };
const seed: FetchOptions['seed'] = { organizations: [{ name: 'Acme', keys: ['key-a'], drives: [{ name: 'Docs' }] }] };

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof StartError ? error.code : String(error);
  }
}

afterEach(() => vi.unstubAllGlobals());

describe('requirePlatform', () => {
  const { Map: map, Promise: promise, Iterator: iterator } = globalThis;
  const { Request, Response, Headers, ReadableStream, TextEncoder, TextDecoder, structuredClone } = globalThis;
  const classes = { Request, Response, Headers, ReadableStream, TextEncoder, TextDecoder, structuredClone };
  const browser = { ...classes, Map: map, Promise: promise, Iterator: iterator };
  const refusal = (code: string, message: RegExp) =>
    expect.objectContaining({ name: 'StartError', code, message: expect.stringMatching(message) });

  it('accepts this Node, and a browser that has all', () => {
    expect(() => requirePlatform()).not.toThrow();
    expect(() => requirePlatform(browser)).not.toThrow();
  });

  it('refuses an old Node as createMock does', () => {
    const old = { ...browser, process: { versions: { node: '20.20.2' } } };
    const message =
      /^agent-platform-contract needs Node 22\.13 or later; this is Node 20\.20\.2\. Install .*node@24, .*\.$/;
    expect(() => requirePlatform(old)).toThrow(refusal('NODE_TOO_OLD', message));
  });

  it.each(Object.keys(classes))('names %s where the environment of a test lacks it', (name) => {
    const message = new RegExp(`needs ${name}, which the global object lacks here.*jest-fixed-jsdom`);
    expect(() => requirePlatform({ ...browser, [name]: undefined })).toThrow(
      refusal('ENVIRONMENT_INCOMPLETE', message),
    );
  });

  it.each([
    ['Map.groupBy', { Map: {} }],
    ['Promise.withResolvers', { Promise: {} }],
    ['Iterator.prototype.map', { Iterator: undefined }],
  ])('names %s where a browser lacks it', (name, without) => {
    const message = new RegExp(`needs ${name}, which this browser lacks`);
    expect(() => requirePlatform({ ...browser, ...without })).toThrow(refusal('BROWSER_TOO_OLD', message));
  });
});

describe('createFetch', () => {
  it('is the fetch of a typed client', async () => {
    const mock = createFetch({ seed });
    const client = createClient<paths>({ baseUrl: mock.url, fetch: mock, headers });
    expect((await client.GET('/drives')).data?.data?.map(({ name }) => name)).toEqual(['Docs']);
  });

  it('takes an address, a text below it, a Request, and options over it', async () => {
    const mock = createFetch({ seed });
    const address = `${mock.url}/drives`;
    const asked = [
      mock(address, { headers }),
      mock(new URL(address), { headers }),
      mock('/v0.1/drives', { headers }),
      mock(new Request(address, { headers })),
      mock(new Request(address), { headers }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('takes a Request of another class than its own', async () => {
    const mock = createFetch({ seed });
    const asked = new Request(`${mock.url}/drives`, { headers });
    vi.stubGlobal('Request', class extends Request {});
    expect(asked).not.toBeInstanceOf(Request);
    expect((await mock(asked)).status).toBe(200);
  });

  it('answers below any address, and only there', async () => {
    const mock = createFetch({ seed, baseUrl: 'https://api.example.com/platform/v0.1/' });
    expect(mock.url).toBe('https://api.example.com/platform/v0.1');
    expect((await mock(`${mock.url}/drives`, { headers })).status).toBe(200);
    expect((await mock(`${mock.adminUrl}/health`)).status).toBe(200);
    for (const other of ['https://api.example.com/v0.1/drives', 'https://example.com/platform/v0.1/drives'])
      await expect(mock(other, { headers })).rejects.toThrow(TypeError);
  });

  it('serves its documents, with its own address', async () => {
    const mock = createFetch({ seed, baseUrl: 'https://api.example.com/platform/v0.1' });
    const root = 'https://api.example.com/platform';
    for (const path of ['/openapi.json', '/openapi.yaml']) {
      const answer = await mock(root + path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain(mock.url);
    }
  });

  it('has the handle of a mock', async () => {
    const mock = createFetch({ seed });
    const names = async (key: string) => {
      const answer = await mock(`${mock.url}/drives`, { headers: { 'x-api-key': key } });
      return (await answer.json()).data.map(({ name }: { name: string }) => name);
    };
    const create = (name: string) =>
      mock(`${mock.url}/drives`, {
        ...{ method: 'POST', body: JSON.stringify({ name }) },
        headers: { ...headers, 'content-type': 'application/json' },
      });
    expect(mock.keys).toEqual(['key-a']);
    const before = mock.snapshot();
    await create('New');
    const { key } = mock.openSandbox();
    expect([await names('key-a'), await names(key)]).toEqual([['Docs', 'New'], ['Docs']]);
    mock.restore(before);
    expect(await names('key-a')).toEqual(['Docs']);
    mock.setProfile({ 'successStatus.createDrive': 202 });
    expect([mock.profile['successStatus.createDrive'], (await create('Other')).status]).toEqual([202, 202]);
    mock.faults.add({ effect: { connectionReset: {} }, when: { next: 1 } });
    await expect(create('Lost')).rejects.toThrow('Failed to fetch');
    mock.reset();
    expect(await names('key-a')).toEqual(['Docs']);
  });

  it('stops when its caller does', async () => {
    const mock = createFetch({ seed, latency: 60_000 });
    const controller = new AbortController();
    const asked = mock(`${mock.url}/drives`, { headers, signal: controller.signal });
    controller.abort(new Error('too slow'));
    await expect(asked).rejects.toThrow('too slow');
    await expect(mock(`${mock.url}/drives`, { headers, signal: controller.signal })).rejects.toThrow('too slow');
    expect(mock.faults.held.count).toBe(0);
  });

  it('streams its request log until nobody reads', async () => {
    const mock = createFetch({ seed });
    const stream = await mock(`${mock.adminUrl}/requests/live`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/^:/);
    await mock(`${mock.url}/drives`, { headers });
    expect((await reader?.read())?.value).toContain('"operationId":"listDrives"');
    await reader?.cancel();
    expect((await mock(`${mock.url}/drives`, { headers })).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['OPTION_INVALID', { port: 1 }],
    ['OPTION_INVALID', { requestLogLimit: -1 }],
    ['OPTION_INVALID', { seed: 'seed.yaml' }],
    ['OPTION_INVALID', { profile: 'profile.yaml' }],
    ['OPTION_INVALID', { baseUrl: 'https://api.example.com' }],
    ['OPTION_INVALID', { baseUrl: 'v0.1' }],
    ['OPTION_INVALID', { clock: 'noon' }],
    ['OPTION_INVALID', { latency: 'slow' }],
    ['OPTION_INVALID', null],
    ['SEED_INVALID', { seed: { organizations: [] } }],
    ['PROFILE_INVALID', { set: { 'successStatus.createDrive': 99 } }],
  ])('refuses wrong options: %s %j', (code, options) => {
    expect(codeOf(() => createFetch(options as FetchOptions))).toBe(code);
  });

  it.each<FetchOptions>([
    { openPointsHeader: false },
    { openKeys: true, maxSandboxes: 1 },
    { latency: '1-2' },
    { admin: false },
    { requestLogLimit: 0 },
    { vary: 'visible', randomSeed: 7 },
    { profile: { errorBody: 'empty' } },
  ])('takes options as createMock does: %j', async (options) => {
    const given = { seed, clock: '2026-03-02T08:15:00Z', ...options };
    const overHttp = await createMock(given);
    onTestFinished(() => overHttp.close());
    const inProcess = createFetch({ ...given, baseUrl: overHttp.url });
    const asked: [path: string, key: string][] = [
      ...(['key-a', 'new', 'newer', 'new'] as const).map((key): [string, string] => ['v0.1/drives', key]),
      ...['v0.1/drives?limit=0', '__admin/settings', '__admin/requests?limit=1', '__admin/health'].map(
        (path): [string, string] => [path, 'key-a'],
      ),
    ];
    const tour = async (send: typeof fetch) => {
      const told: unknown[] = [];
      for (const [path, key] of asked) {
        const answer = await send(new URL(`/${path}`, overHttp.url), { headers: { 'x-api-key': key } });
        const named = [...answer.headers].filter(([name]) => name.startsWith('x-'));
        told.push([path, answer.status, named, path.includes('requests') ? 0 : await answer.text()]);
      }
      return told;
    };
    expect(await tour(inProcess as typeof fetch)).toEqual(await tour(fetch));
  });

  // Nothing but the request keeps such a process alive.
  it('answers late in a process that does nothing else', async () => {
    const script = `
      import { createFetch } from '<root>src/browser/fetch.ts';
      const mock = createFetch({ latency: 20 });
      mock.faults.add({ effect: { slowDribble: { overMs: 20 } } });
      const answer = await mock(mock.url + '/agents', { headers: { 'x-api-key': mock.keys[0], prefer: 'delay=1' } });
      if (!Array.isArray(await answer.json())) throw new Error('no agents');
    `;
    expect((await loadedByScript(script)).files).toContain('src/browser/fetch.ts');
  });
});

describe('createHandlers', () => {
  it('leaves it at the error of the client where the client aborts', async () => {
    const mock = createFetch({ baseUrl: 'https://api.example.com/v0.1', seed });
    mock.faults.add({ effect: { latency: { delayMs: 60_000 } } });
    const server = setupServer(...createHandlers(mock));
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const stop = new AbortController();
    server.events.on('request:start', () => stop.abort());
    server.listen();
    try {
      const asked = fetch(`${mock.url}/drives`, { headers, signal: stop.signal });
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
      await vi.waitUntil(() => new Promise((done) => setImmediate(() => done(true))));
      expect(said).not.toHaveBeenCalled();
    } finally {
      server.close();
      said.mockRestore();
    }
  });

  it('needs an address', () => {
    for (const given of [{}, undefined, null, 'text', 5, fetch])
      expect(codeOf(() => createHandlers(given as HandlerOptions))).toBe('OPTION_INVALID');
  });

  it('has one handler for each operation', () => {
    const mock = createFetch({ seed, baseUrl: 'https://api.example.com/v0.1' });
    const handled = createHandlers(mock).map(({ info }) => info.header);
    expect(handled).toContain('GET https://api.example.com/v0.1/drives/:driveId/files/:fileId');
    expect(handled).toHaveLength(new Set(handled).size);
  });

  it.each([
    ['https://api.example.com/v0.1/drives', true],
    ['https://api.example.com/v0.1/drives/%FF', true],
    ['https://api.example.com/__admin/%FF', true],
    ['https://api.example.com/', false],
    ['https://api.example.com/%FF', false],
    ['https://api.example.com/v0.11/%FF', false],
    ['https://other.example.com/v0.1/drives', false],
    ['https://other.example.com/v0.1/%FF', false],
  ])('takes %s: %s', async (address, isTaken) => {
    const handlers = createHandlers({ seed, baseUrl: 'https://api.example.com/v0.1' });
    const request = new Request(address);
    expect((await Promise.all(handlers.map((each) => each.test({ request })))).includes(true)).toBe(isTaken);
  });
});
