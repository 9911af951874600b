import { temporaryFolder } from '../../test/support/shell.ts';
import { type MutatedPart, parts } from '../mutation/parts.ts';
import { writePart } from '../mutation/report.ts';
import { isMissed, isNoticed, type Mutant, type Mutation, mutate } from '../mutation/stryker.ts';
import { faultOf, indexOf, keyOf, loadSurvivors, type Survivor, staleOf } from '../mutation/survivors.ts';
import type { TortureOptions } from './options.ts';

// Makes faults in the sources, one at a time, and runs the tests: nearly each one must make a test fail.

const leastShare = 0.9;

/**
 * Runs the torture on the parts that are named, or on all; with `count`, on so many of the faults of each part, which the
 * seed draws. Prints the share of faults that were noticed, and the others.
 */
export async function run({ names = [], seed, count, isWritten = false, print }: TortureOptions): Promise<void> {
  const survivors = loadSurvivors();
  for (const one of staleOf(survivors)) print(`stale: ${one.file} has no line ${JSON.stringify(one.line)}`);
  const sample = count === undefined ? undefined : { seed, count };
  const folder = temporaryFolder('torture-mutation');
  try {
    const low: string[] = [];
    for (const [name, part] of partsOf(names)) {
      const mutation = await mutate(part, folder, sample);
      printPart(name, mutation, survivors, print);
      if (isWritten) writePart(name, mutation, indexOf(survivors));
      if (shareOf(mutation.mutants) < leastShare) low.push(name);
    }
    if (low.length > 0) throw new Error(`Fewer than ${leastShare * 100} % were noticed in: ${low.join(', ')}.`);
  } finally {
    folder.remove();
  }
}

function partsOf(names: readonly string[]): [string, MutatedPart][] {
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${Object.keys(parts).join(', ')}.`);
  return Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name));
}

function printPart(name: string, { mutants, total }: Mutation, survivors: readonly Survivor[], print: Print): void {
  const known = indexOf(survivors);
  const missed = mutants.filter(isMissed);
  for (const mutant of missed.filter((one) => !known.has(keyOf(one)))) print(describe(mutant));
  for (const mutant of mutants.filter(isNoticed).filter((one) => known.has(keyOf(one)))) {
    print(`noticed, though it is among those with a reason: ${mutant.file} ${faultOf(mutant)}`);
  }
  for (const [file, some] of Map.groupBy(mutants, ({ file }) => file)) {
    print(`${percentOf(some).padStart(8)} of ${some.length} in ${file}`);
  }
  const extent = mutants.length === total ? `all ${total}` : `a sample of ${mutants.length} of ${total}`;
  const left = mutants.filter((mutant) => !isMissed(mutant) && !isNoticed(mutant)).length;
  const reasons = missed.filter((one) => known.has(keyOf(one))).length;
  print(
    `${name}: ${percentOf(mutants)} of ${mutants.length - left} faults were noticed, ${missed.length} were not, of which ` +
      `${reasons} have a reason. Drawn: ${extent}; ${left} of them run only when a module is loaded, or no test could run.`,
  );
}

type Print = TortureOptions['print'];

function describe(mutant: Mutant): string {
  return `missed: ${mutant.file}:${mutant.line} ${faultOf(mutant)}`;
}

/** The share of the faults that were noticed. */
export function shareOf(mutants: readonly Mutant[]): number {
  const noticed = mutants.filter(isNoticed).length;
  const missed = mutants.filter(isMissed).length;
  return noticed / Math.max(1, noticed + missed);
}

export function percentOf(mutants: readonly Mutant[]): string {
  return `${(100 * shareOf(mutants)).toFixed(1)} %`;
}
