import { readdirSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type Random } from '../../test/model/random.ts';
import { type Client, createClient } from '../../test/sandboxes/client.ts';
import { type RunningMock, startMock } from '../../test/support/command.ts';
import { open } from '../../test/support/raw-http.ts';
import type { TortureOptions } from './options.ts';

// Thousands of connections that are up to no good, beside clients that work: those get all their answers, and the mock
// closes all others in time.

const clientCount = 50;
const patienceMs = 120_000;
const dripMs = 900;

/** What a hostile connection does. It must not end by itself. */
type Hostility = (socket: Socket, random: Random) => void;

const line = 'X-API-Key: demo-key\r\n';
const hostilities: Readonly<Record<string, Hostility>> = {
  'say nothing': () => undefined,
  'send half a head': (socket) => socket.write(`GET /v0.1/agents HTTP/1.1\r\nHost: a\r\n${line}`),
  'send a head by and by': (socket) => drip(socket, 'GET /v0.1/agents HTTP/1.1\r\nHost: a\r\nX-Slow: '),
  'owe a body': (socket) =>
    socket.write(`POST /v0.1/drives HTTP/1.1\r\nHost: a\r\n${line}Content-Length: 1000\r\n\r\n`),
  'send a body by and by': (socket) =>
    drip(socket, `POST /v0.1/drives HTTP/1.1\r\nHost: a\r\n${line}Content-Length: 100000\r\n\r\n`),
  'read no answer': (socket) => {
    socket.pause();
    socket.write(`GET /v0.1/drives?limit=100 HTTP/1.1\r\nHost: a\r\n${line}\r\n`.repeat(2_000));
  },
  'send noise': (socket, random) =>
    socket.write(Buffer.from(Array.from({ length: 200 }, () => random.integer(0, 255)))),
};

function drip(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write('x'), dripMs);
  socket.on('close', () => clearInterval(timer));
}

/** Runs the torture, and prints its figures. Rejects where a client gets no answer, or a connection stays open. */
export async function run({ seed, count = 5_000, print }: TortureOptions): Promise<void> {
  print(
    `connections: ${count} hostile ones of ${Object.keys(hostilities).length} kinds beside ${clientCount} clients, seed ${seed}`,
  );
  const mock = await startMock(['--log-level', 'error']);
  try {
    const alone = await timesOf(mock, 2_000);
    const sockets = attack(mock, count, createRandom(seed));
    const startMs = performance.now();
    const during = await timesOf(mock, 10_000);
    const closedMs = await untilClosed(mock, startMs);
    for (const socket of sockets) socket.destroy();
    print(`clients alone: ${words(alone)}; beside the others: ${words(during)}`);
    print(`All hostile connections were closed after ${(closedMs / 1_000).toFixed(0)} s; no client met an error.`);
  } finally {
    await mock.stop();
  }
}

function attack(mock: RunningMock, count: number, random: Random): Socket[] {
  const kinds = Object.values(hostilities);
  return Array.from({ length: count }, (_, index) => {
    const socket = open(mock.url);
    // That it is closed or reset is what is wanted.
    socket.on('error', () => undefined);
    const hostility = kinds[index % kinds.length] as Hostility;
    socket.on('connect', () => hostility(socket, random));
    return socket;
  });
}

/** How long the answers to all clients took, in milliseconds, in order. They ask again and again for a while. */
async function timesOf(mock: RunningMock, durationMs: number): Promise<number[]> {
  const clients = Array.from({ length: clientCount }, () => createClient(mock.url, 'demo-key'));
  const untilMs = performance.now() + durationMs;
  const times = await Promise.all(clients.map((client) => askUntil(client, untilMs)));
  return times.flat().sort((a, b) => a - b);
}

async function askUntil(client: Client, untilMs: number): Promise<number[]> {
  const times: number[] = [];
  while (performance.now() < untilMs) {
    const startMs = performance.now();
    const { status } = await client('GET', '/drives?limit=5');
    if (status !== 200) throw new Error(`A client was answered with ${status}.`);
    times.push(performance.now() - startMs);
  }
  return times;
}

/** Waits until the mock has no more connections than those of the clients; how long that took. */
async function untilClosed({ pid }: RunningMock, startMs: number): Promise<number> {
  for (;;) {
    const durationMs = performance.now() - startMs;
    const open = countSockets(pid);
    if (open <= 2 * clientCount + 1) return durationMs;
    if (durationMs > patienceMs)
      throw new Error(`The mock still has ${open} connections after ${patienceMs / 1_000} s.`);
    await delay(500);
  }
}

function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith('socket:')).length;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed since it was listed.
    return '';
  }
}

function words(times: readonly number[]): string {
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  return `${times.length} answers, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${(times.at(-1) ?? 0).toFixed(1)} ms`;
}
