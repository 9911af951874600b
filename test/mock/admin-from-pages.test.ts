import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { runCommand, startMock } from '../support/command.ts';
import { everythingOf, useControlled } from '../support/control.ts';
import { headerOf, type RawRequest, sendRaw } from '../support/raw-http.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// `--admin-origin`: pages of exactly these origins may use the admin API.

const allowed = 'http://localhost:5173';
const token = 'token-of-the-admin-api';
const strangers = [
  ...['http://localhost:5174', 'https://localhost:5173', 'http://localhost', 'http://localhost:5173.evil.example'],
  ...[
    'http://evil.example',
    'http://localhost:5173/',
    'null',
    '',
    `${allowed}, ${allowed}`,
    `${allowed}, http://a.example`,
  ],
];

/** Sends what a browser sends for a page. */
function ask(mock: Mock, origin: string, request: Partial<RawRequest>, lines: string[] = []) {
  const { host } = new URL(mock.url);
  const head = [
    ...(lines.some((line) => line.startsWith('Host:')) ? [] : [`Host: ${host}`]),
    `Origin: ${origin}`,
    ...lines,
  ];
  return sendRaw(mock.url, { method: 'GET', target: '/__admin/settings', ...request, lines: head, hasOwnHost: true });
}

const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization,content-type'];
const asked = (target: string): Partial<RawRequest> => ({ method: 'OPTIONS', target });
const targets = ['/__admin', '/__admin/reset', '/__admin/settings', '/__admin/nowhere', '/__admin/requests/live'];

function corsOf({ headers }: { headers: readonly (readonly [string, string])[] }): string[] {
  return headers.filter(([name]) => name.startsWith('access-control-')).map(([name]) => name);
}

describe.each([
  ['without a token', {}, []],
  ['with a token', { adminToken: token }, [`Authorization: Bearer ${token}`]],
])('a page, %s,', (_, options, secret: string[]) => {
  const controlled = useControlled({ adminOrigins: [allowed, 'tauri://localhost'], ...options });

  it.each([allowed, 'tauri://localhost', allowed.toUpperCase()])('of the origin %s may use it', async (origin) => {
    const { mock } = controlled();
    for (const target of targets) {
      const answer = await ask(mock, origin, asked(target), preflight);
      expect([answer.status, headerOf(answer, 'access-control-allow-origin')]).toEqual([204, origin]);
      expect(headerOf(answer, 'access-control-allow-headers')).toBe('authorization,content-type');
      expect(headerOf(answer, 'access-control-allow-methods')).toContain('PATCH');
      expect(headerOf(answer, 'access-control-allow-credentials')).toBeUndefined();
    }
    const shown = await ask(mock, origin, {}, secret);
    expect([shown.status, headerOf(shown, 'access-control-allow-origin')]).toEqual([200, origin]);
    expect(headerOf(shown, 'vary')).toContain('Origin');
    const missing = await ask(mock, origin, { target: '/__admin/nowhere' }, secret);
    expect([missing.status, headerOf(missing, 'access-control-allow-origin')]).toEqual([404, origin]);
    const reset = await ask(mock, origin, { method: 'POST', target: '/__admin/reset' }, secret);
    expect([reset.status, headerOf(reset, 'access-control-allow-origin')]).toEqual([200, origin]);
  });

  it.each(strangers)('of the origin %j may not', async (origin) => {
    const { mock, control: plain } = controlled();
    const headers = { authorization: `Bearer ${token}` };
    const control: typeof plain = (method, path, sent) => plain(method, path, { headers, ...sent });
    const before = await everythingOf(control);
    for (const target of targets) {
      for (const request of [asked(target), { method: 'POST', target }, { method: 'GET', target }]) {
        const answer = await ask(mock, origin, request, [...preflight, ...secret]);
        expect([request.method, target, answer.status, corsOf(answer)]).toEqual([request.method, target, 403, []]);
      }
    }
    expect(await everythingOf(control)).toBe(before);
  });

  it('of its own origin may, without any header for it', async () => {
    const { mock } = controlled();
    const answer = await ask(mock, new URL(mock.url).origin, {}, secret);
    expect([answer.status, corsOf(answer)]).toEqual([200, []]);
  });
});

it('an allowed page without the token gets 401, which it may read', async () => {
  const mock = await createMock({ seed: tinySeed, adminOrigins: [allowed], adminToken: token });
  onTestFinished(() => mock.close());
  const answer = await ask(mock, allowed, { method: 'POST', target: '/__admin/reset' });
  expect([answer.status, headerOf(answer, 'access-control-allow-origin')]).toEqual([401, allowed]);
});

it('an allowed page opens no way for another host name that points here', async () => {
  const mock = await createMock({ seed: tinySeed, adminOrigins: [allowed] });
  onTestFinished(() => mock.close());
  for (const request of [asked('/__admin/reset'), { method: 'POST', target: '/__admin/reset' }]) {
    const answer = await ask(mock, allowed, request, ['Host: evil.example', ...preflight]);
    expect(answer.status).toBe(403);
  }
});

it('without the option no preflight succeeds', async () => {
  const mock = await createMock({ seed: tinySeed });
  onTestFinished(() => mock.close());
  const answer = await ask(mock, allowed, asked('/__admin/reset'), preflight);
  expect([answer.status, corsOf(answer)]).toEqual([403, []]);
});

it.each([
  ['http://localhost:5173/', 'here http://localhost:5173;'],
  ['http://LOCALHOST:5173', 'here http://localhost:5173;'],
  ['http://localhost:80', 'here http://localhost;'],
  ['http://localhost:5173/page?x=1', 'here http://localhost:5173;'],
  ['localhost:5173', 'such as http://localhost:5173;'],
  ['*', 'such as'],
  ['null', 'such as'],
  ['', 'such as'],
])('refuses %j as an origin', async (origin, hint) => {
  await expect(createMock({ adminOrigins: [origin] })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining(hint),
  });
});

it('refuses origins of an admin API that is off', async () => {
  await expect(createMock({ admin: false, adminOrigins: [allowed] })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  const { code, stderr } = await runCommand(['mock', '--no-admin', '--admin-origin', allowed]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--no-admin and --admin-origin contradict each other')]);
});

it('is an option of the command, and a variable', async () => {
  const mock = await startMock(['--admin-origin', allowed, '--admin-origin', 'http://localhost:6006']);
  const other = await startMock([], { AGENT_PLATFORM_ADMIN_ORIGIN: `${allowed}, http://localhost:6006` });
  for (const { url } of [mock, other]) {
    for (const origin of [allowed, 'http://localhost:6006']) {
      const { headers } = await fetch(`${new URL(url).origin}/__admin/settings`, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  }
  await Promise.all([mock.stop(), other.stop()]);
});

it('works from a page in a browser, and from no other page', async (test) => {
  const browser = await openBrowser();
  if (browser === undefined) return test.skip(noBrowser);
  const pages = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>page</title>'),
  );
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
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
