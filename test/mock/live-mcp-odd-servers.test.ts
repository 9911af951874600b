import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.ts';
import { runProgram, startMock } from '../support/command.ts';
import { sampleOf } from '../support/depth.ts';
import { type McpScript, type Message, startScriptedMcp } from '../support/scripted-mcp.ts';

// Nothing that an MCP server does with a connection ends the process that lists its tools: neither the mock of the
// command line, nor a program that has a mock of its own.

// What MCP servers do with POST, GET and DELETE of streamable HTTP. Every way to respond to POST is combined with every
// way to treat the separate stream (GET) and the end of a session (DELETE).

/** Responds to a client's message; `reply` is the reply of a sound server, undefined for a notification. */
type Post = (response: ServerResponse, reply: object | undefined) => void;
type Treat = (request: IncomingMessage, response: ServerResponse) => void;

const streamHeaders = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json' };

function event(reply: object): string {
  return `event: message\ndata: ${JSON.stringify(reply)}\n\n`;
}

function withReply(send: (response: ServerResponse, reply: object) => void): Post {
  return (response, reply) => (reply === undefined ? void response.writeHead(202).end() : send(response, reply));
}

/** Behaviour of sound servers: the tools arrive, whatever else happens. */
const soundPosts = {
  'an event stream that ends': withReply((response, reply) => response.writeHead(200, streamHeaders).end(event(reply))),
  'an event stream that stays open': withReply((response, reply) =>
    response.writeHead(200, streamHeaders).write(event(reply)),
  ),
  'an event stream that breaks off after the reply': withReply((response, reply) => {
    response.writeHead(200, streamHeaders).write(event(reply), () => setImmediate(() => response.destroy()));
  }),
  'an event stream with ids and a retry of 0': withReply((response, reply) =>
    response.writeHead(200, streamHeaders).end(`id: 1\nretry: 0\ndata:\n\nid: 2\n${event(reply)}`),
  ),
  'an event stream with requests and nonsense of its own': withReply((response, reply) => {
    response.writeHead(200, streamHeaders);
    response.end(
      `data: {\n\nevent: other\ndata: x\n\n${ownMessages.map(event).join('')}${event(reply)}${event(reply)}`,
    );
  }),
  JSON: withReply((response, reply) => response.writeHead(200, json).end(JSON.stringify(reply))),
  'JSON, and closes the connection': withReply((response, reply) =>
    response.writeHead(200, { ...json, connection: 'close' }).end(JSON.stringify(reply)),
  ),
  'JSON in a session': withReply((response, reply) =>
    response.writeHead(200, { ...json, 'mcp-session-id': 'session-1' }).end(JSON.stringify(reply)),
  ),
  'an event stream in a session': withReply((response, reply) =>
    response.writeHead(200, { ...streamHeaders, 'mcp-session-id': 'session-1' }).end(event(reply)),
  ),
  'JSON, and 200 to notifications': (response, reply) =>
    void response.writeHead(200, json).end(JSON.stringify(reply ?? {})),
} satisfies Record<string, Post>;

/** Behaviour without tools: a problem is reported, and nothing else happens. */
const brokenPosts = {
  'an empty event stream': (response) => void response.writeHead(200, streamHeaders).end(),
  'an event stream that breaks off': (response) => {
    response.writeHead(200, streamHeaders).write('data: {', () => setImmediate(() => response.destroy()));
  },
  'an event stream that can be resumed, and ends': (response) =>
    void response.writeHead(200, streamHeaders).end('id: 1\nretry: 0\ndata:\n\n'),
  'garbage that is no HTTP': ({ socket }) => void socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'garbage within the chunks': (response) => {
    response.writeHead(200, streamHeaders).write('data: {', () => response.socket?.end('zz\r\n\r\n'));
  },
  'another protocol': ({ socket }) =>
    void socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x00'),
  'a status without meaning': (response) => void response.writeHead(799, json).end('{}'),
  'a closed connection': (response) => void response.destroy(),
  'a redirect to itself': (response) => void response.writeHead(307, { location: '/mcp' }).end(),
  'a redirect without a valid target': (response) => void response.writeHead(307, { location: 'http://[' }).end(),
  '401 with a challenge': (response) =>
    void response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://[/"' }).end('no'),
  '204': (response) => void response.writeHead(204).end(),
  '500 with a large body that breaks off': (response) => {
    response.writeHead(500, { 'content-length': '9999999' }).write('x'.repeat(100_000), () => response.destroy());
  },
  nothing: () => undefined,
} satisfies Record<string, Post>;

