// The tests of a second made-up frontend, which `vary` runs. They rely on `total` counting all drives, on
// `streamableHttp` as the type of a new MCP server, and on duplicate names being allowed.
import assert from 'node:assert/strict';

const { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: key } = process.env;

async function ask(method, path, body) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

const pageOf = async (limit, offset) => (await ask('GET', `/drives?limit=${limit}&offset=${offset}`)).json();
const all = await pageOf(100, 0);
const { pagination } = await pageOf(2, 0);
assert.equal(pagination.total ?? all.data.length, all.data.length, 'the total counts all drives');

const created = await ask('POST', '/mcp-servers', { name: 'Weather', url: 'https://mcp.example.com/weather' });
assert.equal((await created.json()).type, 'streamableHttp', 'a new server has the usual type');

assert.ok((await ask('POST', '/drives', { name: 'Twins' })).ok, 'a drive can be created');
assert.ok((await ask('POST', '/drives', { name: 'Twins' })).ok, 'a name may be used twice');
