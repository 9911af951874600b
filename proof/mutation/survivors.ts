import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Mutant } from './stryker.ts';

const root = new URL('../..', import.meta.url);
const survivorsFile = fileURLToPath(new URL('survivors.yaml', import.meta.url));

/** Faults that no test notices, and why that is no gap in the tests. */
export interface Survivor {
  file: string;
  /** The line on which the faults are, without the blanks before it: its number changes more often. */
  line: string;
  /** Each as the torture describes it. */
  faults: string[];
  reason: string;
}

type Entry = Omit<Survivor, 'file'>;

export function loadSurvivors(): Survivor[] {
  const byFile = parse(readFileSync(survivorsFile, 'utf8')) as Record<string, Entry[]>;
  return Object.entries(byFile).flatMap(([file, entries]) => entries.map((entry) => ({ file, ...entry })));
}

/** Those whose line is no longer in their file. */
export function staleOf(survivors: readonly Survivor[]): Survivor[] {
  return survivors.filter(({ file, line }) => !linesOf(file).has(line));
}

function linesOf(file: string): ReadonlySet<string> {
  const path = fileURLToPath(new URL(file, root));
  return new Set(
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .map((line) => line.trim())
      : [],
  );
}

/** The fault in one line: what stands there, and what the fault makes of it. */
export function faultOf({ kind, was, becomes }: Mutant): string {
  return `${kind}: ${was} → ${becomes}`;
}

/** The survivors by what {@link keyOf} says of a fault. */
export function indexOf(survivors: readonly Survivor[]): ReadonlyMap<string, Survivor> {
  return new Map(
    survivors.flatMap((one) => one.faults.map((fault) => [JSON.stringify([one.file, one.line, fault]), one] as const)),
  );
}

export function keyOf(mutant: Mutant): string {
  return JSON.stringify([mutant.file, mutant.text, faultOf(mutant)]);
}
