/**
 * Compares the mock with other mock servers and with bare servers, and a large mock with a small one: `npm run bench
 * [--quick] [--only <part>]`. `--write` writes the tables to bench/RESULTS.md, `--runs 3` takes them three times. With `--suite` it times runs of
 * the conformance suite over a slow mock and over a large one; with `--vary` it counts the runs of the searches that
 * docs/what-does-your-frontend-rely-on.md shows; with `--page` it opens the developer page, and with `--scale-out` it loads
 * several mocks behind nginx (`--write` for examples/scale-out/README.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endAll, run } from './children.ts';
import { writePart } from './document.ts';
import { prepare } from './material.ts';
import { measurePage, renderPage } from './page.ts';
import { type Bench, measureParts, type PartName, parts, step } from './parts.ts';
import { coresInUse } from './processes.ts';
import { machineLine, type Report, tablesOf } from './report.ts';
import { measureScaleOut, renderScaleOut, scaleOutText } from './scale-out.ts';
import { fullRun, longestRunMs, longestSearchesMs, quickRun } from './settings.ts';
import { measureSuite, renderRuns } from './suite.ts';
import { measureVary, renderSearches } from './vary.ts';
import { requireWrk } from './wrk.ts';

const buildLimitMs = 120_000;
const tolerableCores = 0.1;

const on = { type: 'boolean' } as const;
const options = {
  ...{ quick: on, suite: on, vary: on, page: on, 'scale-out': on, write: on },
  only: { type: 'string' },
  runs: { type: 'string', default: '1' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.page) return console.log(renderPage(await measurePage()));
  if (values.suite) return console.log(renderRuns(await measureSuite(tell)));
  const names = namesOf(values.only);
  if (values.write && values.only !== undefined) throw new Error('--write takes the whole table: leave out --only.');
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  watchEnd(folder, values.vary ? longestSearchesMs : longestRunMs * Number(values.runs));
  if (values.vary) return console.log(renderSearches(await measureVary(folder, tell)));
  requireWrk();
  await step(tell, 'Build', () => run(process.execPath, ['.ci/build.mjs'], buildLimitMs));
  if (values['scale-out']) return scaleOut(folder, values.write === true);
  const material = await step(tell, 'Preparation', () => prepare(folder));
  const bench = { material, settings: values.quick ? quickRun : fullRun, tell };
  const text = await measureRuns(bench, names, Number(values.runs), values.quick ? ', a quick run' : '');
  console.log(text);
  if (values.write) writePart('bench/RESULTS.md', '--write', text);
}

async function measureRuns(bench: Bench, names: readonly PartName[], runs: number, kind: string): Promise<string> {
  const others: number[] = [];
  const reports: Report[] = [];
  for (let count = 1; count <= runs; count++) {
    tell(`Run ${count} of ${runs}`);
    others.push(await coresInUse());
    reports.push(await measureParts(bench, names));
  }
  const most = Math.max(...others);
  const disturbed = `DISTURBED: before a run, other programs used ${most.toFixed(1)} cores. Measure again when idle.`;
  const date = new Date().toISOString().slice(0, 10);
  const about = [`${date}${kind}, ${machineLine()}.`, ...(most > tolerableCores ? [disturbed] : [])];
  return [...about, tablesOf(reports)].join('\n\n');
}

async function scaleOut(folder: string, isWritten: boolean): Promise<void> {
  const samples = await measureScaleOut(folder, tell);
  console.log(renderScaleOut(samples));
  if (isWritten) writePart('examples/scale-out/README.md', '--scale-out --write', scaleOutText(samples));
}

function namesOf(only: string | undefined): PartName[] {
  const all = Object.keys(parts) as PartName[];
  const names = only === undefined ? all : all.filter((name) => name === only);
  if (names.length === 0) throw new Error(`There is no part ${only}. The parts are ${all.join(', ')}.`);
  return names;
}

// Progress is no result: it goes to standard error.
function tell(text: string): void {
  console.error(`... ${text}`);
}

function watchEnd(folder: string, limitMs: number): void {
  process.on('exit', () => {
    endAll();
    rmSync(folder, { recursive: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  setTimeout(() => fail(new Error('The benchmark took too long.')), limitMs).unref();
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

await main().catch(fail);
