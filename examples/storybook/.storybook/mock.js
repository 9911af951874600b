import { createFetch } from 'agent-platform-contract/fetch';

/** The mock in the page. Each key opens a sandbox of its own, so stories on one page do not share their state. */
export const mock = createFetch({ baseUrl: 'https://api.example.com/v0.1', openKeys: true });

/** Sends a request to the admin API, in the sandbox of a key. */
export async function control(method, path, key, body) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await mock(`${mock.adminUrl}${path}`, init);
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${await response.text()}`);
}
