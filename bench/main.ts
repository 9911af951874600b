/**
 * Compares the mock with Prism and a bare server, and a large mock with a small one: `npm run bench [--quick]`. With
 * `--suite` it times runs of the conformance suite over a slow mock and over a large one; with `--vary` it counts the
 * runs of the searches that docs/what-does-your-frontend-rely-on.md shows; with `--page` it opens the developer
 * page, and with `--scale-out` it loads several mocks behind nginx.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endAll, runNode } from './children.ts';
import { type Material, prepare } from './material.ts';
import { measurePage, renderPage } from './page.ts';
import { type Report, render } from './report.ts';
import { disturbances, loadNotes, loadRows, memoryRow, pagesRow, scaleNote, startRow, treesRow } from './rows.ts';
import { measureScale } from './scale.ts';
import { measureScaleOut, renderScaleOut } from './scale-out.ts';
import { fullRun, longestRunMs, longestSearchesMs, quickRun, type Settings } from './settings.ts';
import { measureSuite, renderRuns } from './suite.ts';
import { measureLoad, measureStarts } from './throughput.ts';
import { measureVary, renderSearches } from './vary.ts';

const buildLimitMs = 120_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: Object.fromEntries(
      ['quick', 'suite', 'vary', 'page', 'scale-out'].map((name) => [name, { type: 'boolean' as const }]),
    ),
  });
  if (values.page) return console.log(renderPage(await measurePage()));
  if (values.suite) return console.log(renderRuns(await measureSuite(tell)));
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  watchEnd(folder, values.vary ? longestSearchesMs : longestRunMs);
  if (values.vary) return console.log(renderSearches(await measureVary(folder, tell)));
  await part('Build', () => runNode(['.ci/build.mjs'], buildLimitMs));
  if (values['scale-out']) return console.log(renderScaleOut(await measureScaleOut(folder, tell)));
  const material = await part('Preparation', () => prepare(folder));
  console.log(render(await measure(material, values.quick ? quickRun : fullRun)));
}

async function measure(material: Material, settings: Settings): Promise<Report> {
  const load = await part('Load and memory', () => measureLoad(material.loaded, settings, tell));
  const starts = await part('Start', () => measureStarts(material.started, settings.startRounds));
  const pages = await part('Pages', () => measureScale('pages', settings.pageRequests));
  const trees = await part('Tree deletions', () => measureScale('trees', settings.treeDeletions));
  return {
    rows: [...loadRows(load), startRow(starts), memoryRow(load), pagesRow(pages), treesRow(trees)],
    notes: [
      material.answers,
      ...loadNotes(load),
      scaleNote('1,000,000 drives', pages),
      scaleNote('1,000,000 files', trees),
    ],
    warnings: disturbances(load),
  };
}

async function part<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  tell(name);
  try {
    return await run();
  } catch (error) {
    throw new Error(`The part "${name}" failed: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
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
