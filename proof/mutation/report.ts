import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMissed, isNoticed, type Mutant, type Mutation } from './stryker.ts';
import { keyOf, type Survivor } from './survivors.ts';

// Writes what a run has found into the document, in the place of its part.

const document = fileURLToPath(new URL('./RESULTS.md', import.meta.url));

export function writePart(name: string, mutation: Mutation, known: ReadonlyMap<string, Survivor>): void {
  const text = readFileSync(document, 'utf8');
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`proof/mutation/RESULTS.md has no place for ${name}.`);
  writeFileSync(document, text.slice(0, from + start.length) + sectionOf(mutation, known) + text.slice(to));
}

function sectionOf({ mutants, total }: Mutation, known: ReadonlyMap<string, Survivor>): string {
  const files = [...Map.groupBy(mutants, ({ file }) => file)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = files.map(([file, some]) => rowOf(`\`${file}\``, some, known));
  return [
    `Drawn: ${mutants.length === total ? `all ${total} faults` : `a sample of ${mutants.length} of ${total} faults`}.`,
    '',
    '| file | tried | noticed | missed with a reason | missed without | share |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
    rowOf('**all**', mutants, known),
    '',
  ].join('\n');
}

function rowOf(name: string, mutants: readonly Mutant[], known: ReadonlyMap<string, Survivor>): string {
  const noticed = mutants.filter(isNoticed).length;
  const missed = mutants.filter(isMissed);
  const withReason = missed.filter((one) => known.has(keyOf(one))).length;
  const tried = noticed + missed.length;
  const share = tried === 0 ? '–' : `${((100 * noticed) / tried).toFixed(1)} %`;
  return `| ${name} | ${tried} | ${noticed} | ${withReason} | ${missed.length - withReason} | ${share} |`;
}
