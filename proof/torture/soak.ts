import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createRandom, type Random } from '../../test/model/random.ts';
import { type RunningMock, startMock } from '../../test/support/command.ts';
import { open } from '../../test/support/raw-http.ts';
import type { TortureOptions } from './options.ts';
import { drawRequest, soakSeed } from './soak-requests.ts';

// Millions of mixed requests in windows, while faults come and go, sandboxes replace each other, nobody reads the log, and
// those who follow the request log do not read either. After each window the mock is reset. What it holds then stays the same,
// and its answers take the same processor time.

const windows = 20;
/** The windows before memory is compared: code is compiled, and what is kept within bounds fills up. */
const warmUp = 5;
const sandboxes = 50_000;
const connections = 32;
const liveReaders = 20;
const mostGrowth = 1.05;

/** What one window showed. */
interface Window {
  requests: number;
  p50Ms: number;
  p99Ms: number;
  cpuUsEach: number;
  heldBytes: number;
  rssBytes: number;
}

interface Held {
  heldBytes: number;
  rssBytes: number;
  /** Processor time of the mock so far, in microseconds. */
  cpuUs: number;
}

/** Runs the torture, and prints its figures. Rejects where memory grows, or a request gets no answer. */
export async function run({ seed, count = 5_000_000, print }: TortureOptions): Promise<void> {
  print(`soak: ${count} requests in ${windows} windows, ${sandboxes} sandboxes, seed ${seed}`);
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const mock = await startSoaked(folder);
  try {
    const readers = Array.from({ length: liveReaders }, () => followWithoutReading(mock));
    const taken: Window[] = [];
    const random = createRandom(seed);
    const nextSandbox = counter();
    for (let index = 0; index < windows; index++) {
      taken.push(await runWindow(mock, folder, { random, nextSandbox, amount: Math.ceil(count / windows) }));
      print(lineOf(index + 1, taken.at(-1) as Window));
    }
    for (const reader of readers) reader.destroy();
    print(judge(taken));
  } finally {
    await mock.stop();
    rmSync(folder, { recursive: true });
  }
}

async function startSoaked(folder: string): Promise<RunningMock> {
  const seedFile = join(folder, 'seed.json');
  writeFileSync(seedFile, JSON.stringify(soakSeed));
  const preload = fileURLToPath(new URL('report-heap.cjs', import.meta.url));
  const mock = await startMock(['--seed', seedFile, '--open-keys'], {
    ...{ NODE_OPTIONS: `--expose-gc --require ${JSON.stringify(preload)}`, HEAP_FILE: join(folder, 'heap.json') },
  });
  mock.pause();
  return mock;
}

function counter(): () => string {
  let last = 0;
  return () => {
    last = (last + 1) % sandboxes;
    return `sandbox-${last}`;
  };
}

function followWithoutReading({ url }: RunningMock): Socket {
  const socket = open(url);
  // The mock may give such a reader up.
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    socket.write('GET /__admin/requests/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    socket.pause();
  });
  return socket;
}

interface Load {
  random: Random;
  nextSandbox: () => string;
  amount: number;
}

async function runWindow(mock: RunningMock, folder: string, { random, nextSandbox, amount }: Load): Promise<Window> {
  await addFaults(mock, random);
  const before = await heldBy(mock, folder);
  const below = new URL(mock.url).pathname;
  const setupRequest = (request: autocannon.Request) => {
    const drawn = drawRequest(random, nextSandbox);
    return { ...request, body: undefined, ...drawn, path: below + drawn.path };
  };
  const result = await autocannon({ url: mock.url, connections, amount, requests: [{ setupRequest }] });
  const failed = result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests got no answer.`);
  const after = await heldBy(mock, folder);
  await control(mock, 'POST', '/reset');
  const { heldBytes, rssBytes } = await heldBy(mock, folder);
  const [p50Ms, p99Ms] = [result.latency.p50, result.latency.p99];
  return {
    requests: result.requests.total,
    p50Ms,
    p99Ms,
    cpuUsEach: (after.cpuUs - before.cpuUs) / amount,
    heldBytes,
    rssBytes,
  };
}

// They go with the reset.
async function addFaults(mock: RunningMock, random: Random): Promise<void> {
  await control(mock, 'POST', '/faults', { effect: { status: { code: 503 } }, when: { share: 0.01 } });
  await control(mock, 'POST', '/faults', {
    ...{ effect: { latency: { fromMs: 0, toMs: random.integer(1, 20) } }, when: { every: random.integer(50, 500) } },
  });
  await control(mock, 'POST', '/faults', { effect: { wrongMediaType: {} }, when: { next: 100 } });
}

async function control(mock: RunningMock, method: string, path: string, json?: object): Promise<void> {
  const body =
    json === undefined ? {} : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(new URL(`/__admin${path}`, mock.url), { method, ...body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** What the mock holds once its garbage is collected. */
async function heldBy({ pid }: RunningMock, folder: string): Promise<Held> {
  const file = join(folder, 'heap.json');
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await delay(5);
  return JSON.parse(readFileSync(file, 'utf8')) as Held;
}

const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);

function lineOf(number: number, { requests, p50Ms, p99Ms, cpuUsEach, heldBytes, rssBytes }: Window): string {
  const time = `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${cpuUsEach.toFixed(0)} µs of processor time each`;
  return `window ${number}: ${requests} requests, ${time}; holds ${mib(heldBytes)} MiB, resident ${mib(rssBytes)} MiB`;
}

/** Compares the last windows with the first ones after the warm-up. Throws where memory has grown. */
function judge(taken: readonly Window[]): string {
  const part = Math.floor((taken.length - warmUp) / 3);
  const [first, last] = [taken.slice(warmUp, warmUp + part), taken.slice(-part)];
  const growth = (of: (window: Window) => number) => median(last.map(of)) / median(first.map(of));
  const [held, resident] = [growth(({ heldBytes }) => heldBytes), growth(({ rssBytes }) => rssBytes)];
  const [cpu, p99] = [growth(({ cpuUsEach }) => cpuUsEach), growth(({ p99Ms }) => p99Ms)];
  const figures = `held ${held.toFixed(3)}, resident ${resident.toFixed(3)}, processor time ${cpu.toFixed(3)}, p99 ${p99.toFixed(3)}`;
  const line = `The last ${part} windows, as a ratio to the first ${part} after the warm-up: ${figures}.`;
  if (held > mostGrowth) throw new Error(`Memory grows. ${line}`);
  return line;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
