import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions, StartError } from '../../src/index.ts';
import { createProxy } from '../../src/node/proxy/create-proxy.ts';
import { createClient } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { startControlled } from '../support/control.ts';
import { createFolder } from '../support/folder.ts';
import { by, exchange, sendRaw } from '../support/raw-http.ts';
import { tinySeed } from '../support/tiny-seed.ts';

const folder = createFolder('guarded-edges');

describe('admin API, asked by a browser', () => {
  // The health is for everyone.
  const paths = ['/settings', '/requests', '/snapshot', '/organizations', '/faults', '/nowhere'];
  const embedded = ['script', 'image', 'iframe', 'style', 'empty'].flatMap((destination) =>
    ['cross-site', 'same-site'].map((site) => ({
      site,
      mode: destination === 'iframe' ? 'navigate' : 'no-cors',
      destination,
    })),
  );

  it.each(embedded)('refuses a GET of another page: %j', async ({ site, mode, destination }) => {
    const { control } = await startControlled();
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination };
    for (const path of paths) expect([path, (await control('GET', path, { headers })).status]).toEqual([path, 403]);
  });

  it.each([
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    {},
  ])('serves the page itself and a program: %j', async (headers) => {
    const { control } = await startControlled();
    expect((await control('GET', '/settings', { headers: { ...headers } as Record<string, string> })).status).toBe(200);
  });

  // By hand: fetch sends a Sec-Fetch-Mode of its own.
  it('serves a person who follows a link', async () => {
    const { mock } = await startControlled();
    const lines = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    const { host } = new URL(mock.url);
    const request = { ...by('GET', '/__admin/settings', `Host: ${host}`, ...lines), hasOwnHost: true };
    expect((await sendRaw(mock.url, request)).status).toBe(200);
  });

  it('serves the pages of --admin-origin', async () => {
    const { control } = await startControlled({ adminOrigins: ['http://a.example'] });
    const headers = { origin: 'http://a.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect((await control('GET', '/settings', { headers })).status).toBe(200);
  });

  it('sends headers that close it to other pages, with every response', async () => {
    const { mock, control } = await startControlled();
    const proxy = await createProxy({ upstream: mock.url });
    const ofProxy = createClient(`${new URL(proxy.url).origin}/__admin`, '');
    const replies = [
      ...(await Promise.all(paths.map((path) => control('GET', path)))),
      await control('POST', '/reset'),
      await control('PUT', '/settings'),
      ...(await Promise.all(['/summary', '/requests', '/nowhere'].map((path) => ofProxy('GET', path)))),
    ];
    await proxy.close();
    for (const { headers } of replies) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });
});

