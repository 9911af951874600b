import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from './support/client.ts';
import { freePort } from './support/free-port.ts';

// A second opinion on the document as it is written: another mock, which knows nothing of ours.
let prism: ChildProcess;
let call: Client;

beforeAll(async () => {
  const port = await freePort();
  const entry = new URL('../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url).pathname;
  prism = spawn(process.execPath, [entry, 'mock', '-p', String(port), 'openapi/openapi.yaml'], { stdio: 'pipe' });
  if (prism.stdout === null) throw new Error('no standard output');
  for await (const line of createInterface({ input: prism.stdout })) {
    if (line.includes('is listening')) break;
  }
  prism.stdout.resume();
  call = createClient(`http://127.0.0.1:${port}`, 'any-key');
});

afterAll(async () => {
  const closed = once(prism, 'close');
  prism.kill();
  await closed;
});

describe('Prism playing the contract', () => {
  it('serves every GET operation', async () => {
    for (const path of [
      '/agents',
      '/drives?limit=100&offset=0',
      '/drives/d/files/f',
      '/mcp-servers',
      '/mcp-servers/m/tools',
    ]) {
      expect((await call('GET', path)).status, path).toBe(200);
    }
  });

  it.each([
    ['/..', 422],
    ['/../x', 422],
    ['/a/..', 422],
    ['no-slash', 422],
    ['/a..b', 200],
    ['/..a', 200],
    ['/...', 200],
  ])('judges the path %s like the contract: %i', async (path, status) => {
    const moved = await call('PATCH', '/drives/d/files/f', { json: { path } });
    const deleted = await call('DELETE', `/drives/d/items/tree?path=${encodeURIComponent(path)}`);
    expect([moved.status, deleted.status]).toEqual([status, status]);
  });

  it('refuses an excessive limit, a missing field and a missing key', async () => {
    expect((await call('GET', '/drives?limit=101')).status).toBe(422);
    expect((await call('POST', '/drives', { json: {} })).status).toBe(422);
    expect((await call('GET', '/agents', { key: null })).status).toBe(401);
  });
});
