import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const baseUrl = process.env.AGENT_PLATFORM_BASE_URL;
// Each key opens a sandbox of its own.
const headers = { 'X-API-Key': randomUUID(), 'Content-Type': 'application/json' };

test('a new drive is in the list', async () => {
  await fetch(`${baseUrl}/drives`, { method: 'POST', headers, body: '{"name":"Reports"}' });
  const countReports = async () => {
    const { data } = await (await fetch(`${baseUrl}/drives?limit=100&offset=0`, { headers })).json();
    return data.filter(({ name }) => name === 'Reports').length;
  };
  // The contract does not promise that it is listed immediately.
  for (let tries = 0; tries < 50 && (await countReports()) === 0; tries++) await sleep(20);
  assert.equal(await countReports(), 1);
});
