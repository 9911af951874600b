import type { CheckResult } from '../../conformance/report/report.ts';
import type { Judged } from './judge.ts';
import type { Candidate } from './mistakes.ts';

/** A server and what the suite said of it; nothing when its database is missing here. */
export interface Result {
  candidate: Candidate;
  judged: Judged;
}

const shown = 3;

/** One line for people who wait. */
export function toLine({ candidate, judged }: Result): string {
  const { exitCode, findings } = judged;
  const checks = findings.slice(0, shown).map(nameOf).join(' ') || 'nothing';
  return `${candidate.database} ${candidate.name}: exit code ${exitCode}; ${checks}`;
}

/** The page with all results. It holds nothing that differs from run to run. */
export function toPage(results: readonly Result[]): string {
  const mistakes = results.filter(({ candidate }) => !candidate.isCorrect);
  const count = (leads: Candidate['leads']) => mistakes.filter(({ candidate }) => candidate.leads === leads).length;
  const failing = mistakes.filter(({ judged }) => judged.exitCode === 1).length;
  const warned = mistakes.filter(({ judged }) => judged.exitCode !== 1 && judged.findings.length > 0).length;
  return [
    '# Natural mistakes on real databases',
    '',
    'Written by `npm run databases`. Three correct servers, on SQLite, on SQLite with Express, and on PostgreSQL, and mistakes as',
    'teams make them: each is a small change of one of them. "Leads" is the judgement of a person: does the first message lead',
    'to the place?',
    '',
    `Of ${mistakes.length} mistakes, ${failing} fail the run, ${warned} only warn, and ${mistakes.length - failing - warned} are not seen. ` +
      `The message leads to the place for ${count('yes')}, partly for ${count('partly')}, not for ${count('no')}.`,
    '',
    ...table(['Server', 'Exit code', 'Failed, (warned)', 'First message', 'Leads', 'Why'], results.map(toRow)),
    '',
  ].join('\n');
}

function toRow({ candidate, judged }: Result): string[] {
  const { database, name, what, leads, why, isCorrect } = candidate;
  const checks = judged.findings.slice(0, shown).map((check) => `\`${nameOf(check)}\``);
  const more = judged.findings.length - checks.length;
  return [
    `**${database}: ${name}**<br>${what}`,
    String(judged.exitCode),
    [...checks, ...(more > 0 ? [`${more} more`] : [])].join('<br>') || 'nothing',
    messageOf(judged),
    isCorrect ? '' : leads,
    why,
  ];
}

function nameOf({ id, outcome }: CheckResult): string {
  return outcome === 'failed' ? id : `(${id})`;
}

/** What was expected and what came, of the first finding. */
function messageOf({ findings: [first] }: Judged): string {
  if (first?.evidence === undefined) return first?.reason ?? '';
  const { expected, actual } = first.evidence;
  const [wanted = '', got = ''] = steady(`${expected}\0${actual}`).split('\0');
  return `Expected ${firstLine(wanted)}. Actual: ${firstLine(got)}`;
}

const longest = 160;

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** A text without what differs from run to run: ids, times, ports, counts of responses. */
function steady(text: string): string {
  const names: string[] = [];
  const numberOf = (name: string) => {
    if (!names.includes(name)) names.push(name);
    return `‹run›-${names.indexOf(name) + 1}`;
  };
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[a-z]{3}_[0-9a-f]{18}\b/g, '‹id›')
    .replaceAll(/\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?/g, '‹date›$1‹time›')
    .replaceAll(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/g, '‹date›')
    .replaceAll(/\bwithin \d+ ms, because\b/g, 'within ‹some› ms, because')
    .replaceAll(/\b\d+ times\b/g, '‹some› times')
    .replaceAll(/\b\d+ of \d+ (?=failed|are not|requests)/g, 'some of several ')
    .replaceAll(/127\.0\.0\.1:\d+/g, '‹host›')
    .replaceAll(/\brun-[0-9a-f]{8}-\d+/g, numberOf)
    .replaceAll(/\b(00)?\d{10,13}\b/g, '$1‹digits›')
    .replaceAll(/ \(\d+ places in \d+ responses\)/g, '');
}

function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
