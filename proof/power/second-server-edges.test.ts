import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  array,
  call,
  driveItems,
  expectRefused,
  filePath,
  object,
  publishPath,
  restart,
  server,
  treeUrl,
  useServer,
} from './second-server/probe.ts';

useServer({ settleMs: 60 });

/** Writes raw bytes and reads until the server closes. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

describe('bad requests', () => {
  it.each(['{', '', '[]', 'null', '"x"', '{"name":7}', '{"name":null}', '{"name":["x"]}'])(
    'refuses the body %j',
    async (body) => {
      const total = (await driveItems()).length;
      expectRefused(await call('POST', '/drives', body));
      expect(await driveItems()).toHaveLength(total);
    },
  );

  it('ignores __proto__ as a field name', async () => {
    const drive = object(await call('POST', '/drives', '{"__proto__":{"name":"x"}}'));
    expect(drive.name).toBe('Untitled drive');
  });

  it('refuses unknown addresses, methods and percent-encodings', async () => {
    expect((await call('GET', '/agents/')).status).toBe(404);
    expect((await call('GET', '')).status).toBe(404);
    for (const path of ['/drives?limit=%zz', '/drives/%ff/files/1', '/%']) expectRefused(await call('GET', path));
    for (const method of ['PUT', 'OPTIONS', 'DELETE']) {
      const reply = await call(method, '/drives');
      expect(reply).toMatchObject({ status: 405 });
      expect(reply.headers.get('allow')).toBe('POST, GET');
    }
    expect(await call('HEAD', '/agents')).toMatchObject({ status: 405, text: '' });
  });

  it('refuses a body above 1 MiB and accepts one just below', async () => {
    expect((await call('POST', '/drives', { name: 'x'.repeat(4 * 1024 * 1024) })).status).toBe(413);
    object(await call('POST', '/drives', { name: 'x'.repeat(1024 * 1024 - 11) }));
    expect((await call('POST', '/drives', { name: 'x'.repeat(1024 * 1024 - 10) })).status).toBe(413);
  });

  it('answers two requests on one connection', async () => {
    const head = `GET ${new URL(server.baseUrl).pathname}/agents HTTP/1.1\r\nx-api-key: ${server.apiKey}\r\n`;
    const answer = await send(`${head}\r\n${head}connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  it('answers non-HTTP bytes, CONNECT and oversized headers with an error', async () => {
    expect(await send('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send('CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
    expect(await send(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('keeps running after a client disconnects within its body', async () => {
    const url = `${server.baseUrl}/drives`;
    const headers = { 'x-api-key': server.apiKey, 'content-length': '100' };
    await new Promise<void>((resolve) => {
      const request = httpRequest(url, { method: 'POST', headers });
      request.on('error', () => resolve());
      request.write('{"name":', () => request.destroy(new Error('gone')));
    });
    expect((await call('GET', '/agents')).status).toBe(200);
  });
});

describe('plain variant', () => {
  beforeEach(async () => {
    await restart({ variant: 'plain' });
  });

  it('makes the common choices', async () => {
    expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v0\.1$/);
    const created = await call('POST', '/drives', { name: 'Plain' });
    expect(created.status).toBe(201);
    expect((await driveItems()).at(-1)).toEqual(object(created));
    expect((await call('POST', '/drives', {})).status).toBe(400);
    const publish = { revisionId: server.agent.revisionId };
    expect((await call('POST', publishPath(), publish)).status).toBe(200);
    const published = array(await call('GET', '/agents')).find(({ id }) => id === server.agent.id);
    expect(published).toMatchObject({ isPublished: true, hasChanges: false });
    expect((await call('POST', publishPath(), publish)).status).toBe(200);
  });

  it('deletes immediately and refuses a path in use', async () => {
    const [first, second] = server.files;
    if (first === undefined || second === undefined) throw new Error('Too few files');
    const { path } = object(await call('GET', filePath(second)));
    expect((await call('PATCH', filePath(first), { path })).status).toBe(409);
    expect((await call('PATCH', filePath(first), { path: '/t/x.txt' })).status).toBe(200);
    expect(object(await call('DELETE', treeUrl(first.driveId, '/t'))).documentCount).toBe(1);
    expect((await call('GET', filePath(first))).status).toBe(404);
    expect((await call('DELETE', treeUrl(first.driveId, '/t'))).status).toBe(404);
  });
});