describe('request that Node cannot read', () => {
  it.each([
    ['a raw byte that is not ASCII', 'GET /v0.1/drives/\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('is answered with a problem by mock and proxy: %s', async (_, text) => {
    const mock = await createMock();
    const proxy = await createProxy({ upstream: mock.url });
    for (const { url } of [mock, proxy]) {
      const { answers, isClosed } = await exchange(url, Buffer.from(text, 'latin1'), { isReadToEnd: true });
      expect([answers.length, isClosed]).toEqual([1, true]);
      const body = JSON.parse(String(answers[0]?.body));
      expect([400, 431, 501]).toContain(body.status);
      expect(body.detail).toMatch(/^\S.{10,}\.$/);
    }
    await proxy.close();
    await mock.close();
  });
});

it('plain http to the https port is answered in plain http, with the remedy', async () => {
  const mock = await createMock({ https: true });
  const request = 'GET /v0.1/drives HTTP/1.1\r\nHost: x\r\n\r\n';
  const { answers } = await exchange(mock.url.replace('https:', 'http:'), request, { isReadToEnd: true });
  await mock.close();
  expect(answers).toHaveLength(1);
  expect(JSON.parse(String(answers[0]?.body))).toMatchObject({
    status: 400,
    detail: expect.stringContaining('Use https://'),
  });
});

describe('file that is a link', () => {
  it.each([
    ['contract', (link: string) => ['contract', '-o', link]],
    ['mock --https-write-cert', (link: string) => ['mock', '--port', '0', '--https', '--https-write-cert', link]],
    [
      'proxy --observe',
      (link: string) => ['proxy', '--port', '0', '--upstream', 'http://127.0.0.1:1', '--observe', link],
    ],
    ['vary --json', (link: string) => ['vary', '--json', link, '--', 'true']],
    [
      'conformance --trace',
      (link: string) => ['conformance', '--base-url', 'http://127.0.0.1:1', '--api-key', 'key-a', '--trace', link],
    ],
    [
      'conformance --json',
      (link: string) => ['conformance', '--base-url', 'http://127.0.0.1:1', '--api-key', 'key-a', '--json', link],
    ],
    [
      'conformance doctor --write-config',
      (link: string) => ['conformance', 'doctor', '--base-url', 'http://127.0.0.1:1', '--write-config', link],
    ],
  ])('is not written through by %s, whether its target is there or not', async (name, args) => {
    const slug = name.replaceAll(/\W+/g, '-');
    const target = folder.write(`${slug}.target`, 'kept');
    const missing = folder.at(`${slug}.missing`);
    for (const [index, to] of [target, missing].entries()) {
      const link = folder.at(`${slug}.link-${index}`);
      symlinkSync(to, link);
      const { code } = await runCommand(args(link));
      expect(code).not.toBe(0);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(target, 'utf8')).toBe('kept');
    expect(existsSync(missing)).toBe(false);
  });

  it('says what to do instead, and writes into a linked folder', async () => {
    symlinkSync(folder.at('elsewhere.yaml'), folder.at('named.yaml'));
    const { stderr } = await runCommand(['contract', '-o', folder.at('named.yaml')]);
    expect(stderr).toContain('it is a symbolic link; name the file that it points to');
    symlinkSync(folder.path, join(folder.path, 'linked-folder'));
    expect((await runCommand(['contract', '-o', folder.at('linked-folder', 'contract.yaml')])).code).toBe(0);
    expect(readFileSync(folder.at('contract.yaml'), 'utf8')).toContain('openapi:');
  });
});

describe('clock that responses cannot show', () => {
  const clocks = [
    '9999-12-31T23:59:59-01:00',
    '9999-06-01T00:00:00Z',
    '0000-01-01T00:00:00+01:00',
    '0000-06-01T00:00:00Z',
  ];

  it.each([...clocks, new Date(8.64e15), new Date(-8.64e15)])('is refused: %s', async (clock) => {
    await expect(createMock({ clock })).rejects.toThrow(StartError);
  });

  it.each(clocks)('is refused by the admin API: %s', async (clock) => {
    const { control } = await startControlled();
    expect((await control('PATCH', '/settings', { json: { clock } })).status).toBe(422);
  });
});

it.each([{}, { organizations: [{}], revokedKeys: [] }, null, 'x', { organizations: 'x' }] as object[])(
  'restore(%j) is refused with a reason, and the state stays',
  async (value) => {
    const { mock, api } = await startControlled();
    expect(() => mock.restore(value as ReturnType<typeof mock.snapshot>)).toThrow(
      /^This is not a snapshot\. Pass what/,
    );
    expect((await api('GET', '/drives')).body.data.length).toBeGreaterThan(0);
  },
);

it.each<[string, (snapshot: ReturnType<Mock['snapshot']>) => void, string]>([
  ['a clock that is no number', (snapshot) => Object.assign(snapshot, { clockMs: Number.NaN }), 'clockMs'],
  ['a clock beyond what can be shown', (snapshot) => Object.assign(snapshot, { clockMs: 9e15 }), 'clockMs'],
  ['an id that is a number', ({ organizations: [first] }) => Object.assign(first?.drives[0] ?? {}, { id: 5 }), 'id'],
  ['an organization twice', ({ organizations }) => organizations.push(...organizations), 'organizations'],
  ['a path with ..', ({ organizations: [first] }) => Object.assign(fileOf(first), { path: '/..' }), 'path'],
])('restore() of a snapshot with %s is refused and names the place, as over HTTP', async (_, spoil, place) => {
  const { mock, api } = await startControlled();
  const snapshot = mock.snapshot();
  mock.restore(snapshot);
  spoil(snapshot);
  expect(() => mock.restore(snapshot)).toThrow(new RegExp(`^This is not a snapshot\\. [^]*\\b${place}\\b`));
  expect((await api('POST', '/drives', { json: { name: 'New' } })).status).toBe(201);
});

function fileOf(organization: { drives: { files: object[] }[] } | undefined): object {
  const [file] = organization?.drives.flatMap(({ files }) => files) ?? [];
  if (file === undefined) throw new Error('The seed has no file.');
  return file;
}

it('a fault in code names its organization by id or name, and no other', async () => {
  const { mock, api } = await startControlled();
  const [organization] = mock.snapshot().organizations;
  const effect = { status: { code: 503 } };
  expect(() => mock.faults.add({ organizationId: 'Nobody', effect })).toThrow('organizationId names no organization');
  mock.faults.add({ organizationId: organization?.name ?? '', effect, when: { next: 1 } });
  expect((await api('GET', '/agents')).status).toBe(503);
});

it.each(['host', 'adminToken', 'state'])('an empty %s is refused', async (name) => {
  await expect(createMock({ [name]: '' })).rejects.toThrow(`${name} must not be empty.`);
});

it.each(['file', 'value'])('$schema is accepted in seeds and profiles, given as a %s', async (how) => {
  const seed = { $schema: './seed.schema.json', ...tinySeed };
  const profile = { $schema: './profile.schema.json', createStatus: 202 };
  const given =
    how === 'value'
      ? { seed, profile }
      : { seed: folder.write('s.json', seed), profile: folder.write('p.json', profile) };
  const { mock } = await startControlled(given as MockOptions);
  expect(mock.profile.createStatus).toBe(202);
  expect(mock.profile).not.toHaveProperty('$schema');
});
