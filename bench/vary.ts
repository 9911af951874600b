import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VaryReport } from '../src/vary/report.ts';
import { startNode } from './children.ts';
import { machineLine, median } from './report.ts';

const randomSeeds = [1, 2, 3, 4, 5];
const base = '--profile examples/frontend/profile.yaml';
const drives = 'node --test examples/frontend/drive-browser.test.js';

/** The searches that the guide shows: what `vary` is given, and the tests. */
const searches = [
  { options: `--impact hidden --repeat 1 --parallel 2 ${base}`, tests: drives },
  { options: base, tests: drives },
  { options: `--parallel 2 ${base}`, tests: drives },
  { options: '', tests: 'node test/support/reliant-tests.mjs' },
  { options: '', tests: 'node test/support/counting-tests.mjs' },
];

/** One search, with each of the random seeds. */
interface Searched {
  options: string;
  tests: string;
  runs: number[];
  seconds: number[];
  /** What each of them found. */
  found: string[];
}

/** Runs each search once for each random seed, one at a time. The reports are written into the folder. */
export async function measureVary(folder: string, tell: (text: string) => void): Promise<Searched[]> {
  const all: Searched[] = [];
  for (const { options, tests } of searches) {
    tell(`vary ${options} -- ${tests}`);
    const reports: VaryReport[] = [];
    for (const seed of randomSeeds) reports.push(await searchOnce(folder, seed, options, tests));
    all.push({ options, tests, ...figuresOf(reports) });
  }
  return all;
}

async function searchOnce(folder: string, seed: number, options: string, tests: string): Promise<VaryReport> {
  const json = join(folder, 'vary.json');
  const words = [...options.split(' '), '--random-seed', String(seed), '--json', json, '--', ...tests.split(' ')];
  const child = startNode(['src/cli/main.ts', 'vary', ...words.filter(Boolean)]);
  const [code] = await once(child.process, 'exit');
  // 1: the tests rely on something, as planted.
  if (code !== 1) throw new Error(`vary ended with ${code}: ${child.complaint()}`);
  return JSON.parse(readFileSync(json, 'utf8'));
}

function figuresOf(reports: readonly VaryReport[]): Pick<Searched, 'runs' | 'seconds' | 'found'> {
  return {
    runs: reports.map(({ runs }) => runs),
    seconds: reports.map(({ durationMs }) => durationMs / 1_000),
    found: [...new Set(reports.map(foundIn))],
  };
}

function foundIn({ dependencies }: VaryReport): string {
  const reliedOn = dependencies.map(({ openPoints }) => openPoints.map(({ openPoint }) => openPoint).join(' with '));
  return reliedOn.sort().join(', ');
}

/** The searches as a table. */
export function renderSearches(all: readonly Searched[]): string {
  const rows = all.map(({ options, tests, runs, seconds, found }) => {
    const cells = [`\`${tests}\``, options === '' ? 'none' : `\`${options}\``, spreadOf(runs), spreadOf(seconds)];
    return `| ${[...cells, found.join('; or ')].join(' | ')} |`;
  });
  const about = `With --random-seed ${randomSeeds.join(', ')}: median (least to most).`;
  const head = ['| tests | options | runs | seconds | found |', '| --- | --- | --- | --- | --- |'];
  return [machineLine(), about, '', ...head, ...rows].join('\n');
}

function spreadOf(samples: readonly number[]): string {
  const [middle, least, most] = [median(samples), Math.min(...samples), Math.max(...samples)].map(Math.round);
  return `${middle} (${least} to ${most})`;
}
