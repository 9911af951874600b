import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { columns } from '../lib/text.ts';
import { end, root, startNode } from './children.ts';
import { freePort } from './http.ts';
import { processesOf } from './processes.ts';
import { machineLine } from './report.ts';
import { basePath, page } from './servers.ts';
import { load, scriptOf } from './wrk.ts';

/** What mocks behind one nginx did under load. */
interface ScaleOutSample {
  processes: number;
  perSecond: number;
  /** Processor time per request, in microseconds. */
  mockUs: number;
  nginxUs: number;
  /** Resident memory of one mock after the load, in MB. */
  mockMb: number;
  /** Sandboxes that were opened, by shard. */
  sandboxes: number[];
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
  const script = join(folder, 'keys.lua');
  const requests = keys.map((key) => ({ method: 'GET', path: basePath + page, headers: { 'x-api-key': key } }));
  writeFileSync(script, scriptOf(requests));
  const samples: ScaleOutSample[] = [];
  for (const processes of [1, 2, 4]) {
    tell(`${processes} behind nginx`);
    samples.push(await measure(example, processes, ['-s', script]));
  }
  return samples;
}

async function measure(example: string, processes: number, args: readonly string[]): Promise<ScaleOutSample> {
  const port = await freePort();
  const front = startNode(['start.js', `--processes=${processes}`, `--port=${port}`], example);
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    await answering(`${baseUrl}/shards`);
    await load(baseUrl, warmUpSeconds, args);
    const before = usage(front.pid);
    const { requests, perSecond, refused } = await load(baseUrl, loadSeconds, args);
    if (refused > 0) throw new Error(`${refused} of ${requests} requests were refused.`);
    const after = usage(front.pid);
    const perRequest = (kind: 'node' | 'nginx') => ((after[kind] - before[kind]) * 1e6) / requests;
    const sandboxes = await Promise.all(
      Array.from({ length: processes }, (_, index) => sandboxesOf(baseUrl, index + 1)),
    );
    const mockMb = after.nodeBytes / processes / 1e6;
    return { processes, perSecond, mockUs: perRequest('node'), nginxUs: perRequest('nginx'), mockMb, sandboxes };
  } finally {
    await end(front);
  }
}

async function sandboxesOf(baseUrl: string, shard: number): Promise<number> {
  const answer = await fetch(`${baseUrl}/shards/${shard}/__admin/settings`);
  return ((await answer.json()) as { sandboxes: { count: number } }).sandboxes.count;
}

async function answering(url: string): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadlineMs) throw new Error(`${url} does not respond. Is nginx installed?`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Processor seconds of all that runs below a process, by program, and the resident memory of the mocks. */
function usage(pid: number): { node: number; nginx: number; nodeBytes: number } {
  const sum = { node: 0, nginx: 0, nodeBytes: 0 };
  // The first starts the others.
  for (const { name, seconds, mib } of processesOf(pid).slice(1)) {
    const isNginx = name.startsWith('nginx');
    sum[isNginx ? 'nginx' : 'node'] += seconds;
    if (!isNginx) sum.nodeBytes += mib * 1024 ** 2;
  }
  return sum;
}

const heads = [
  'Processes',
  'Calls per second',
  'Mock, µs per call',
  'nginx, µs per call',
  'MB per mock',
  'Sandboxes in each mock',
];
const shared = `The load generator, nginx and all mocks share ${availableParallelism()} cores.`;

function cellsOf({ processes, perSecond, mockUs, nginxUs, mockMb, sandboxes }: ScaleOutSample): string[] {
  const figures = [processes, perSecond, mockUs, nginxUs, mockMb].map((value) => value.toFixed(0));
  return [...figures, sandboxes.join(', ')];
}

/** The samples as a table. */
export function renderScaleOut(samples: readonly ScaleOutSample[]): string {
  return [machineLine(), '', ...columns([heads, ...samples.map(cellsOf)]), '', shared].join('\n');
}

/** The samples in Markdown, and what ten thousand CI workers would take by them. */
export function scaleOutText(samples: readonly ScaleOutSample[]): string {
  const table = [heads, heads.map(() => '---'), ...samples.map(cellsOf)];
  const lines = table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const date = new Date().toISOString().slice(0, 10);
  return [`${date}, ${machineLine()}. ${shared}`, lines, sumsOf(samples)].join('\n\n');
}

const [workers, callsPerSecond] = [10_000, 10];
/** A used sandbox, by part `sandboxes` of bench/RESULTS.md. */
const sandboxKiB = 18;

function sumsOf(samples: readonly ScaleOutSample[]): string {
  const most = (of: (sample: ScaleOutSample) => number) => Math.max(...samples.map((sample) => Math.round(of(sample))));
  const [mockUs, nginxUs, mockMb] = [most((one) => one.mockUs), most((one) => one.nginxUs), most((one) => one.mockMb)];
  const calls = workers * callsPerSecond;
  const cores = (us: number) => (calls * us) / 1e6;
  const mocks = Math.ceil(cores(mockUs));
  const sandboxesMb = Math.round((workers * sandboxKiB * 1024) / 1e6);
  const grouped = (value: number) => value.toLocaleString('en-US');
  return [
    `With the largest figure of each column, ${grouped(workers)} CI workers that each send ${callsPerSecond} calls per second (${grouped(calls)} in total) need:`,
    '',
    `- **Cores** for the mocks: ${grouped(calls)} × ${mockUs} µs = ${cores(mockUs).toFixed(1)}, so ${mocks} mocks.`,
    `- **Cores** for nginx: ${grouped(calls)} × ${nginxUs} µs = ${cores(nginxUs).toFixed(1)}.`,
    `- **Memory**: ${mocks} mocks × ${mockMb} MB, and ${grouped(workers)} sandboxes × ${sandboxKiB} KiB = ${mocks * mockMb} MB + ${sandboxesMb} MB.`,
  ].join('\n');
}
