import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMock, type MockOptions, StartError } from '../../src/index.ts';
import { createProxy } from '../../src/proxy/create-proxy.ts';
import { runCommand } from '../support/command.ts';
import { startControlled } from '../support/control.ts';
import { isFull } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { exchange } from '../support/raw-http.ts';
import { selfSigned } from '../support/self-signed.ts';
import { tinySeed } from '../support/tiny-seed.ts';

const folder = createFolder('guarded-edges');

it('requests that Node cannot read are answered with a problem by the proxy too', async () => {
  const proxy = await createProxy({ upstream: 'http://127.0.0.1:1/v0.1' });
  for (const text of [
    'GET /v0.1/drives/\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n',
    'BREW / HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  ]) {
    const { answers, isClosed } = await exchange(proxy.url, Buffer.from(text, 'latin1'), { isReadToEnd: true });
    expect([answers.length, isClosed]).toEqual([1, true]);
    const body = JSON.parse(String(answers[0]?.body));
    expect([400, 431, 501]).toContain(body.status);
    expect(body.detail).toMatch(/^\S.{10,}\.$/);
  }
  await proxy.close();
});

it('plain http to the https port is answered in plain http, with the remedy', async () => {
  const mock = await createMock({
    httpsCert: folder.write('cert.pem', selfSigned.cert),
    httpsKey: folder.write('key.pem', selfSigned.key),
  });
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
  const server = ['--base-url', 'http://127.0.0.1:1'];
  /** They ask the server first. */
  const slow: [string, string[]][] = [
    ['conformance', [...server, '--api-key', 'key-a', '--trace']],
    ['conformance', ['doctor', ...server, '--write-config']],
  ];

  const cases: [command: string, words: string[]][] = [
    ['contract', ['-o']],
    ['proxy', ['--port', '0', '--upstream', 'http://127.0.0.1:1', '--observe']],
    ['conformance', [...server, '--api-key', 'key-a', '--json']],
    ['vary', ['--json']],
    ...(isFull ? slow : []),
  ];

  it.each(cases)('is not written through by %s %j, whether its target is there or not', async (command, words) => {
    const slug = [command, words.at(-1)].join('');
    const target = folder.write(`${slug}.target`, 'kept');
    const missing = folder.at(`${slug}.missing`);
    for (const [index, to] of [target, missing].entries()) {
      const link = folder.at(`${slug}.link-${index}`);
      symlinkSync(to, link);
      const { code } = await runCommand([command, ...words, link, ...(command === 'vary' ? ['--', 'true'] : [])]);
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

it.each([
  ...['9999-12-31T23:59:59-01:00', '9999-06-01T00:00:00Z', '0000-01-01T00:00:00+01:00', '0000-06-01T00:00:00Z'],
  ...[new Date(8.64e15), new Date(-8.64e15)],
])('a clock that responses cannot show is refused: %s', async (clock) => {
  await expect(createMock({ clock })).rejects.toThrow(StartError);
});

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
  const profile = { $schema: './profile.schema.json', 'successStatus.createDrive': 202 };
  const given =
    how === 'value'
      ? { seed, profile }
      : { seed: folder.write('s.json', seed), profile: folder.write('p.json', profile) };
  const { mock } = await startControlled(given as MockOptions);
  expect(mock.profile['successStatus.createDrive']).toBe(202);
  expect(mock.profile).not.toHaveProperty('$schema');
});
