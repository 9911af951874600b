/** What was received over the socket. The body is parsed JSON, text if it is not JSON, or undefined. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

/** How one request differs from a plain one. */
export interface Sent {
  key?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  raw?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

/** A plain client of a mock, with one organization's key. */
export type Client = (method: string, path: string, sent?: Sent) => Promise<Reply>;

export function createClient(baseUrl: string, defaultKey: string): Client {
  return async (method, path, { key = defaultKey, headers = {}, json, raw, signal } = {}) => {
    const body = json === undefined ? raw : JSON.stringify(json);
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
