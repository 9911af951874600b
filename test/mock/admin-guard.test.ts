import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { createProxy } from '../../src/proxy/create-proxy.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { runCommand, startMockHere } from '../support/command.ts';
import { everythingOf, startControlled, useControlled, useMock } from '../support/control.ts';
import { isFull } from '../support/depth.ts';
import { page, serveSite } from '../support/page-server.ts';
import { headerOf, open, type RawAnswer, type RawRequest, sendRaw } from '../support/raw-http.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// Who may use the admin API: this machine, or who has the token, and never a page of another origin.

const token = 'token-of-the-admin-api';

/** A request to the admin API with a Host of its own: the port that the mock has stands for `{port}`. */
function ask(mock: Mock, host: string, lines: string[] = [], request: Partial<RawRequest> = {}): Promise<RawAnswer> {
  const { port } = new URL(mock.url);
  const filled = [`Host: ${host}`, ...lines].map((line) => line.replaceAll('{port}', port));
  return sendRaw(mock.url, { method: 'GET', target: '/__admin/settings', lines: filled, hasOwnHost: true, ...request });
}

/** Requests that would change something if they were let in. */
const attacks: Partial<RawRequest>[] = [
  { method: 'POST', target: '/__admin/reset' },
  { method: 'POST', target: '/__admin/organizations', body: '{}' },
  { method: 'DELETE', target: '/__admin/organizations/org-a' },
  { method: 'GET', target: '/__admin/snapshot' },
  { method: 'GET', target: '/__admin/requests/live' },
  { method: 'GET', target: '/__admin/openapi.json' },
  { method: 'GET', target: '/__admin' },
  { method: 'OPTIONS', target: '/__admin/reset' },
  { method: 'PROPFIND', target: '/__admin/reset' },
];

/** All of them for the first of some cases; in the quick run two for each other one. */
function attacksOn(index: number): Partial<RawRequest>[] {
  if (isFull || index === 0) return attacks;
  return [0, 1].flatMap((more) => attacks[(2 * index + more) % attacks.length] ?? []);
}

