import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { type ConnectionOptions, checkServerIdentity, connect } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { createOwnCertificate } from '../../src/node/mock/own-certificate.ts';
import { fullEnvironment, runCommand, startMockHere } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';
import { selfSigned } from '../support/self-signed.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// The mock over https, with a certificate of the user or one made at the start.

const folder = createFolder('https');
const files = {
  httpsCert: folder.write('cert.pem', selfSigned.cert),
  httpsKey: folder.write('key.pem', selfSigned.key),
};

async function start(options: MockOptions = files) {
  const mock = await createMock({ seed: tinySeed, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** Sends a request, and trusts the certificate. */
async function ask(url: string, headers: Record<string, string> = { 'x-api-key': 'key-a' }, method = 'GET', body = '') {
  const sent = request(url, { ca: selfSigned.cert, method, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: (await json(answer)) as Record<string, unknown> };
}

describe('with a certificate', () => {
  it('the mock serves https, the admin API and the contract too', async () => {
    const mock = await start();
    expect(mock.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v0\.1$/);
    expect((await ask(`${mock.url}/drives`)).status).toBe(200);
    const json = { 'x-api-key': 'key-a', 'content-type': 'application/json' };
    expect((await ask(`${mock.url}/drives`, json, 'POST', '{"name":"x"}')).status).toBe(201);
    expect((await ask(`${mock.adminUrl}/reset`, {}, 'POST')).status).toBe(200);
    const { origin } = new URL(mock.url);
    expect((await ask(`${origin}/openapi.json`)).body.servers).toMatchObject([{ url: mock.url }]);
    expect((await ask(`${mock.adminUrl}/settings`, { origin })).status).toBe(200);
    expect((await ask(`${mock.adminUrl}/settings`, { origin: origin.replace('https', 'http') })).status).toBe(403);
  });

  it.each(['connectionReset', 'emptyAnswer', 'truncatedBody'])('the fault %s ends the connection', async (effect) => {
    const mock = await start();
    mock.faults.add({ effect: { [effect]: {} } as never, when: { next: 1 } });
    await expect(ask(`${mock.url}/drives`)).rejects.toThrow();
    expect((await ask(`${mock.url}/drives`)).status).toBe(200);
  });

  it('the command serves https', async () => {
    const mock = await startMockHere(['--https-cert', files.httpsCert, '--https-key', files.httpsKey]);
    expect((await ask(`${mock.url}/drives`, { 'x-api-key': 'demo-key' })).status).toBe(200);
    await mock.stop();
  });
});

describe('with a certificate made at the start', () => {
  /** Why a connection to a mock is not trusted; undefined when it is. */
  async function distrust(url: string, options: ConnectionOptions): Promise<string | undefined> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port), ...options });
    try {
      await once(socket, 'secureConnect');
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      socket.destroy();
    }
  }

  it('the mock is trusted by who trusts the certificate, by its names only', async () => {
    const mock = await start({ https: true });
    expect(mock.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    const ca = mock.certificate;
    expect(await distrust(mock.url, { ca })).toBeUndefined();
    expect(await distrust(mock.url, { ca, servername: 'localhost' })).toBeUndefined();
    expect(await distrust(mock.url, { ca, servername: 'other.example' })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await distrust(mock.url, {})).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    const other = await start({ https: true });
    expect(await distrust(other.url, { ca })).toBeDefined();
    expect(other.certificate).not.toBe(ca);
  });

  it.each([
    ['127.0.0.1', []],
    ['0.0.0.0', []],
    ['::', []],
    ['localhost', []],
    ['mock.example', ['mock.example']],
    ['bücher.example', ['xn--bcher-kva.example']],
    ['192.0.2.7', ['192.0.2.7']],
    ['fe80::1%eth0', ['fe80::1']],
    ['2001:db8::8:800:200c:417a', ['2001:db8::8:800:200c:417a']],
    ['::ffff:192.0.2.1', ['::ffff:192.0.2.1']],
  ])('it is for this machine and the host %s', (host, names) => {
    const { cert, key } = createOwnCertificate(host);
    const certificate = new X509Certificate(cert);
    const shown = certificate.toLegacyObject();
    for (const name of ['localhost', '127.0.0.1', '::1', ...names])
      expect([name, checkServerIdentity(name, shown)]).toEqual([name, undefined]);
    expect(checkServerIdentity('other.example', shown)).toBeDefined();
    expect(certificate.subjectAltName?.split(', ')).toHaveLength(3 + names.length);
    expect([certificate.ca, certificate.verify(certificate.publicKey)]).toEqual([false, true]);
    expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now());
    expect(certificate.validToDate.getTime()).toBeGreaterThan(Date.now() + 300 * 24 * 3_600_000);
    expect(key).toContain('PRIVATE KEY');
  });

  it('the command writes it for NODE_EXTRA_CA_CERTS, and says how it is trusted', async () => {
    const file = folder.write('own.pem', '');
    const mock = await startMockHere(['--https', '--https-write-cert', file, '--log-format', 'pretty']);
    const script = `console.log((await fetch('${mock.url}/drives', { headers: { 'x-api-key': 'demo-key' } })).status)`;
    const words = ['--input-type=module', '--eval', script];
    const environment = { ...fullEnvironment(), NODE_EXTRA_CA_CERTS: file };
    expect((await promisify(execFile)(process.execPath, words, { env: environment })).stdout).toBe('200\n');
    const { stdout } = await mock.stop();
    expect(stdout).toContain(new X509Certificate(readFileSync(file)).fingerprint256);
    expect(stdout).toContain(`curl --cacert ${file}`);
    expect(stdout).toContain(`NODE_EXTRA_CA_CERTS=${file}`);
  });

  it('a mock that cannot listen leaves the file of the other one', async () => {
    const httpsWriteCert = folder.write('shared.pem', '');
    const first = await start({ https: true, httpsWriteCert });
    expect(readFileSync(httpsWriteCert, 'utf8')).toBe(first.certificate);
    const port = Number(new URL(first.url).port);
    await expect(createMock({ https: true, httpsWriteCert, port })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    expect(readFileSync(httpsWriteCert, 'utf8')).toBe(first.certificate);
    const second = await start({ https: true, httpsWriteCert });
    expect(readFileSync(httpsWriteCert, 'utf8')).toBe(second.certificate);
  });

  it.each([
    ['a text', 'Notes'],
    ['a key', selfSigned.key],
    ['a certificate with its key', selfSigned.cert + selfSigned.key],
  ])('it does not overwrite %s', async (_, text) => {
    const httpsWriteCert = folder.write('mine.pem', text);
    const refused = {
      code: 'FILE_UNWRITABLE',
      message: expect.stringMatching(/mine\.pem already exists.*not overwritten/),
    };
    await expect(createMock({ https: true, httpsWriteCert })).rejects.toMatchObject(refused);
    expect(readFileSync(httpsWriteCert, 'utf8')).toBe(text);
  });

  it('the log has its fingerprint', async () => {
    const mock = await startMockHere(['--https']);
    const [line = ''] = (await mock.stop()).stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({ certificateSha256: expect.stringMatching(/^([0-9A-F]{2}:){31}/) });
  });

  it.each([
    [['--https', '--https-cert', files.httpsCert], /--https.*--https-cert.*contradict/],
    [['--https', '--https-key', files.httpsKey], /--https.*--https-key.*contradict/],
    [['--https-write-cert', 'x.pem'], /--https-write-cert does nothing without --https/],
    [['--https', '--https-write-cert', '/nowhere/x.pem'], /\/nowhere\/x\.pem cannot be written/],
  ])('the command refuses %j', async (words, says) => {
    const { code, stderr } = await runCommand(['mock', '--port', '0', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  });
});

it.each([
  ['only a certificate', { httpsCert: files.httpsCert }, 'OPTION_INVALID', /--https-cert and --https-key/],
  ['only a key', { httpsKey: files.httpsKey }, 'OPTION_INVALID', /--https-cert and --https-key/],
  [
    'a file that is not there',
    { ...files, httpsKey: '/nowhere.pem' },
    'FILE_UNREADABLE',
    /nowhere\.pem cannot be read/,
  ],
  ['two certificates', { ...files, https: true }, 'OPTION_INVALID', /contradict/],
  ['the files mixed up', { httpsCert: files.httpsKey, httpsKey: files.httpsCert }, 'OPTION_INVALID', /must be PEM/],
] as const)('a mock does not start with %s', async (_, options, code, message) => {
  await expect(createMock(options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
