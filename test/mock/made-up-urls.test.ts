import { expect, it } from 'vitest';
import { startControlled } from '../support/control.ts';

// What the mock makes up for a field that was not sent must not stand in the way of the next one.

it('a URL that is made up is never refused as a duplicate, and has no blank', async () => {
  const { api } = await startControlled({ set: { requiredServerFields: 'none', duplicateUrls: 'refused' } });
  const create = async (sent: object) => {
    const { status, body } = await api('POST', '/mcp-servers', { json: sent });
    return [status, body.url];
  };
  const urls = ['http://127.0.0.1/mcp', 'http://127.0.0.1/mcp-2', 'http://127.0.0.1/mcp-3', 'http://127.0.0.1/mcp-4'];
  for (const url of urls) expect(await create({})).toEqual([201, url]);
  expect((await create({ name: 'Sent', url: urls[2] }))[0]).toBe(409);
});
