import { type Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** One request below a base URL. */
export interface Question {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, in place of `json`. */
  raw?: string;
}

/** What came back: an answer with the bytes of its body, or why there was none. */
export type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer } | { failure: string };

/** Sends a request and waits for the whole answer, but no longer than that. */
export async function ask(agent: Agent, baseUrl: string, question: Question, timeoutMs = 2000): Promise<Reply> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await send(agent, baseUrl, question, signal);
  } catch (error) {
    return { failure: signal.aborted ? 'no answer in time' : String((error as { code?: unknown }).code) };
  }
}

async function send(
  agent: Agent,
  baseUrl: string,
  { method, path, headers, ...content }: Question,
  signal: AbortSignal,
) {
  const { json, raw = json === undefined ? undefined : JSON.stringify(json) } = content;
  const body = raw ?? '';
  const about =
    raw === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sendRequest(baseUrl + path, { agent, method, signal, headers: { ...about, ...headers } })
    .once('response', resolve)
    .on('error', reject)
    .end(body);
  const incoming = await promise;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await buffer(incoming) };
}
