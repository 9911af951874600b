/**
 * Compares the mock with Prism and with bare servers, and a large mock with a small one: `npm run bench [--quick] [--only
 * <part>]`. `--write` writes the table to bench/RESULTS.md, `--runs 3` takes it three times. With `--suite` it times runs of
 * the conformance suite over a slow mock and over a large one; with `--vary` it counts the runs of the searches that
 * docs/what-does-your-frontend-rely-on.md shows; with `--page` it opens the developer page, and with `--scale-out` it loads
 * several mocks behind nginx (`--write` for examples/scale-out/README.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endAll, runNode } from './children.ts';
import { writeDocument, writePart } from './document.ts';
import { prepare } from './material.ts';
import { measurePage, renderPage } from './page.ts';
import { measureParts, type PartName, parts, step } from './parts.ts';
import { type Report, render } from './report.ts';
import { measureScaleOut, renderScaleOut, scaleOutText } from './scale-out.ts';
import { fullRun, longestRunMs, longestSearchesMs, quickRun } from './settings.ts';
import { measureSuite, renderRuns } from './suite.ts';
import { measureVary, renderSearches } from './vary.ts';

const buildLimitMs = 120_000;

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
  if (values.write && (values.quick || values.only !== undefined))
    throw new Error('--write takes the whole table: leave out --quick and --only.');
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  watchEnd(folder, values.vary ? longestSearchesMs : longestRunMs * Number(values.runs));
  if (values.vary) return console.log(renderSearches(await measureVary(folder, tell)));
  await step(tell, 'Build', () => runNode(['.ci/build.mjs'], buildLimitMs));
  if (values['scale-out']) return scaleOut(folder, values.write === true);
  const material = await step(tell, 'Preparation', () => prepare(folder));
  const bench = { material, settings: values.quick ? quickRun : fullRun, tell };
  const reports: Report[] = [];
  for (let run = 1; run <= Number(values.runs); run++) {
    tell(`Run ${run} of ${values.runs}`);
    reports.push(await measureParts(bench, names));
    console.log(render(reports.at(-1) as Report));
  }
  if (values.write) writeDocument(reports);
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
