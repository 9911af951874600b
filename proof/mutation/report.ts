import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMissed, isNoticed, type Mutation } from './stryker.ts';
import { keyOf, type Survivor } from './survivors.ts';

// Writes what a run has found into the document, in the place of its part.

const document = fileURLToPath(new URL('./RESULTS.md', import.meta.url));

export function writePart(name: string, mutation: Mutation, known: ReadonlyMap<string, Survivor>): void {
  const text = readFileSync(document, 'utf8');
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`proof/mutation/RESULTS.md has no place for ${name}.`);
  writeFileSync(document, text.slice(0, from + start.length) + sectionOf(name, mutation, known) + text.slice(to));
}

function sectionOf(name: string, { mutants, total }: Mutation, known: ReadonlyMap<string, Survivor>): string {
  const noticed = mutants.filter(isNoticed).length;
  const missed = mutants.filter(isMissed);
  const withReason = missed.filter((one) => known.has(keyOf(one))).length;
  const tried = noticed + missed.length;
  const share = tried === 0 ? '–' : `${((100 * noticed) / tried).toFixed(1)} %`;
  return [
    `Drawn: ${mutants.length === total ? `all ${total} faults` : `a sample of ${mutants.length} of ${total} faults`}.`,
    '',
    '| part | tried | noticed | missed with a reason | missed without | share |',
    '| --- | --: | --: | --: | --: | --: |',
    `| ${name} | ${tried} | ${noticed} | ${withReason} | ${missed.length - withReason} | ${share} |`,
    '',
  ].join('\n');
}
