import { createWire } from '../model/wire.ts';

/** Sends one request at a time, in JSON. Returns the status and the parsed JSON. */
export type Client = (method: string, path: string, json?: unknown) => Promise<{ status: number; body: unknown }>;

/** A client with little code: in sixteen new threads, `fetch` takes longer to get going than the tests themselves. */
export function createClient(baseUrl: string, key: string): Client {
  const wire = createWire(baseUrl);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return async (method, path, json) => {
    const { status, text } = await wire.sendRaw(
      method,
      path,
      headers,
      json === undefined ? json : JSON.stringify(json),
    );
    return { status, body: JSON.parse(text) };
  };
}
