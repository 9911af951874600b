import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import { runCommand, startMock } from '../support/command.ts';
import { everythingOf, useControlled } from '../support/control.ts';
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

  it.each([
    'attacker.example',
    'attacker.example:{port}',
    'localhost.attacker.example:{port}',
    '127.0.0.1.attacker.example',
    'attacker.localhost:{port}',
    'localhost.:{port}',
    'localhost@attacker.example',
    '0.0.0.0:{port}',
    '192.168.0.1:{port}',
    '[::2]:{port}',
    '[::ffff:192.168.0.1]:{port}',
    '::1',
    '127.0.0.1:{port}:80',
    '2130706433',
    '0x7f.1',
    '',
  ])('refuses the host %j', async (host) => {
    const { mock, control } = controlled();
    const before = await everythingOf(control);
    expectRefusal(await ask(mock, host), 403);
    for (const attack of attacks) {
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

describe.each<[string, MockOptions, string[]]>([
  ['without a token', {}, []],
  ['with its token', { adminToken: token }, [`Authorization: Bearer ${token}`]],
])('a page of another origin, %s', (_, options, lines) => {
  const controlled = useControlled(options);

  it.each([
    'http://attacker.example',
    'https://127.0.0.1:{port}',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://localhost:{port}',
    'http://127.0.0.1:{port}.attacker.example',
    'http://127.0.0.1:{port}/',
    'null',
    'file://',
    '',
  ])('is refused with the origin %j', async (origin) => {
    const { mock, control: plain } = controlled();
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    const control: Client = (method, path, sent) => plain(method, path, { headers, ...sent });
    const before = await everythingOf(control);
    const host = '127.0.0.1:{port}';
    for (const attack of attacks) expectRefusal(await ask(mock, host, [`Origin: ${origin}`, ...lines], attack), 403);
    const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Private-Network: true'];
    const asked = await ask(mock, host, [`Origin: ${origin}`, ...preflight], { method: 'OPTIONS' });
    expectRefusal(asked, 403);
    // What a form or a beacon sends without asking first.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const body = { method: 'POST', target: '/__admin/organizations', body: '{"name":"x"}' };
      expectRefusal(await ask(mock, host, [`Origin: ${origin}`, `Content-Type: ${type}`, ...lines], body), 403);
    }
    expect(await everythingOf(control)).toBe(before);
  });

  it('is refused if it sends the right origin as well', async () => {
    const { mock } = controlled();
    const origins = ['Origin: http://127.0.0.1:{port}', 'Origin: http://attacker.example'];
    expectRefusal(await ask(mock, '127.0.0.1:{port}', [...origins, ...lines]), 403);
  });
});

describe('the admin API with a token', () => {
  const controlled = useControlled({ adminToken: token });

  const wrong = [
    'Authorization: Bearer',
    'Authorization: Bearer ',
    `Authorization: Bearer ${token.slice(0, -1)}`,
    `Authorization: Bearer ${token.slice(1)}`,
    `Authorization: Bearer ${token}x`,
    `Authorization: Bearer ${token.toUpperCase()}`,
    `Authorization: Bearer ${token} ${token}`,
    `Authorization: Bearer "${token}"`,
    `Authorization: Bearer ${'x'.repeat(8_000)}`,
    `Authorization: ${token}`,
    `Authorization: Basic ${btoa(`admin:${token}`)}`,
    `X-API-Key: ${token}`,
    'Authorization: Bearer key-a',
    `Cookie: token=${token}`,
  ];

  it.each([[[]], ...wrong.map((line) => [[line]])])('answers 401 to %j', async (lines) => {
    const { mock } = controlled();
    for (const attack of attacks) {
      const answer = await ask(mock, 'attacker.example', lines, attack);
      expectRefusal(answer, 401);
      expect(headerOf(answer, 'www-authenticate')).toMatch(/^Bearer/);
      expect(String(answer.body)).not.toContain(token);
    }
    expect((await ask(mock, '127.0.0.1:{port}', lines, { target: `/__admin/settings?token=${token}` })).status).toBe(
      401,
    );
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
      for (const target of [
        '/__admin/health/',
        '/__admin/health/../settings',
        '/__admin/version',
        '/__admin/healt%68',
      ]) {
        expectRefusal(await ask(mock, host, [], { target }), 401);
      }
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
    const url = new URL(mock.url);
    url.hostname = '127.0.0.1';
    for (const target of ['', '/', '/health', '/reset', '/openapi.json', '/organizations']) {
      for (const method of ['GET', 'POST']) {
        const request = {
          method,
          target: `/__admin${target}`,
          lines: [`Host: ${url.host}`, ...lines],
          hasOwnHost: true,
        };
        const { status, body } = await sendRaw(String(url), request);
        expect([status, String(body)]).toEqual([404, expect.stringContaining('unknown-path')]);
      }
    }
  };
  const local = ({ url }: Mock) => url.replace(/\/\/[^/]*:/, '//127.0.0.1:');
  const start = async (options: MockOptions) => {
    const mock = await createMock({ seed: tinySeed, ...options });
    onTestFinished(() => mock.close());
    return mock;
  };

  it.each(['0.0.0.0', '::'])('is closed on %s without a token, except for health', async (host) => {
    const mock = await start({ host, adminOrigins: ['http://localhost:5173'] });
    expect(mock.adminUrl).toBeUndefined();
    const before = mock.snapshot();
    for (const lines of [[], [`Authorization: Bearer ${token}`], ['Origin: http://localhost:5173']]) {
      for (const attack of attacks) {
        const answer = await ask({ ...mock, url: local(mock) }, '127.0.0.1:{port}', lines, attack);
        expectRefusal(answer, 403);
        expect(String(answer.body)).toContain(`listens on ${host}`);
      }
    }
    expect(mock.snapshot()).toEqual(before);
    for (const name of ['127.0.0.1:{port}', 'mock.example.com'])
      expect((await ask({ ...mock, url: local(mock) }, name, [], { target: '/__admin/health' })).status).toBe(200);
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

  it('is present on 0.0.0.0 with a token', async () => {
    const mock = await start({ host: '0.0.0.0', adminToken: token });
    const { port } = new URL(mock.url);
    const settings = `http://127.0.0.1:${port}/__admin/settings`;
    expect((await fetch(settings)).status).toBe(401);
    expect((await fetch(settings, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
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
      startMock(['--no-admin']),
      startMock(['--host', '0.0.0.0']),
      startMock(['--host', '0.0.0.0'], { AGENT_PLATFORM_ADMIN_TOKEN: token }),
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
    [['--no-admin', '--admin-token', token], {}, '--no-admin and --admin-token'],
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

  it('has an admin API with a token when --no-admin is false', async () => {
    const mock = await startMock(['--admin-token', token], { AGENT_PLATFORM_NO_ADMIN: 'false' });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${new URL(mock.url).origin}/__admin/settings`, { headers })).status).toBe(200);
    await mock.stop();
  });

  it('refuses an empty token', async () => {
    const { code, stderr } = await runCommand(['mock', '--host', '0.0.0.0', '--admin-token', '', '--port', '0']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--admin-token needs a value/)]);
  });
});
