import { writeFileSync } from 'node:fs';
import { type MutatedPart, parts } from '../mutation/parts.ts';
import { isMissed, isNoticed, type Mutant, mutate } from '../mutation/stryker.ts';
import { temporaryFolder } from '../support/shell.ts';
import type { TortureOptions } from './options.ts';

// Makes faults in the sources, one at a time, and runs the tests: nearly each one must make a test fail.

const leastShare = 0.9;

/** Runs the torture on the parts that are named, or on all. Prints the share of faults that were noticed, and the others. */
export async function run({ names = [], seed, count, print }: TortureOptions): Promise<void> {
  const folder = temporaryFolder('torture-mutation');
  try {
    const shares: number[] = [];
    for (const [name, part] of partsOf(names)) {
      const sample = count === undefined ? undefined : { seed, count };
      const { mutants, total } = await mutate(part, folder, sample);
      writeFileSync(`/tmp/mut-${name}.json`, JSON.stringify({ mutants, total, sample }));
      for (const mutant of mutants.filter(isMissed)) print(describe(mutant));
      for (const line of sharesOf(name, mutants)) print(line);
      shares.push(shareOf(mutants));
    }
    const low = shares.filter((share) => share < leastShare).length;
    if (low > 0) throw new Error(`In ${low} of ${shares.length} parts, fewer than ${leastShare * 100} % were noticed.`);
  } finally {
    folder.remove();
  }
}

function partsOf(names: readonly string[]): [string, MutatedPart][] {
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${Object.keys(parts).join(', ')}.`);
  return Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name));
}

function shareOf(mutants: readonly Mutant[]): number {
  const noticed = mutants.filter(isNoticed).length;
  const missed = mutants.filter(isMissed).length;
  return noticed / Math.max(1, noticed + missed);
}

/** A line for each file, and one for the whole part. */
function sharesOf(name: string, mutants: readonly Mutant[]): string[] {
  const byFile = [...Map.groupBy(mutants, ({ file }) => file)];
  const left = mutants.filter((mutant) => !isMissed(mutant) && !isNoticed(mutant)).length;
  const percent = (some: readonly Mutant[]) => `${(100 * shareOf(some)).toFixed(1)} %`;
  return [
    ...byFile.map(([file, some]) => `${percent(some).padStart(8)} of ${some.length} in ${file}`),
    `${name}: ${percent(mutants)} of ${mutants.length - left} faults were noticed; ${left} more run only when a module is loaded, or no test could run with them.`,
  ];
}

function describe({ file, line, kind, was, becomes }: Mutant): string {
  return `missed: ${file}:${line} ${kind}: ${JSON.stringify(was)} becomes ${JSON.stringify(becomes.slice(0, 120))}`;
}
