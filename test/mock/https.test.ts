import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { startMockHere } from '../support/command.ts';
import { useMock } from '../support/control.ts';
import { createFolder } from '../support/folder.ts';
import { selfSigned } from '../support/self-signed.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// The mock over https, with a certificate of the user.

const folder = createFolder('https');
const files = {
  httpsCert: folder.write('cert.pem', selfSigned.cert),
  httpsKey: folder.write('key.pem', selfSigned.key),
};

const start = (options: MockOptions = files) => useMock({ seed: tinySeed, ...options });

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

  it('the command serves https, and says how to trust it', async () => {
    const flags = ['--https-cert', files.httpsCert, '--https-key', files.httpsKey, '--log-format', 'pretty'];
    const mock = await startMockHere(flags);
    expect((await ask(`${mock.url}/drives`, { 'x-api-key': 'demo-key' })).status).toBe(200);
    expect((await mock.stop()).stdout).toContain(`curl --cacert ${files.httpsCert} `);
  });
});

const lockedKey = folder.write('locked', selfSigned.key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'));

it.each([
  ['only a certificate', { httpsCert: files.httpsCert }, 'OPTION_INVALID', /give both httpsCert and httpsKey/],
  ['only a key', { httpsKey: files.httpsKey }, 'OPTION_INVALID', /give both httpsCert and httpsKey/],
  ['a missing file', { ...files, httpsKey: '/nowhere.pem' }, 'FILE_UNREADABLE', /nowhere\.pem cannot be read/],
  ['an empty certificate', { ...files, httpsCert: folder.write('empty', '') }, 'OPTION_INVALID', /empty must be PEM/],
  ['an empty key', { ...files, httpsKey: folder.write('empty', '') }, 'OPTION_INVALID', /empty must be PEM/],
  ['an encrypted key', { ...files, httpsKey: lockedKey }, 'OPTION_INVALID', /locked has a passphrase/],
  ['the files mixed up', { httpsCert: files.httpsKey, httpsKey: files.httpsCert }, 'OPTION_INVALID', /must be PEM/],
] as const)('a mock does not start with %s', async (_, options, code, message) => {
  await expect(createMock(options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
