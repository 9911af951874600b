/**
 * Proves the suite: `npm run power`. Prints the figures and writes it to `conformance/POWER.md`.
 * `--check` compares with the file instead. `--part 2/4` checks one of four parts of the mutants, of the odd servers and of
 * the legal servers with a single choice, and all other servers with permission to write. `--repeats n` adds whole rounds
 * with shuffled checks and late answers, which must end the same way. `--drawn 24 --random-seed 7` judges 24 servers that the
 * seed draws, with checks in the order and answers at the times that it draws as well.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allChecks } from '../../conformance/checks/index.ts';
import { repositorySeed } from '../../test/support/random-seed.ts';
import useTemporaryFolder from '../../test/support/temporary-folder.ts';
import { differences, type Figures, isPerfect, nameOf, toFigures } from './figures.ts';
import { powerFile, toPowerDocument } from './figures-text.ts';
import { type Job, type JobResult, jobsOf } from './jobs.ts';
import { asPublished, drawnFrom, partOf } from './parts.ts';
import { runJobs } from './run-jobs.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...{ check: { type: 'boolean' }, part: { type: 'string' }, repeats: { type: 'string', default: '0' } },
      ...{ drawn: { type: 'string' }, 'random-seed': { type: 'string', default: String(repositorySeed) } },
    },
  });
  if (values.part !== undefined) return checkPart(values.part);
  if (values.drawn !== undefined) return checkDrawn(Number(values.drawn), Number(values['random-seed']));
  const first = await round('Round 1', jobsOf());
  const figures = toFigures(first, allChecks());
  const document = toPowerDocument(figures);
  console.log(document);
  for (const error of figures.suiteErrors) console.log(`SUITE ERROR ${error}`);
  const isSame = await repeated(first, Number(values.repeats));
  return [isPerfect(figures), isSame, isUpToDate(document, values.check ?? false)].every(Boolean) ? 0 : 1;
}

/** Judges a part of the servers. What the others would show is taken from the file, as far as it counts them. */
async function checkPart(part: string): Promise<number> {
  const figures = await figuresOfSome(`Part ${part}`, partOf(jobsOf(), part));
  if (!isPerfect(figures)) return 1;
  return isUpToDate(withoutReading(toPowerDocument(figures)), true, withoutReading) ? 0 : 1;
}

/** Judges servers that a random seed draws. */
async function checkDrawn(count: number, randomSeed: number): Promise<number> {
  if (![count, randomSeed].every(Number.isSafeInteger))
    throw new Error('--drawn and --random-seed take whole numbers.');
  const jobs = drawnFrom(jobsOf(randomSeed), count, randomSeed);
  const figures = await figuresOfSome(`Random seed ${randomSeed}`, jobs);
  console.log(`Drawn: ${jobs.map(nameOf).join(', ')}.`);
  return isPerfect(figures) ? 0 : 1;
}

/** The figures of some runs. What is left to be desired in it is printed. */
async function figuresOfSome(name: string, jobs: readonly Job[]): Promise<Figures> {
  const results = [...(await round(name, jobs)), ...asPublished(jobsOf(), jobs)];
  const figures = toFigures(results, []);
  if (!isPerfect(figures)) console.log(toPowerDocument(figures));
  for (const error of figures.suiteErrors) console.log(`SUITE ERROR ${error}`);
  return figures;
}

async function round(name: string, jobs: readonly Job[]): Promise<JobResult[]> {
  const startedMs = performance.now();
  const results = await runJobs(jobs, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${done} of ${jobs.length} runs `);
  });
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  console.error(`\r${name}: ${jobs.length} runs, ${requests} requests, ${seconds} s`);
  return results;
}

async function repeated(first: readonly JobResult[], repeats: number): Promise<boolean> {
  let isSame = true;
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const again = await round(`Round ${repeat + 1}`, jobsOf(repeat));
    const found = differences(first, again);
    console.log(`Round ${repeat + 1}, shuffled and with late answers: ${found.length} differences from round 1.`);
    for (const difference of found) console.log(`  ${difference}`);
    isSame &&= found.length === 0;
  }
  return isSame;
}

// What a reading run judges and kills can only be counted on all of them, on a machine that does nothing else.
function withoutReading(document: string): string {
  return document
    .split('\n')
    .filter((line) => !/^\| mutants killed in read-only|^Without permission to write, checks|^and kill /.test(line))
    .join('\n');
}

function isUpToDate(document: string, isCheck: boolean, partOfFile = (text: string) => text): boolean {
  if (!isCheck) {
    writeFileSync(powerFile, document);
    return true;
  }
  const isSame = comparable(partOfFile(readFileSync(powerFile, 'utf8'))) === comparable(document);
  if (!isSame)
    console.error('conformance/POWER.md is out of date. Run `npm run power` and commit the file.\n', document);
  return isSame;
}

// Which checks warn on a busy server depends on timing.
function comparable(document: string): string {
  return document
    .split('\n')
    .filter((line) => !line.startsWith('No check warns'))
    .join('\n');
}

const removeTemporaryFolder = useTemporaryFolder();
try {
  process.exitCode = await main();
} finally {
  removeTemporaryFolder();
}
