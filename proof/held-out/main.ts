/**
 * Runs the suite over one catalogue of held-out servers: `npm run heldout -- first`. Prints those that were judged wrongly.
 * The first run of a catalogue is its first contact: `--record` writes it down once, and later runs as those after repair, and
 * both into `POWER.md`.
 * `--combined` adds servers with two and with three of its faults.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { powerFile, withHeldOut } from '../power/figures-text.ts';
import { heldOutJobs, type Job, type JobResult } from '../power/jobs.ts';
import { runJobs } from '../power/run-jobs.ts';
import { type CatalogueName, catalogues } from './catalogue.ts';
import { type CombinedFigures, combinedFigures, combinedJobs } from './combined.ts';
import { figuresOf, findingsOf, isRight, type Judged, judgedOf } from './judge.ts';
import { fileOf, writeRecord } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean' }, combined: { type: 'boolean' } },
});
const [catalogue = ''] = positionals;
if (!(catalogue in catalogues)) throw new Error(`Name a catalogue: ${Object.keys(catalogues).join(', ')}.`);
const name = catalogue as CatalogueName;

const results = await run(heldOutJobs(name));
const judged = judgedOf(name, results);
for (const one of judged.filter((each) => !isRight(each))) console.log(describe(one));
const combined = values.combined ? await runCombined() : undefined;
const figures = { ...figuresOf(judged), ...(combined && { combined }) };
console.log(JSON.stringify({ ...figures, wrong: figures.wrong.length }));
if (values.record) {
  writeRecord(name, existsSync(fileOf(name, 'first-contact')) ? 'after-repair' : 'first-contact', figures);
  writeFileSync(powerFile, withHeldOut(readFileSync(powerFile, 'utf8')));
}

function run(jobs: readonly Job[]): Promise<JobResult[]> {
  return runJobs(jobs, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} runs `);
  });
}

async function runCombined(): Promise<CombinedFigures> {
  const [base] = results;
  const together = await run(combinedJobs(name, judged));
  for (const result of together) {
    const { failed, warned } = findingsOf(result, base);
    if (failed.length + warned.length === 0) console.log(`nothing found: ${result.job.id}`);
  }
  return combinedFigures(judged, together, base);
}

function describe({ kind, name: server, exitCode, failed, warned, suiteError = '' }: Judged): string {
  const what = catalogues[name].entries.find((entry) => entry.name === server)?.what ?? '';
  const ended = [...failed, ...warned.map((id) => `(${id})`), suiteError].join(' ');
  return `${kind} ${server}: exit ${exitCode}. ${what} ${ended}`;
}
