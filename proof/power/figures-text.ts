import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, type CatalogueName, catalogues, type Entry } from '../held-out/catalogue.ts';
import { sizes } from '../held-out/combined.ts';
import { fileOf, readRecord } from '../held-out/record.ts';
import { type Figures, nameOf } from './figures.ts';

/** The figures as the text of `POWER.md`. It contains no times and nothing random: two rounds give the same text. */
export function toPowerDocument(figures: Figures): string {
  return [
    '# What the suite finds, and what it accepts',
    '',
    'Written by `npm run power`, which counts every figure. Do not edit it by hand.',
    '',
    ...summary(figures),
    '',
    heldOut.begins + heldOutLines().join('\n') + heldOut.ends,
    '',
    'Each mutant names the requirement that it breaks and the check that must find it.',
    '',
    ...mutantTables(figures),
    '',
    '## Legal servers',
    '',
    ...legalLines(figures),
    '',
    '## Without permission to write',
    '',
    ...readOnlyLines(figures),
    '',
    '## Servers that do not implement the API at all',
    '',
    list(
      `No run on any of ${figures.degenerate.count} such servers ends with exit code 0`,
      figures.degenerate.endedWellFor,
    ),
    '',
    '## Requirement by requirement',
    '',
    ...requirementTable(figures),
    '',
  ].join('\n');
}

function requirementTable({ mutants }: Figures): string[] {
  const rows = mutants.byRequirement.map(
    (row) => `| ${row.requirement} | ${row.level} | ${row.count} | ${row.killed} |`,
  );
  return ['| requirement | level | mutants | killed |', '| --- | --- | --- | --- |', ...rows];
}

function summary({ mutants, legal, readOnly }: Figures): string[] {
  return [
    'A *mutant* is the mock with exactly one bug; a check *kills* it if it fails or warns. Percentages are rounded down.',
    '',
    '| | |',
    '| --- | --- |',
    `| killed mutants that break a must | ${share(mutants.must.killed, mutants.must.count)} |`,
    `| killed mutants that break a should | ${share(mutants.should.killed, mutants.should.count)} |`,
    `| false alarms on ${legal.count} legal servers | ${legal.alarms.length} |`,
    `| mutants killed in read-only runs | ${share(readOnly.mutantsKilled, readOnly.mutants)} |`,
  ];
}

/** Where the figures are published. */
export const powerFile = join(import.meta.dirname, '../../conformance/POWER.md');

const heldOut = { begins: '## Servers that nobody had seen\n\n', ends: '\n\n## Mutants' };

/** The document with the figures of the catalogues as they are recorded now. */
export function withHeldOut(document: string): string {
  const begin = document.indexOf(heldOut.begins) + heldOut.begins.length;
  return document.slice(0, begin) + heldOutLines().join('\n') + document.slice(document.indexOf(heldOut.ends));
}

const occasions = ['first-contact', 'after-repair'] as const;

/** What the suite found in each catalogue, at first and since. `npm run heldout` counts it. */
export function heldOutLines(): string[] {
  const names = Object.keys(catalogues) as CatalogueName[];
  return [
    'The mutants below were written together with the checks, so they only show that the two agree. A held-out catalogue is a',
    'server with a list of faults, by an author who knew only the specification. The first run of the suite on a catalogue is',
    'its first contact: only its figures say what the suite finds in servers that it was not tuned to.',
    '',
    '| catalogue | run | broken must found | broken should found | legal servers that did not pass |',
    '| --- | --- | --- | --- | --- |',
    ...names.flatMap((name) =>
      occasions.filter((occasion) => existsSync(fileOf(name, occasion))).map((occasion) => heldOutRow(name, occasion)),
    ),
    '',
    ...disputedLines(),
    ...names.flatMap(takesLines),
    ...names.flatMap(combinedLines),
  ];
}

// A server that its author holds to be legal, and the suite does not.
function disputedLines(): string[] {
  if (!readRecord('first', 'after-repair').wrong.includes('publish-plain-text')) return [];
  return [
    'The legal server of the catalogue "first" that still fails responds to a publication with plain text. Its author took that',
    'for open; by section 1 of the specification, bodies are JSON.',
    '',
  ];
}