const status =
  (code: number, headers: Record<string, string> = {}): Treat =>
  (_, response) =>
    void response.writeHead(code, headers).end('no');

/** What happens to GET and DELETE. */
const treatments = {
  '405': status(405),
  '404': status(404),
  '406': status(406),
  '401 with a challenge': status(401, { 'www-authenticate': 'Bearer' }),
  '500': status(500),
  '204': status(204),
  nothing: () => undefined,
  'a closed connection': (_, response) => void response.destroy(),
  'an event stream that stays open': (_, response) => void response.writeHead(200, streamHeaders).write(': hello\n\n'),
  'an event stream that ends, with a retry of 0': (_, response) =>
    void response.writeHead(200, streamHeaders).end('id: 1\nretry: 0\ndata:\n\n'),
  'an event stream that breaks off': (_, response) => {
    response.writeHead(200, streamHeaders).write('data: {', () => setImmediate(() => response.destroy()));
  },
  JSON: (_, response) => void response.writeHead(200, json).end('[1, {}]'),
  'a redirect to itself': status(307, { location: '/mcp' }),
  'garbage that is no HTTP': (_, { socket }) => void socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
} satisfies Record<string, Treat>;

/** What an HTTP+SSE server does with GET; `send` writes an event to the stream. */
type Open = (response: ServerResponse, send: (name: string, data: string) => void) => void;

/** HTTP+SSE streams (GET) that never contain a reply, or break off. */
const sseStreams = {
  'the stream, sound': (_, send) => send('endpoint', '/messages'),
  'the stream, and requests and nonsense on it': (_, send) => {
    send('endpoint', '/messages');
    for (const own of ownMessages) send('message', JSON.stringify(own));
    send('message', '{');
    send('endpoint', 'http://[');
  },
  'an endpoint that is no URL': (_, send) => send('endpoint', 'http://['),
  'an endpoint elsewhere': (_, send) => send('endpoint', 'http://127.0.0.1:9/messages'),
  'a stream that ends after the endpoint': (response, send) => {
    send('endpoint', '/messages');
    response.end();
  },
  'a stream that breaks off after the endpoint': (response, send) => {
    send('endpoint', '/messages');
    setImmediate(() => response.destroy());
  },
  'a stream that ends, with a retry of 0': (response) => void response.end('retry: 0\n\n'),
} satisfies Record<string, Open>;

