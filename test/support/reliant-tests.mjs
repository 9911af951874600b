// The tests of a made-up frontend, which `vary` runs. They rely on the order of drives, the format of ids and the body
// of errors; and they can read times without a fraction or without a Z, but not without both.
import assert from 'node:assert/strict';

const { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: key } = process.env;

async function ask(method, path, body) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

const created = await (await ask('POST', '/drives', { name: 'Zebra' })).json();
assert.match(created.id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'an id is a UUID');
assert.match(created.createdAt, /\.\d+|Z$/, 'a time has a fraction or a Z');

const { data } = await (await ask('GET', '/drives?limit=100&offset=0')).json();
const times = data.map(({ createdAt }) => Date.parse(createdAt));
assert.deepEqual(times, times.toSorted(), 'the oldest drive comes first');

const refusal = await ask('GET', '/mcp-servers/none/tools');
assert.equal(typeof (await refusal.json()).title, 'string', 'a refusal has a title');

// With FLAKY=1, fails at random in a quarter of the runs.
assert.ok(process.env.FLAKY !== '1' || Math.random() >= 0.25, 'the spinner still turns');
