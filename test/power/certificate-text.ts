import type { Certificate } from './certificate.ts';

/** The certificate for `POWER.md`. It holds no times and no chance, so that two rounds give the same text. */
export function toPowerDocument(certificate: Certificate): string {
  return [
    '# What the suite finds, and what it lets pass',
    '',
    'Made by `npm run power`. Every figure is counted in that run; nothing in it is written by hand.',
    '',
    ...summary(certificate),
    '',
    '## Mutants',
    '',
    'Each is the mock with exactly one fault, and names the requirement that it breaks and the check that must find it.',
    'Killed means: found by that very check.',
    '',
    ...mutantTables(certificate),
    '',
    '## Legal servers',
    '',
    ...legalLines(certificate),
    '',
    '## Reading only',
    '',
    ...readOnlyLines(certificate),
    '',
    '## Servers that are wrong in everything',
    '',
    `${certificate.degenerate.count} of them; ${list('none of them ends a run with exit code 0', certificate.degenerate.endedWellFor)}`,
    '',
    '## Requirement by requirement',
    '',
    ...requirementTable(certificate),
    '',
  ].join('\n');
}

function requirementTable({ mutants }: Certificate): string[] {
  const rows = mutants.byRequirement.map(
    (row) => `| ${row.requirement} | ${row.level} | ${row.count} | ${row.killed} |`,
  );
  return ['| requirement | level | mutants | killed |', '| --- | --- | --- | --- |', ...rows];
}

function summary({ mutants, legal, readOnly }: Certificate): string[] {
  return [
    '| | |',
    '| --- | --- |',
    `| mutants of a must killed | ${share(mutants.must.killed, mutants.must.count)} |`,
    `| mutants of a should flagged | ${share(mutants.should.flagged, mutants.should.count)} |`,
    `| false alarms on ${legal.count} legal servers | ${legal.alarms.length} |`,
    `| mutants killed, reading only | ${share(readOnly.mutantsKilled, readOnly.mutants)} |`,
  ];
}

/** A share for people: never rounded up to the whole. */
export function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : Math.floor((part / whole) * 1_000) / 10;
  return `${part} of ${whole} (${percent} %)`;
}

function mutantTables({ mutants }: Certificate): string[] {
  const places = Object.entries(mutants.byPlace).sort();
  return [
    '| class | mutants | killed |',
    '| --- | --- | --- |',
    ...mutants.byClass.map((row) => `| ${row.class} | ${row.count} | ${row.killed} |`).sort(),
    `| all | ${mutants.count} | ${mutants.killed} |`,
    '',
    `Where the faults sit: ${places.map(([place, count]) => `${place} ${count}`).join(', ')}.`,
    '',
    `Of ${mutants.byRequirement.length} judged requirements, ${list('every one is broken by a mutant', mutants.unbroken)}`,
    '',
    list(
      'No mutant survives',
      mutants.survivors.map(({ id, check }) => `${id} (${check})`),
    ),
    '',
    list('Every check finds at least one mutant', mutants.idle),
  ];
}

function legalLines({ legal }: Certificate): string[] {
  return [
    `${legal.count} servers that keep all that is stated: the mock with each listed choice of each open point, with every pair`,
    'of choices, with values within the ranges and with everything odd at once; a mock that really asks MCP servers, over',
    'either transport; servers that no profile covers, such as busy ones, slow ones, ones with other clients at work; and a',
    'second server, written from the specification alone, in two variants. Each is judged with all permissions and reading',
    'only.',
    '',
    list(
      'No check fails',
      legal.alarms.map(({ server, mode, check }) => `${server} (${mode}): ${check}`),
    ),
    list('No check warns', [...new Set(legal.warned.map(({ server, check }) => `${server}: ${check}`))]),
    list('Each receipt tells exactly what a run left behind', legal.receiptErrors),
  ];
}

function readOnlyLines({ readOnly }: Certificate): string[] {
  return [
    `Without permission to write, ${share(readOnly.judged, readOnly.requirements)} of the judged requirements are judged by at least one`,
    `check, and ${share(readOnly.mutantsKilled, readOnly.mutants)} of the mutants are killed.`,
    '',
    list('The state of the mock and of every mutant is the same afterwards, to the byte', readOnly.changed),
  ];
}

/** What holds without exception, or the exceptions. */
function list(rule: string, exceptions: readonly string[]): string {
  if (exceptions.length === 0) return `${rule}.`;
  return `${rule}, but for ${exceptions.length}: ${exceptions.join(', ')}.`;
}
