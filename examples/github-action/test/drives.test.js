import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

const baseUrl = process.env.AGENT_PLATFORM_BASE_URL;
// Each key opens a sandbox of its own.
const headers = { 'X-API-Key': randomUUID(), 'Content-Type': 'application/json' };

test('a new drive is in the list', async () => {
  await fetch(`${baseUrl}/drives`, { method: 'POST', headers, body: '{"name":"Reports"}' });
  const { data } = await (await fetch(`${baseUrl}/drives?limit=100&offset=0`, { headers })).json();
  assert.equal(data.filter(({ name }) => name === 'Reports').length, 1);
});
