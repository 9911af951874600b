// A user's program: registers the MCP servers in its arguments with a mock, lists their tools in parallel, and closes
// the mock. Then it must end by itself. Prints one line per server.
import { createMock, type MockOptions } from '../../src/index.ts';

const [options = '{}', ...urls] = process.argv.slice(2);
const mock = await createMock(JSON.parse(options) as MockOptions);
const headers = { 'X-API-Key': mock.keys[0] ?? '', 'Content-Type': 'application/json' };
const list = async (url: string) => {
  const body = JSON.stringify({ name: 'Odd', url });
  const registered = await fetch(`${mock.url}/mcp-servers`, { method: 'POST', headers, body });
  const { id } = (await registered.json()) as { id: string };
  return (await fetch(`${mock.url}/mcp-servers/${id}/tools`, { headers })).status;
};
for (const status of await Promise.all(urls.map(list))) console.log(status);
await mock.close();
