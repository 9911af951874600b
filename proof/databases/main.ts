/**
 * Judges the correct servers and all mistakes, one by one, and writes RESULTS.md: `npm run databases`. With names,
 * such as `sqlite/tree-like-wildcards`, only these, and nothing is written. With `--serve`, one server is started for you.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge } from './judge.ts';
import { type Candidate, onExpress, onPostgres, onSqlite } from './mistakes.ts';
import { findPostgres, howToInstall, startCluster } from './postgres/cluster.ts';
import { type Result, toLine, toPage } from './results.ts';
import { serve } from './serve.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { serve: { type: 'boolean' } } });
const interrupted = interruption();
const bin = findPostgres();
if (bin === undefined) console.error(howToInstall);
const cluster = bin === undefined || !concerns('postgresql') ? undefined : await startCluster(bin);
try {
  const all = [...onSqlite(), ...onExpress(), ...(cluster === undefined ? [] : onPostgres(cluster))];
  const chosen = all.filter((candidate) => positionals.length === 0 || positionals.includes(idOf(candidate)));
  if (chosen.length === 0) throw new Error(`There is no such server. There are:\n${all.map(idOf).join('\n')}`);
  if (values.serve) await serve(chosen, interrupted);
  else await Promise.race([judgeAll(chosen), interrupted]);
} finally {
  await cluster?.stop();
}
process.exit();

function interruption(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.exitCode = 1;
      resolve();
    });
  }
  return promise;
}

function concerns(database: string): boolean {
  return positionals.length === 0 || positionals.some((name) => name.startsWith(`${database}/`));
}

function idOf({ database, name }: Candidate): string {
  return `${database.toLowerCase()}/${name}`;
}

// The databases at the same time, the servers of each one after the other.
async function judgeAll(candidates: readonly Candidate[]): Promise<void> {
  const lanes = Map.groupBy(candidates, ({ database }) => database).values();
  const results = (await Promise.all(Array.from(lanes, judgeInTurn))).flat();
  // Half a page would look like a change.
  if (positionals.length > 0 || cluster === undefined) return;
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), toPage(results));
  const alarms = results.filter(({ candidate, judged }) => candidate.isCorrect && judged.findings.length > 0);
  if (alarms.length > 0) process.exitCode = 1;
}

async function judgeInTurn(candidates: readonly Candidate[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const candidate of candidates) {
    const result = { candidate, judged: await judge(await candidate.start()) };
    results.push(result);
    console.log(toLine(result));
  }
  return results;
}
