import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { type Prism, startPrism } from '../support/prism.ts';

// A second opinion on both documents: another mock, which knows nothing of ours.
describe.each(['openapi.yaml', 'openapi.default.yaml'])('Prism using %s', (name) => {
  const isDefault = name === 'openapi.default.yaml';
  let prism: Prism;
  let call: Client;

  beforeAll(async () => {
    prism = await startPrism('mock', `openapi/${name}`);
    call = createClient(prism.url, 'any-key');
  });

  afterAll(() => prism.close());

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
    expect(moved.status).toBe(status);
    // Prism judges no parameter whose name is open.
    expect(deleted.status).toBe(isDefault ? status : 200);
  });

  it('refuses an excessive limit and a missing key, and a missing field where it is required', async () => {
    expect((await call('GET', '/drives?limit=101')).status).toBe(422);
    expect((await call('GET', '/agents', { key: null })).status).toBe(401);
    expect((await call('POST', '/drives', { json: {} })).status >= 400).toBe(isDefault);
    expect((await call('DELETE', '/drives/d/items/tree')).status).toBe(isDefault ? 422 : 200);
  });
});
