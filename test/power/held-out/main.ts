/**
 * Runs the suite over one catalogue of held-out servers: `npm run heldout -- first`. Prints those that were judged wrongly.
 * The first run of a catalogue is its first contact: `--record` writes it down once, and later runs as those after repair.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { heldOutJobs } from '../jobs.ts';
import { runJobs } from '../run-jobs.ts';
import { type CatalogueName, catalogues } from './catalogue.ts';
import { figuresOf, isRight, type Judged, judgedOf } from './judge.ts';
import { fileOf, writeRecord } from './record.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { record: { type: 'boolean' } } });
const [catalogue = ''] = positionals;
if (!(catalogue in catalogues)) throw new Error(`Name a catalogue: ${Object.keys(catalogues).join(', ')}.`);
const name = catalogue as CatalogueName;

const results = await runJobs(heldOutJobs(name), (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} runs `);
});
const judged = judgedOf(name, results);
for (const one of judged.filter((each) => !isRight(each))) console.log(describe(one));
const figures = figuresOf(judged);
console.log(JSON.stringify({ ...figures, wrong: figures.wrong.length }));
if (values.record)
  writeRecord(name, existsSync(fileOf(name, 'first-contact')) ? 'after-repair' : 'first-contact', figures);

function describe({ kind, name: server, exitCode, failed, warned, suiteError = '' }: Judged): string {
  const what = catalogues[name].entries.find((entry) => entry.name === server)?.what ?? '';
  const ended = [...failed, ...warned.map((id) => `(${id})`), suiteError].join(' ');
  return `${kind} ${server}: exit ${exitCode}. ${what} ${ended}`;
}