// By what it takes to notice a fault, in the order of the catalogue.
function takesLines(name: CatalogueName): string[] {
  const { entries }: Catalogue = catalogues[name];
  const faults = entries.filter(({ kind, takes }) => kind !== 'legal' && takes !== undefined);
  if (faults.length === 0) return [];
  const wrong = new Set(readRecord(name, 'first-contact').wrong);
  const found = (some: readonly Entry[], kind: Entry['kind']) => {
    const ofKind = some.filter((entry) => entry.kind === kind);
    return share(ofKind.filter((entry) => !wrong.has(entry.name)).length, ofKind.length);
  };
  return [
    `The first contact with the catalogue "${name}", by what it takes, beyond a single request, to notice a fault:`,
    '',
    '| it takes | broken must found | broken should found |',
    '| --- | --- | --- |',
    ...[...Map.groupBy(faults, ({ takes }) => takes)].map(
      ([takes, some]) => `| ${takes} | ${found(some, 'must')} | ${found(some, 'should')} |`,
    ),
    '',
  ];
}

// Each of these faults is found where it is alone.
function combinedLines(name: CatalogueName): string[] {
  const { combined } = existsSync(fileOf(name, 'after-repair')) ? readRecord(name, 'after-repair') : {};
  if (combined === undefined) return [];
  return [
    `Servers with several faults from the catalogue "${name}". The suite finds each of these faults where it is the only one:`,
    '',
    '| faults | servers | at least one is found | all are found |',
    '| --- | --- | --- | --- |',
    ...sizes.map((size) => {
      const { count, oneFound, allFound } = combined[size];
      return `| ${size} | ${count} | ${oneFound} | ${allFound} |`;
    }),
  ];
}

function heldOutRow(name: CatalogueName, occasion: (typeof occasions)[number]): string {
  const { date, must, should, legal } = readRecord(name, occasion);
  const alarms = `${legal.count - legal.right} of ${legal.count}`;
  const figures = [share(must.right, must.count), share(should.right, should.count), alarms];
  return `| ${name} | ${occasion.replace('-', ' ')}, ${date} | ${figures.join(' | ')} |`;
}

/** A share with its percentage, which is never rounded up to 100. */
function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : Math.floor((part / whole) * 1_000) / 10;
  return `${part} of ${whole} (${percent} %)`;
}

function mutantTables({ mutants }: Figures): string[] {
  const places = mutants.byPlace
    .map(({ place, count }) => `${place === 'answer' ? 'response' : place} ${count}`)
    .sort();
  return [
    '| class | mutants | killed |',
    '| --- | --- | --- |',
    ...mutants.byClass.map((row) => `| ${row.class} | ${row.count} | ${row.killed} |`).sort(),
    `| all | ${mutants.count} | ${mutants.killed} |`,
    '',
    `Location of the faults: ${places.join(', ')}.`,
    '',
    `Of ${mutants.byRequirement.length} judged requirements, ${list('each is broken by at least one mutant', mutants.unbroken)}`,
    '',
    list(
      'No mutant survives',
      mutants.survivors.map(({ id, check }) => `${id} (${check})`),
    ),
    '',
    list('Every check finds at least one mutant', mutants.idle),
  ];
}

function legalLines({ legal }: Figures): string[] {
  return [
    `${legal.count} servers that keep every stated fact: the mock with each listed choice of each open point, with every pair of`,
    'choices, with values within the ranges, and with all unusual choices together; a mock that fetches tools from real MCP',
    'servers over either transport; servers that no profile covers, such as busy servers, slow servers and servers with',
    'other active clients; and a second server in two variants, written from the specification alone. The suite judges each',
    'one twice: with all permissions, and read-only.',
    '',
    list(
      'No check fails',
      legal.alarms.map(({ job, check }) => `${nameOf(job)}: ${check}`),
    ),
    list('No check warns unexpectedly', [
      ...new Set(legal.warned.map(({ job, check }) => `${job.kind} ${job.id}: ${check}`)),
    ]),
    list('Each report lists exactly the things that its run left behind', legal.receiptErrors),
  ];
}

function readOnlyLines({ readOnly }: Figures): string[] {
  return [
    `Without permission to write, checks cover ${share(readOnly.judged, readOnly.requirements)} of the requirements that the suite judges,`,
    `and kill ${share(readOnly.mutantsKilled, readOnly.mutants)} of the mutants.`,
    '',
    list('A run leaves the state of the mock and of every mutant byte for byte unchanged', readOnly.changed),
  ];
}

/** The rule, with its exceptions if there are any. */
function list(rule: string, exceptions: readonly string[]): string {
  if (exceptions.length === 0) return `${rule}.`;
  return `${rule}, except ${exceptions.length}: ${exceptions.join(', ')}.`;
}
