import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { allowedHosts, parseHostRule } from '../../src/node/live-tools/allowed-hosts.ts';
import { askForTools } from '../../src/node/live-tools/ask-for-tools.ts';
import { generousLimits, Question } from '../../src/node/live-tools/question.ts';
import { startMock } from '../support/command.ts';
import { startControlled } from '../support/control.ts';

// A mock that contacts MCP servers never contacts itself, and takes no calls from the pages of others.

const live: MockOptions = { liveMcp: { cacheMs: 0, allow: ['*', '0.0.0.0', '127.0.0.1', '[::1]', '[::]'] } };

describe('the mock itself', () => {
  it.each([
    ...['127.0.0.1', 'localhost', '127.1.2.3', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', 'a.localhost'],
    ...['LOCALHOST.'],
  ])('is never asked as %s', async (host) => {
    const { mock, api, control } = await startControlled(live);
    const { port } = new URL(mock.url);
    for (const path of ['/__admin/reset', '/v0.1/drives', '/']) {
      const { body } = await api('POST', '/mcp-servers', { json: { name: 'x', url: `http://${host}:${port}${path}` } });
      const { status, body: problem } = await api('GET', `/mcp-servers/${body.id}/tools`);
      expect([status, problem.detail]).toEqual([502, expect.stringMatching(/is this mock itself\. Register/)]);
    }
    const { requests } = (await control('GET', '/requests')).body;
    expect(requests).toHaveLength(6);
  });

  it('is never asked by an address of this machine, or a name for one', async () => {
    const own = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
    for (const address of ['127.0.0.1', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', ...own]) {
      const lookup: LookupFunction = (_, __, done) => done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
      const allowed = allowedHosts(['mcp.test', address].flatMap((rule) => parseHostRule(rule) ?? []));
      const question = new Question({ ...generousLimits, timeoutMs: 5_000 });
      const guard = { allowed, lookup, ownPort: () => 4010 };
      const listing = await askForTools({ url: 'http://mcp.test:4010/', type: 'streamableHttp' }, question, guard);
      expect([address, listing]).toEqual([address, { problem: expect.stringMatching(/is this mock itself/) }]);
    }
  });
});

describe('pages, with liveMcp', () => {
  const asked = async (options: MockOptions, origin: string) => {
    const { api } = await startControlled(options);
    const json = { name: 'x', url: 'http://127.0.0.1:1/' };
    const sent = await api('POST', '/mcp-servers', { json, headers: { origin } });
    const preflight = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    };
    const before = await api('OPTIONS', '/mcp-servers', { key: null, headers: preflight });
    const allowed = [sent, before].map(({ headers }) => headers.get('access-control-allow-origin'));
    return [sent.status < 300, before.status < 300, ...allowed];
  };

  it.each(['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000', 'http://app.localhost'])(
    'of this machine may call: %s',
    async (origin) => {
      expect(await asked({ liveMcp: true }, origin)).toEqual([true, true, origin, origin]);
    },
  );

  it.each([
    ...['http://evil.example', 'http://localhost.evil.example', 'null', 'file://', 'http://127.0.0.1.evil.example'],
    ...['x'],
  ])('of others may not: %s', async (origin) => {
    expect(await asked({ liveMcp: true }, origin)).toEqual([false, false, null, null]);
  });

  it('of others may when their origin is allowed, and every page with *', async () => {
    const origin = 'https://app.example';
    expect(await asked({ liveMcp: { origins: [origin] } }, origin)).toEqual([true, true, origin, origin]);
    expect(await asked({ liveMcp: { origins: [origin] } }, 'https://app.example:1')).toEqual([
      false,
      false,
      null,
      null,
    ]);
    expect(await asked({ liveMcp: { origins: ['*'] } }, 'http://any.example')).toContain('http://any.example');
    expect(await asked({ profile: { cors: 'any' } }, 'http://any.example')).toContain('*');
    await expect(createMock({ liveMcp: { origins: [`${origin}/`] } })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });

  it('may be allowed by the command', async () => {
    const mock = await startMock(['--live-mcp', '--live-mcp-origin', 'https://app.example']);
    const { headers } = await fetch(`${mock.url}/drives`, { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    await mock.stop();
  });
});