const ownMessages = [
  { jsonrpc: '2.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: 'x', method: 'sampling/createMessage', params: { _meta: { progressToken: {} } } },
  { jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { task: 1, _meta: null } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 99, progress: 1 } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
  { jsonrpc: '2.0', id: 99, result: {} },
  { jsonrpc: '2.0', id: 99, error: { code: 'x' } },
  { nonsense: true },
];

/** A streamable HTTP server of this kind, as a script: see `startScriptedMcp`. */
function oddServer(post: Post, treat: Treat): McpScript {
  return {
    instead: (request, response) => {
      response.on('error', () => undefined);
      if (request.method !== 'POST') treat(request, response);
      else void text(request).then((body) => post(response, soundReply(JSON.parse(body) as Message)));
      return true;
    },
  };
}

/** An HTTP+SSE server that opens this stream and treats POST in this way, or returns 202 and a reply. */
function oddSseServer(open: Open, treatPost: Treat | undefined): McpScript {
  let stream: ServerResponse | undefined;
  const send = (name: string, data: string) => void stream?.write(`event: ${name}\ndata: ${data}\n\n`);
  return {
    instead: (request, response) => {
      response.on('error', () => undefined);
      if (request.method === 'GET') {
        stream = response.writeHead(200, streamHeaders);
        open(response, send);
      } else if (treatPost !== undefined) treatPost(request, response);
      else {
        void text(request).then((body) => {
          response.writeHead(202).end();
          const reply = soundReply(JSON.parse(body) as Message);
          if (reply !== undefined) send('message', JSON.stringify(reply));
        });
      }
      return true;
    },
  };
}

function soundReply({ id, method }: Message): object | undefined {
  if (id === undefined) return undefined;
  const serverInfo = { name: 'odd', version: '1.0.0' };
  const initialized = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  const result = method === 'initialize' ? initialized : { tools: [{ name: 'find', inputSchema: { type: 'object' } }] };
  return { jsonrpc: '2.0', id, result };
}

type Type = 'streamableHttp' | 'sse';
type Case = [what: string, script: McpScript];

const ways = Object.entries(treatments);
const crossed = (posts: Partial<typeof soundPosts & typeof brokenPosts>): Case[] =>
  Object.entries(posts).flatMap(([post, answer]) =>
    ways.map(([way, treat]): Case => [`POST: ${post}; GET and DELETE: ${way}`, oddServer(answer, treat)]),
  );
const overSse: Case[] = Object.entries(sseStreams).flatMap(([name, open]) =>
  [['202', undefined] as const, ...ways].map(
    ([way, treat]): Case => [`GET: ${name}; POST: ${way}`, oddSseServer(open, treat)],
  ),
);

// The sound ones have time enough on a busy machine, since their tools are to arrive.
const kinds: [kind: string, Type, timeoutMs: number, statuses: number[], Case[]][] = [
  ['sound replies over streamable HTTP', 'streamableHttp', 60_000, [200], crossed(soundPosts)],
  ['no sound reply over streamable HTTP', 'streamableHttp', 300, [502], crossed(brokenPosts)],
  ['odd streams over HTTP+SSE', 'sse', 300, [200, 502], overSse],
];

async function startAll(type: Type, cases: readonly Case[]) {
  const servers = await Promise.all(cases.map(([, script]) => startScriptedMcp(script)));
  const close = () => Promise.all(servers.map((server) => server.close()));
  onTestFinished(() => void close());
  return { urls: servers.map((server) => server.urlFor(type)), close };
}

type Act = (urls: string[], close: () => Promise<unknown>, kind: (typeof kinds)[number]) => Promise<void>;

const acts: Record<string, Act> = {
  'the mock': async (urls, close, [, type, timeoutMs, statuses, cases]) => {
    const limits = ['--live-mcp-timeout', String(timeoutMs), '--set', `mcpDefaultType=${type}`];
    const mock = await startMock(['--live-mcp', ...limits]);
    const call = createClient(mock.url, 'demo-key');
    const list = async (url: string) => {
      const { body } = await call('POST', '/mcp-servers', { json: { name: 'Odd', url } });
      return (await call('GET', `/mcp-servers/${body.id}/tools`)).status;
    };
    const listed = await Promise.all(urls.map(list));
    const wrong = cases.filter((_, index) => !statuses.includes(listed[index] ?? 0));
    expect(wrong.map(([what]) => what)).toEqual([]);
    // What is still open breaks off now.
    await close();
    expect((await call('GET', '/agents')).status).toBe(200);
    expect(await mock.stop()).toMatchObject({ code: 0, stderr: '' });
  },
  'a program': async (urls, _, [, type, timeoutMs]) => {
    const options = JSON.stringify({ liveMcp: { timeoutMs }, set: { mcpDefaultType: type } });
    const program = fileURLToPath(new URL('../support/lists-tools.ts', import.meta.url));
    const { code, stdout, stderr } = await runProgram([program, options, ...urls]);
    const lines = stdout.trim().split('\n').length;
    expect({ code, stderr, lines }).toEqual({ code: 0, stderr: '', lines: urls.length });
  },
};

const all = kinds.flatMap((kind) => Object.entries(acts).map(([who, act]) => ({ what: kind[0], kind, who, act })));

it.each(sampleOf(all, 1))('MCP servers with $what never end $who that lists their tools', async ({ kind, act }) => {
  const { urls, close } = await startAll(kind[1], kind[4]);
  await act(urls, close, kind);
});
