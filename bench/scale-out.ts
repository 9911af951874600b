import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { columns } from '../reporting/text.ts';
import { end, root, startNodeIn } from './children.ts';
import { freePort } from './http.ts';
import { secondsOf } from './processes.ts';
import { machineLine } from './report.ts';

/** What mocks behind one nginx did under load. */
interface ScaleOutSample {
  processes: number;
  perSecond: number;
  /** Processor time per request, in microseconds. */
  mockUs: number;
  nginxUs: number;
  /** Worlds that were opened, by shard. */
  worlds: number[];
}

const loadSeconds = 6;
const warmUpSeconds = 2;
const keys = Array.from({ length: 64 }, (_, index) => `bench-${index + 1}`);

/** Loads 1, 2 and 4 mocks behind nginx with the calls of 64 keys: examples/scale-out, with the package as it is built. */
export async function measureScaleOut(folder: string, tell: (text: string) => void): Promise<ScaleOutSample[]> {
  const example = join(folder, 'scale-out');
  cpSync(join(root, 'examples/scale-out'), example, { recursive: true });
  mkdirSync(join(example, 'node_modules'), { recursive: true });
  symlinkSync(root, join(example, 'node_modules/agent-platform-contract'));
  const samples: ScaleOutSample[] = [];
  for (const processes of [1, 2, 4]) {
    tell(`${processes} behind nginx`);
    samples.push(await measure(example, processes));
  }
  return samples;
}

async function measure(example: string, processes: number): Promise<ScaleOutSample> {
  const port = await freePort();
  const front = startNodeIn(example, ['start.js', `--processes=${processes}`, `--port=${port}`]);
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    await answering(`${baseUrl}/shards`);
    await load(baseUrl, warmUpSeconds);
    const before = usage(front.pid);
    const { total, perSecond } = await load(baseUrl, loadSeconds);
    const after = usage(front.pid);
    const perRequest = (kind: 'node' | 'nginx') => ((after[kind] - before[kind]) * 1e6) / total;
    const worlds = await Promise.all(Array.from({ length: processes }, (_, index) => worldsOf(baseUrl, index + 1)));
    return { processes, perSecond, mockUs: perRequest('node'), nginxUs: perRequest('nginx'), worlds };
  } finally {
    await end(front);
  }
}

async function load(baseUrl: string, duration: number): Promise<{ total: number; perSecond: number }> {
  const requests = keys.map((key) => ({ path: '/v0.1/drives?limit=20', headers: { 'x-api-key': key } }));
  const {
    requests: sent,
    errors,
    timeouts,
    non2xx,
  } = await autocannon({
    ...{ url: baseUrl, connections: 32, duration, requests },
  });
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${errors} errors, ${timeouts} timeouts, ${non2xx} refusals in ${sent.total} requests.`);
  return { total: sent.total, perSecond: sent.total / duration };
}

async function worldsOf(baseUrl: string, shard: number): Promise<number> {
  const answer = await fetch(`${baseUrl}/shards/${shard}/__admin/settings`);
  return ((await answer.json()) as { worlds: { count: number } }).worlds.count;
}

async function answering(url: string): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadlineMs) throw new Error(`${url} does not answer. Is nginx installed?`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Processor seconds of all that runs below a process, by program. */
function usage(pid: number): { node: number; nginx: number } {
  const below = globSync('/proc/[0-9]*/status').flatMap((file) => readStatus(file));
  const sum = { node: 0, nginx: 0 };
  const add = (parent: number) => {
    for (const { pid: child, name } of below.filter((each) => each.parent === parent)) {
      sum[name.startsWith('nginx') ? 'nginx' : 'node'] += secondsOf(child) ?? 0;
      add(child);
    }
  };
  add(pid);
  return sum;
}

function readStatus(file: string): { pid: number; parent: number; name: string }[] {
  try {
    const status = readFileSync(file, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return [{ pid: Number(field('Pid')), parent: Number(field('PPid')), name: field('Name') }];
  } catch {
    // It ended since it was listed.
    return [];
  }
}

/** The samples as a table. */
export function renderScaleOut(samples: readonly ScaleOutSample[]): string {
  const head = ['Processes', 'Calls a second', 'Mock, µs a call', 'nginx, µs a call', 'Worlds by process'];
  const rows = samples.map(({ processes, perSecond, mockUs, nginxUs, worlds }) => [
    ...[String(processes), perSecond.toFixed(0), mockUs.toFixed(0), nginxUs.toFixed(0), worlds.join(', ')],
  ]);
  const note = `The load generator, nginx and all mocks share ${availableParallelism()} cores.`;
  return [machineLine(), '', ...columns([head, ...rows]), '', note].join('\n');
}
