/** One edge of a mock, as a client uses it. */
export interface Edge {
  url: string;
  adminUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export interface Sent {
  /** Null: no key. Default: the first organization's key. */
  key?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  raw?: string;
  /** The response headers that matter. */
  see?: readonly string[];
}

/** What a client sees of a response. Members are absent if there was no response or header, or the body was empty. */
export interface Outcome {
  status?: number;
  headers?: Record<string, string | null>;
  // biome-ignore lint/suspicious/noExplicitAny: behaviours look into bodies of every shape
  body?: any;
  /** The name of the error with which `fetch`, or reading the body, was rejected. */
  error?: string;
}

/** A client of one mock, on any edge. */
export interface Client {
  api(method: string, path: string, sent?: Sent): Promise<Outcome>;
  /** Calls the admin API. */
  control(method: string, path: string, json?: unknown): Promise<Outcome>;
}

export function createClient({ url, adminUrl, fetch }: Edge): Client {
  const send = async (address: string, init: RequestInit, see: readonly string[] = []): Promise<Outcome> => {
    try {
      return await toOutcome(await fetch(address, init), see);
    } catch (error) {
      return { error: (error as Error).name };
    }
  };
  return {
    api: (method, path, { key = 'key-a', headers = {}, json, raw, see } = {}) => {
      const own = {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(json === undefined ? {} : jsonType),
        ...headers,
      };
      return send(url + path, { method, headers: own, ...bodyOf(json, raw) }, see);
    },
    control: (method, path, json) =>
      send(adminUrl + path, { method, headers: json === undefined ? {} : jsonType, ...bodyOf(json) }),
  };
}

const jsonType = { 'content-type': 'application/json' };

function bodyOf(json: unknown, raw?: string): RequestInit {
  if (json !== undefined) return { body: JSON.stringify(json) };
  return raw === undefined ? {} : { body: raw };
}

async function toOutcome(response: Response, see: readonly string[]): Promise<Outcome> {
  const { status } = response;
  const headers =
    see.length === 0 ? {} : { headers: Object.fromEntries(see.map((name) => [name, response.headers.get(name)])) };
  try {
    const text = await response.text();
    return { status, ...headers, ...(text === '' ? {} : { body: parse(text) }) };
  } catch (error) {
    return { status, ...headers, error: (error as Error).name };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
