import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

/** What came back: the status and the parsed JSON. */
export interface Reply {
  status: number | undefined;
  body: unknown;
}

/** Sends one request at a time, in JSON. */
export type Client = (method: string, path: string, json?: unknown) => Promise<Reply>;

/** A client with little code: in sixteen new threads, `fetch` takes longer to get going than the tests themselves. */
export function createClient(baseUrl: string, key: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return async (method, path, json) => {
    const sent = request(baseUrl + path, { agent, method, headers });
    sent.end(json === undefined ? undefined : JSON.stringify(json));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: JSON.parse(await textOf(response)) };
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(response, 'end');
  return text;
}
