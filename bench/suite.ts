import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../conformance/report/report.ts';
import { runSuite } from '../conformance/run/run.ts';
import { type Config, type Settings, toSettings } from '../conformance/run/settings.ts';
import type { Seed } from '../src/domain/seed.ts';
import { loadSeed } from '../src/http/load-settings.ts';
import { createMock, type Mock } from '../src/index.ts';
import { machineLine } from './report.ts';
import { seedOfDrives, seedOfFiles } from './seeds.ts';

const root = join(import.meta.dirname, '..');

const latenciesMs = [0, 20, 100, 200];

/** How long one run of the conformance suite took, with all permissions. */
interface SuiteRun {
  target: string;
  latencyMs: number;
  seconds: number;
  requests: number;
  summary: Report['summary'];
}

/** Runs the suite over the mock with the demo seed at each latency, and over a large one. */
export async function measureSuite(tell: (text: string) => void): Promise<SuiteRun[]> {
  const runs: SuiteRun[] = [];
  for (const latencyMs of latenciesMs) {
    tell(`Demo seed, ${latencyMs} ms of latency`);
    runs.push(await measure('demo seed', loadSeed(), latencyMs));
  }
  tell('10,000 drives and 100,000 files');
  runs.push(await measure('10,000 drives, 100,000 files', largeSeed(), 0));
  return runs;
}

/** The demo seed, whose first organization has many drives more, and many files in two of them. */
function largeSeed(): Seed {
  const [first, ...others] = loadSeed().organizations;
  if (first === undefined) throw new Error('The demo seed has no organization.');
  const empty = seedOfDrives(10_000).organizations[0]?.drives ?? [];
  const shape = { fileCount: 50_000, treeCount: 1_000 };
  const full = seedOfFiles([shape, shape]).organizations[0]?.drives ?? [];
  return { organizations: [{ ...first, drives: [...(first.drives ?? []), ...empty, ...full] }, ...others] };
}

async function measure(target: string, seed: Seed, latencyMs: number): Promise<SuiteRun> {
  const mock = await createMock({ seed, requestLogLimit: 0 });
  if (latencyMs > 0) mock.faults.add({ effect: { latency: { delayMs: latencyMs } } });
  const startedMs = performance.now();
  try {
    const { run, summary } = await runSuite(settingsFor(mock), { tool: 'bench' });
    return { target, latencyMs, seconds: (performance.now() - startedMs) / 1_000, requests: run.requests, summary };
  } finally {
    await mock.close();
  }
}

// The fixtures of the demo seed. The ids of its MCP servers follow from how many files there are.
function settingsFor({ url }: Mock): Settings {
  const demo: Config & { apiKey: string } = JSON.parse(
    readFileSync(join(root, 'examples/conformance-demo.json'), 'utf8'),
  );
  const { mcpServer: _, ...fixtures } = demo.fixtures ?? {};
  return toSettings({ ...demo, fixtures, baseUrl: url });
}

/** The runs as a table. */
export function renderRuns(runs: readonly SuiteRun[]): string {
  const rows = runs.map(({ target, latencyMs, seconds, requests, summary }) => {
    const { passed, failed, warned, inconclusive } = summary;
    const others = [`${failed} failed`, `${warned} warned`, `${inconclusive} inconclusive`].join(', ');
    return `| ${target} | ${latencyMs} ms | ${seconds.toFixed(1)} s | ${requests} | ${passed} passed, ${others} |`;
  });
  const head = ['| target | latency | time | requests | checks |', '| --- | --- | --- | --- | --- |'];
  return [machineLine(), '', ...head, ...rows].join('\n');
}
