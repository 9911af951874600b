import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Answer, type Call, methodOf, pathOf, queryOf } from './call.ts';

/** Sends requests to one base address, over connections that are kept. */
export interface Wire {
  send(call: Call): Promise<Answer>;
  /** The target as it stands in the request line: nothing is encoded or resolved. */
  sendRaw(method: string, target: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answer>;
  close(): void;
}

export function createWire(baseUrl: string): Wire {
  const agent = new Agent({ keepAlive: true });
  const sendRaw: Wire['sendRaw'] = async (method, target, headers, body) => {
    const { hostname, port, pathname } = new URL(baseUrl);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent, hostname, port, method, path: pathname + target, headers: { ...headers, ...length } };
    return toAnswer(await respond(request(options), body));
  };
  const send = (call: Call) => sendRaw(methodOf(call), pathOf(call) + queryOf(call), call.headers, call.body);
  return { send, sendRaw, close: () => agent.destroy() };
}

function respond(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end(body);
  });
}

async function toAnswer(message: IncomingMessage): Promise<Answer> {
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return { status: message.statusCode ?? 0, headers: Object.fromEntries(headers), text: await text(message) };
}