function expectRefusal(answer: RawAnswer, status: number): void {
  expect([answer.status, headerOf(answer, 'content-type')]).toEqual([status, 'application/problem+json']);
  const named = answer.headers.map(([name]) => name);
  expect(named.filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect(JSON.parse(String(answer.body)).detail).toMatch(/admin API|token/);
}

describe('the admin API without a token', () => {
  const controlled = useControlled();

  it.each([
    'localhost:{port}',
    '127.0.0.1:{port}',
    '[::1]:{port}',
    'LOCALHOST',
    '127.0.0.1',
    '[::1]',
    '127.1.2.3:{port}',
  ])('answers requests for the host %s', async (host) => {
    const { mock } = controlled();
    expect((await ask(mock, host)).status).toBe(200);
    expect((await ask(mock, host, [`Origin: http://${host}`])).status).toBe(200);
  });

  const hosts = [
    ...[
      'attacker.example',
      'attacker.example:{port}',
      'localhost.attacker.example:{port}',
      'attacker.localhost:{port}',
    ],
    ...['127.0.0.1.attacker.example', 'localhost.:{port}', 'localhost@attacker.example', '0.0.0.0:{port}', '::1', ''],
    ...[
      '192.168.0.1:{port}',
      '[::2]:{port}',
      '[::ffff:192.168.0.1]:{port}',
      '127.0.0.1:{port}:80',
      '2130706433',
      '0x7f.1',
    ],
  ];
  it.each(hosts)('refuses the host %j', async (host) => {
    const { mock, control } = controlled();
    const before = await everythingOf(control);
    expectRefusal(await ask(mock, host), 403);
    for (const attack of attacksOn(hosts.indexOf(host))) {
      expectRefusal(await ask(mock, host, [], attack), 403);
      expectRefusal(await ask(mock, host, [`Origin: http://${host}`], attack), 403);
    }
    expect(await everythingOf(control)).toBe(before);
  });

  it('refuses an HTTP/1.0 request without a host', async () => {
    const socket = open(controlled().mock.url);
    socket.end('GET /__admin/settings HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });
});

const allowed = 'http://localhost:5173';
const strangers = [
  ...['http://attacker.example', 'https://127.0.0.1:{port}', 'http://127.0.0.1', 'http://127.0.0.1:1', 'null', ''],
  ...['http://localhost:{port}', 'http://127.0.0.1:{port}.attacker.example', 'http://127.0.0.1:{port}/', 'file://'],
  ...['http://localhost:5174', 'https://localhost:5173', 'http://localhost', 'http://localhost:5173.evil.example'],
  ...['http://localhost:5173/', `${allowed}, ${allowed}`, `${allowed}, http://a.example`],
];
const local = '127.0.0.1:{port}';
const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization,content-type'];
const allowedTo = (answer: RawAnswer) => headerOf(answer, 'access-control-allow-origin');

describe.each<[string, MockOptions, string[]]>([
  ['without a token', {}, []],
  ['with its token', { adminToken: token }, [`Authorization: Bearer ${token}`]],
])('a page of another origin, %s', (_, options, lines) => {
  const controlled = useControlled({ adminOrigins: [allowed, 'tauri://localhost'], ...options });

  it.each(strangers)('is refused with the origin %j', async (origin) => {
    const { mock, control: plain } = controlled();
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    const control: Client = (method, path, sent) => plain(method, path, { headers, ...sent });
    const before = await everythingOf(control);
    const sent = [`Origin: ${origin}`, ...preflight, 'Access-Control-Request-Private-Network: true', ...lines];
    for (const attack of attacksOn(strangers.indexOf(origin))) expectRefusal(await ask(mock, local, sent, attack), 403);
    // What a form or a beacon sends without asking first.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const body = { method: 'POST', target: '/__admin/organizations', body: '{"name":"x"}' };
      expectRefusal(await ask(mock, local, [`Origin: ${origin}`, `Content-Type: ${type}`, ...lines], body), 403);
    }
    expect(await everythingOf(control)).toBe(before);
  });

  it.each([allowed, 'tauri://localhost', allowed.toUpperCase()])('may use it with the origin %s', async (origin) => {
    const { mock } = controlled();
    const send = (request: Partial<RawRequest>, more: string[]) =>
      ask(mock, local, [`Origin: ${origin}`, ...more], request);
    for (const { target = '' } of [...attacksOn(origin === allowed ? 0 : 1), { target: '/__admin/nowhere' }]) {
      const answer = await send({ method: 'OPTIONS', target }, preflight);
      expect([answer.status, allowedTo(answer)]).toEqual([204, origin]);
      expect(headerOf(answer, 'access-control-allow-headers')).toBe('authorization,content-type');
      expect(headerOf(answer, 'access-control-allow-methods')).toContain('PATCH');
      expect(headerOf(answer, 'access-control-allow-credentials')).toBeUndefined();
    }
    for (const [method, path, status] of [
      ['GET', '/settings', 200],
      ['GET', '/nowhere', 404],
      ['POST', '/reset', 200],
    ] as const) {
      const answer = await send({ method, target: `/__admin${path}` }, lines);
      expect([answer.status, allowedTo(answer)]).toEqual([status, origin]);
      expect(headerOf(answer, 'vary')).toContain('Origin');
    }
  });

  it('is not one of its own origin, which needs no headers for it, unless it sends another one as well', async () => {
    const { mock } = controlled();
    const own = 'Origin: http://127.0.0.1:{port}';
    expectRefusal(await ask(mock, local, [own, 'Origin: http://attacker.example', ...lines]), 403);
    const answer = await ask(mock, local, [own, ...lines]);
    expect([answer.status, allowedTo(answer)]).toEqual([200, undefined]);
  });
});

describe('--admin-origin', () => {
  it('opens no way without the token, or for another host name that points here', async () => {
    const { mock } = await startControlled({ adminOrigins: [allowed], adminToken: token });
    const answer = await ask(mock, local, [`Origin: ${allowed}`], attacks[0]);
    expect([answer.status, allowedTo(answer)]).toEqual([401, allowed]);
    const other = await startControlled({ adminOrigins: [allowed] });
    for (const method of ['OPTIONS', 'POST']) {
      const request = { method, target: '/__admin/reset' };
      const { status } = await ask(other.mock, 'evil.example', [`Origin: ${allowed}`, ...preflight], request);
      expect(status).toBe(403);
    }
  });

  it('opens it only to who is named', async () => {
    const { mock } = await startControlled();
    const sent = [`Origin: ${allowed}`, ...preflight];
    for (const attack of attacks) expectRefusal(await ask(mock, local, sent, attack), 403);
  });

  it.each([
    ...['http://localhost:5173/', 'http://LOCALHOST:5173', 'http://localhost:5173/page?x=1'].map((one) => [
      ...[one, 'here http://localhost:5173;'],
    ]),
    ['http://localhost:80', 'here http://localhost;'],
    ['localhost:5173', 'such as http://localhost:5173;'],
    ...['*', 'null', ''].map((one) => [one, 'such as']),
  ])('refuses %j as an origin', async (origin, hint) => {
    const refused = { code: 'OPTION_INVALID', message: expect.stringContaining(hint as string) };
    await expect(createMock({ adminOrigins: [origin as string] })).rejects.toMatchObject(refused);
  });

  it('refuses origins of an admin API that is off', async () => {
    const refused = { code: 'OPTION_INVALID', message: expect.stringContaining('contradict each other') };
    await expect(createMock({ admin: false, adminOrigins: [allowed] })).rejects.toMatchObject(refused);
  });

  it('is an option of the command, and a variable', async () => {
    const mock = await startMockHere(['--admin-origin', allowed, '--admin-origin', 'http://localhost:6006']);
    const other = await startMockHere([], { AGENT_PLATFORM_ADMIN_ORIGIN: `${allowed}, http://localhost:6006` });
    for (const { url } of [mock, other]) {
      for (const origin of [allowed, 'http://localhost:6006']) {
        const { headers } = await fetch(`${new URL(url).origin}/__admin/settings`, { headers: { origin } });
        expect(headers.get('access-control-allow-origin')).toBe(origin);
      }
    }
    await Promise.all([mock.stop(), other.stop()]);
  });

  it.runIf(isFull)('works from a page in a browser, and from no other page', async (test) => {
    const browser = await openBrowser();
    if (browser === undefined) return test.skip(noBrowser);
    const pages = await serveSite({ '/': page('<title>page</title>') });
    const { origin } = new URL(pages.url);
    const mock = await createMock({ seed: tinySeed, adminOrigins: [origin], adminToken: token });
    onTestFinished(async () => {
      await browser.close();
      await mock.close();
      pages.close();
    });
    const reset = async (from: string) => {
      const page = await browser.newPage();
      await page.goto(from);
      return page.evaluate(
        async ([url, key]) => {
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
          const options = { method: 'PATCH', headers, body: '{"latency":{"delayMs":1}}' };
          return fetch(`${url}/settings`, options).then(
            ({ status }) => status,
            () => 'blocked',
          );
        },
        [mock.adminUrl ?? '', token] as const,
      );
    };
    expect(await reset(origin)).toBe(200);
    expect(await reset(origin.replace('127.0.0.1', 'localhost'))).toBe('blocked');
  });
});

describe('the admin API, asked by a browser', () => {
  // The health is for everyone.
  const paths = ['/settings', '/requests', '/snapshot', '/organizations', '/faults', '/nowhere'];
  const controlled = useControlled();
  // By hand: fetch sends a Sec-Fetch-Mode of its own.
  const get = async (path: string, [site, mode, destination]: string[] = []) => {
    const lines = [`Sec-Fetch-Site: ${site}`, `Sec-Fetch-Mode: ${mode}`, `Sec-Fetch-Dest: ${destination}`];
    const sent = site === undefined ? [] : lines;
    return (await ask(controlled().mock, local, sent, { target: `/__admin${path}` })).status;
  };

  it.each(['script', 'image', 'iframe', 'style', 'empty'])('refuses a GET of another page for: %s', async (what) => {
    for (const site of ['cross-site', 'same-site']) {
      const by = [site, what === 'iframe' ? 'navigate' : 'no-cors', what];
      for (const path of paths) expect([path, await get(path, by)]).toEqual([path, 403]);
    }
  });

  it('serves the page itself, a program, and a person who follows a link', async () => {
    expect(await get('/settings', ['same-origin', 'cors', 'empty'])).toBe(200);
    expect(await get('/settings', ['none', 'navigate', 'document'])).toBe(200);
    expect(await get('/settings')).toBe(200);
    expect(await get('/settings', ['cross-site', 'navigate', 'document'])).toBe(200);
  });

  it('serves the pages of --admin-origin', async () => {
    const { control } = await startControlled({ adminOrigins: ['http://a.example'] });
    const headers = { origin: 'http://a.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect((await control('GET', '/settings', { headers })).status).toBe(200);
  });

  it('sends headers that close it to other pages, with every response', async () => {
    const { mock, control } = controlled();
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

describe('the admin API with a token', () => {
  const controlled = useControlled({ adminToken: token });

  const tokens = [
    ...['', ' ', ` ${token.slice(0, -1)}`, ` ${token.slice(1)}`, ` ${token}x`, ` ${token.toUpperCase()}`],
    ...[` ${token} ${token}`, ` "${token}"`, ` ${'x'.repeat(8_000)}`, ' key-a'],
  ];
  const wrong = [
    ...[[], ...tokens.map((sent) => [`Authorization: Bearer${sent}`]), [`Authorization: ${token}`]],
    ...[[`Authorization: Basic ${btoa(`admin:${token}`)}`], [`X-API-Key: ${token}`], [`Cookie: token=${token}`]],
  ];

  it.each(wrong.map((lines, index) => ({ lines, index })))('answers 401 to $lines', async ({ lines, index }) => {
    const { mock } = controlled();
    for (const attack of attacksOn(index)) {
      const answer = await ask(mock, 'attacker.example', lines, attack);
      expectRefusal(answer, 401);
      expect(headerOf(answer, 'www-authenticate')).toMatch(/^Bearer/);
      expect(String(answer.body)).not.toContain(token);
    }
    expectRefusal(await ask(mock, local, lines, { target: `/__admin/settings?token=${token}` }), 401);
    expect(mock.snapshot().organizations.map(({ id }) => id)).toEqual(['org-a', 'org-b']);
  });

  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}  `])('accepts %j for any host', async (sent) => {
    const { mock } = controlled();
    for (const host of ['127.0.0.1:{port}', 'mock.example.com', 'attacker.example:{port}']) {
      expect((await ask(mock, host, [`Authorization: ${sent}`])).status).toBe(200);
      expect((await ask(mock, host, [`Authorization: ${sent}`, `Origin: http://${host}`])).status).toBe(200);
    }
  });

  it('answers without the token only GET and HEAD of /health', async () => {
    const { mock } = controlled();
    for (const host of ['127.0.0.1:{port}', 'mock.example.com']) {
      for (const target of ['/__admin/health', '/__admin/health?']) {
        for (const method of ['GET', 'HEAD']) expect((await ask(mock, host, [], { method, target })).status).toBe(200);
      }
      for (const method of ['POST', 'DELETE', 'OPTIONS']) {
        expectRefusal(await ask(mock, host, [], { method, target: '/__admin/health' }), 401);
      }
      for (const path of ['health/', 'health/../settings', 'version', 'healt%68'])
        expectRefusal(await ask(mock, host, [], { target: `/__admin/${path}` }), 401);
    }
  });

  it.each(['', ' ', 'two words', 'ä', 'line\nbreak'])('cannot be started with the token %j', async (adminToken) => {
    const start = createMock({ seed: tinySeed, adminToken, host: '0.0.0.0' }).then((mock) => mock.close());
    await expect(start).rejects.toMatchObject({ name: 'StartError', code: 'OPTION_INVALID' });
  });
});

describe('availability of the admin API', () => {
  const isGone = async (mock: Mock, lines: string[] = []) => {
    expect(mock.adminUrl).toBeUndefined();
    for (const path of ['', '/', '/health', '/reset', '/openapi.json', '/organizations']) {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await ask(mock, local, lines, { method, target: `/__admin${path}` });
        expect([status, String(body)]).toEqual([404, expect.stringContaining('unknown-path')]);
      }
    }
  };
  const locally = ({ url }: Mock) => url.replace(/\/\/[^/]*:/, '//127.0.0.1:');
  const start = (options: MockOptions) => useMock({ seed: tinySeed, ...options });

  it.each(['0.0.0.0', '::'])('is closed on %s without a token, except for health', async (host) => {
    const mock = await start({ host, adminOrigins: ['http://localhost:5173'] });
    expect(mock.adminUrl).toBeUndefined();
    const before = mock.snapshot();
    for (const lines of [[], [`Authorization: Bearer ${token}`], ['Origin: http://localhost:5173']]) {
      for (const attack of attacks) {
        const answer = await ask({ ...mock, url: locally(mock) }, '127.0.0.1:{port}', lines, attack);
        expectRefusal(answer, 403);
        expect(String(answer.body)).toContain(`listens on ${host}`);
      }
    }
    expect(mock.snapshot()).toEqual(before);
    for (const name of ['127.0.0.1:{port}', 'mock.example.com'])
      expect((await ask({ ...mock, url: locally(mock) }, name, [], { target: '/__admin/health' })).status).toBe(200);
  });

  it('is absent with admin: false, even for who sends a token', async () => {
    const mock = await start({ admin: false });
    await isGone(mock);
    await isGone(mock, [`Authorization: Bearer ${token}`]);
  });

  it('cannot be off and have a token', async () => {
    await expect(createMock({ admin: false, adminToken: token })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: 'admin: false and adminToken contradict each other. Leave one of them out.',
    });
  });

  it.each(['127.0.0.1', 'localhost', '127.0.0.9'])(
    'is present on the loopback address %s without a token',
    async (host) => {
      const mock = await start({ host });
      expect((await fetch(`${mock.adminUrl}/settings`)).status).toBe(200);
    },
  );
});

describe('agent-platform-contract mock', () => {
  it('has no admin API with --no-admin, or on 0.0.0.0 without a token', async () => {
    const [off, wide, tokened] = await Promise.all([
      startMockHere(['--no-admin']),
      startMockHere(['--host', '0.0.0.0']),
      startMockHere(['--host', '0.0.0.0'], { AGENT_PLATFORM_ADMIN_TOKEN: token }),
    ]);
    const settings = ({ url }: { url: string }) => `http://127.0.0.1:${new URL(url).port}/__admin/settings`;
    const headers = { authorization: `Bearer ${token}` };
    const asked = [off, wide, tokened].map(async (mock) => (await fetch(settings(mock), { headers })).status);
    expect(await Promise.all(asked)).toEqual([404, 403, 200]);
    expect((await fetch(settings(tokened))).status).toBe(401);
    const ended = await Promise.all([off, wide, tokened].map((mock) => mock.stop()));
    for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain(token);
    const notes = ended.map(({ stdout }) => stdout.split('\n').filter((line) => line.includes('"level":"warn"')));
    expect(notes).toEqual([[], [expect.stringMatching(/the admin API is closed.*--admin-token opens it/)], []]);
  });

  it.each([
    [['--no-admin'], { AGENT_PLATFORM_ADMIN_TOKEN: token }, '--no-admin and AGENT_PLATFORM_ADMIN_TOKEN'],
    [
      [],
      { AGENT_PLATFORM_ADMIN_TOKEN: token, AGENT_PLATFORM_NO_ADMIN: '1' },
      'AGENT_PLATFORM_NO_ADMIN and AGENT_PLATFORM_ADMIN_TOKEN',
    ],
  ])('refuses a token together with --no-admin: %j %j', async (args, environment, both) => {
    const { code, stdout, stderr } = await runCommand(['mock', '--port', '0', ...args], environment);
    expect(stderr).toBe(`${both} contradict each other. Leave one of them out.\nSee npm start -- --help.\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('refuses an empty token', async () => {
    const { code, stderr } = await runCommand(['mock', '--host', '0.0.0.0', '--admin-token', '', '--port', '0']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--admin-token needs a value/)]);
  });
});
