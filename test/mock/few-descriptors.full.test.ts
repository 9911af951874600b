import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock } from '../../src/index.ts';
import { fullEnvironment } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { startScriptedMcp } from '../support/scripted-mcp.ts';
import { temporaryFolder } from '../support/shell.ts';

// A server that has no file descriptor left answers on the connections that it has, tells its errors, and goes on. What it
// could not load then, it loads when there are descriptors again.

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Starts a command that may have this many file descriptors, and no more. */
async function startWithFew(args: readonly string[], descriptors: number) {
  const port = await freePort();
  const command = `ulimit -n ${descriptors}; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', command, process.execPath, main, ...args, '--port', `${port}`], {
    env: fullEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    output.stdout += data;
  });
  child.stderr.on('data', (data) => {
    output.stderr += data;
  });
  const ended = once(child, 'close');
  await expect.poll(() => output.stdout).toContain('"listening"');
  const end = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    return { code, ...output };
  };
  return { port, isRunning: () => child.exitCode === null && child.signalCode === null, end };
}

/** A client with one connection, which it keeps. */
function keptClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<number> => {
    const all = {
      'x-api-key': 'demo-key',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = requestHttp({ host: '127.0.0.1', port, agent, method, path, headers: all }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await text(response);
    return response.statusCode ?? 0;
  };
}

/** Opens more connections than the server has descriptors for. Those that it cannot take wait. */
async function useUp(port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

type Send = ReturnType<typeof keptClient>;
type Requests = Record<string, (send: Send) => Promise<number>>;

/** The status of each request, one after the other on one connection. */
async function statusesOf(send: Send, requests: Requests): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, request] of Object.entries(requests)) statuses[name] = await request(send);
  return statuses;
}

const page: Requests = {
  'the page': (send) => send('GET', '/__admin/', { accept: 'text/html' }),
  'the page, compressed': (send) => send('GET', '/__admin/', { accept: 'text/html', 'accept-encoding': 'br' }),
};

const ofMock: Requests = {
  'the page': (send) => send('GET', '/', { accept: 'text/html' }),
  'the page, compressed': (send) => send('GET', '/', { accept: 'text/html', 'accept-encoding': 'br' }),
  'the contract': (send) => send('GET', '/openapi.json'),
  'the contract as YAML': (send) => send('GET', '/openapi.yaml'),
  'a forced code': (send) => send('GET', '/v0.1/agents', { prefer: 'code=401' }),
  'a generated body': (send) => send('GET', '/v0.1/agents', { prefer: 'dynamic=true' }),
  'the settings': (send) => send('GET', '/__admin/settings'),
  'a list': (send) => send('GET', '/v0.1/drives'),
  'the tools of a server': (send) => send('GET', '/v0.1/mcp-servers/seeded/tools'),
  'a reset': (send) => send('POST', '/__admin/reset', {}, '{}'),
};

/** Uses up the descriptors, sends the requests, and again when there are descriptors again: then everything works. */
async function survives(args: readonly string[], requests: Requests, expected: Record<string, number>): Promise<void> {
  const server = await startWithFew(args, 64);
  const send = keptClient(server.port);
  expect(await send('GET', '/__admin/health')).toBe(200);
  const sockets = await useUp(server.port);
  // By the second one it has tried to take them all.
  for (let count = 0; count < 2; count++) expect(await send('GET', '/__admin/health')).toBe(200);
  const during = await statusesOf(send, requests);
  expect(server.isRunning()).toBe(true);
  // Otherwise this proves nothing. A file that cannot be opened is a 500, an upstream that cannot be connected to is a 502.
  expect(Math.max(...Object.values(during))).toBeGreaterThanOrEqual(500);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => statusesOf(send, requests)).toEqual(expected);
  expect(await server.end()).toMatchObject({ code: 0 });
}

describe('server without a file descriptor left', () => {
  it('goes on as a mock, and serves everything once there are descriptors again', async () => {
    const mcp = await startScriptedMcp();
    onTestFinished(() => mcp.close());
    const folder = temporaryFolder('descriptors');
    onTestFinished(() => folder.remove());
    const server = {
      id: 'seeded',
      name: 'Seeded',
      url: mcp.urlFor('streamableHttp'),
      createdAt: '2026-01-01T08:00:00Z',
    };
    const seed = {
      organizations: [{ name: 'Alder', keys: ['demo-key'], mcpServers: [{ ...server, type: 'streamableHttp' }] }],
    };
    writeFileSync(folder.at('seed.json'), JSON.stringify(seed));
    const expected = Object.fromEntries(Object.keys(ofMock).map((name) => [name, 200]));
    await survives(['mock', '--live-mcp', '--seed', folder.at('seed.json')], ofMock, {
      ...expected,
      'a forced code': 401,
    });
  });

  it('goes on as a proxy', async () => {
    const upstream = await createMock();
    onTestFinished(() => upstream.close());
    const requests: Requests = { ...page, 'a list': (send) => send('GET', '/v0.1/drives') };
    const expected = Object.fromEntries(Object.keys(requests).map((name) => [name, 200]));
    await survives(['proxy', '--upstream', upstream.url], requests, expected);
  });
});
