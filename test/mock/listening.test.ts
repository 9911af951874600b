import { lookup } from 'node:dns/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listening.ts';
import { createMock, createProxy, StartError } from '../../src/index.ts';

// Where a name has several addresses, clients try one of them first: which one is theirs to choose.
const addresses = [...new Set((await lookup('localhost', { all: true })).map(({ address }) => address))];
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

const programs = {
  mock: () => createMock({ host: 'localhost' }),
  proxy: async () => {
    const mock = await createMock();
    const proxy = await createProxy({ upstream: mock.url, host: 'localhost', port: 0 });
    return { ...proxy, close: () => Promise.all([proxy.close(), mock.close()]) };
  },
};

describe.each(Object.entries(programs))('a %s at localhost', (_, start) => {
  let running: { url: string; close(): Promise<unknown> };
  let port: string;
  beforeAll(async () => {
    running = await start();
    ({ port } = new URL(running.url));
  });
  afterAll(() => running.close());

  it.each(addresses)('answers operations and its admin API at %s', async (address) => {
    const origin = `http://${inUrl(address)}:${port}`;
    const drives = await fetch(`${origin}/v0.1/drives`, { headers: { 'x-api-key': 'demo-key' } });
    expect([drives.status, Object.keys(await drives.json())]).toEqual([200, expect.arrayContaining(['data'])]);
    expect((await fetch(`${origin}/__admin/health`)).status).toBe(200);
  });
});

describe('a name with several addresses', () => {
  it('is listened to at all of them, and at none afterwards', async () => {
    const server = createHttpServer((request, response) => response.end(request.socket.localAddress));
    const several = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const listening = await listen(server, { host: 'localhost', port: 0 }, async () => several);
    const { port } = server.address() as AddressInfo;
    const ask = async (address: string) => (await fetch(`http://${address}:${port}`)).text();
    expect(await Promise.all(several.map(ask))).toEqual(several);
    await listening.close();
    const refused = await Promise.allSettled(several.map(ask));
    expect(refused.map(({ status }) => status)).toEqual(several.map(() => 'rejected'));
  });

  it.each([
    ['where it is, if its addresses cannot be found', () => Promise.reject(new Error('no such name')), 'localhost'],
    ['where it can be', async () => ['127.0.0.1', '192.0.2.1'], '127.0.0.1'],
  ] as const)('is listened to %s', async (_, find, host) => {
    const server = createHttpServer((_request, response) => response.end('here'));
    const listening = await listen(server, { host: 'localhost', port: 0 }, find);
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here');
    await listening.close();
  });
});

describe('a server that is closed', () => {
  it.each(['localhost', '127.0.0.1'])('leaves its port free at %s, and can be closed again', async (host) => {
    const mock = await createMock({ host });
    const { port } = new URL(mock.url);
    await Promise.all([mock.close(), mock.close()]);
    await mock.close();
    for (const address of host === 'localhost' ? addresses : [host]) {
      const other = createServer();
      await new Promise<void>((resolve, reject) => other.once('error', reject).listen(Number(port), address, resolve));
      await new Promise((resolve) => other.close(resolve));
      expect(other.listening).toBe(false);
    }
  });

  it('ends the connections that are open, those that wait for nothing too', async () => {
    const mock = await createMock({ host: 'localhost' });
    const responses = await Promise.all(
      addresses.map((address) => fetch(`${mock.url.replace(/\/\/[^/]*:/, `//${inUrl(address)}:`)}/agents`)),
    );
    expect(responses.map(({ status }) => status)).toEqual(addresses.map(() => 401));
    await mock.close();
    await expect(fetch(mock.url)).rejects.toThrow();
  });
});

describe('a port that is taken', () => {
  it('is refused, and named', async () => {
    const mock = await createMock();
    const port = Number(new URL(mock.url).port);
    const error = await createMock({ port }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ code: 'PORT_IN_USE', message: expect.stringContaining(String(port)) });
    await mock.close();
  });
});
