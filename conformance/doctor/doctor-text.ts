import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import { riskOf } from '../plan/plan-text.ts';
import { type Paint, painter } from '../reporters/paint.ts';
import { oneLine, plural } from '../reporters/text.ts';
import type { Diagnosis, Finding } from './diagnosis.ts';
import { sampleConfig } from './sample-config.ts';
import { type Reach, reachOf, type Unlock, unlocksOf } from './unlocks.ts';

/** What the doctor says: how the target answers, what is there, what is missing and what it would unlock. */
export function describeDiagnosis(
  diagnosis: Diagnosis,
  checks: readonly RegisteredCheck[],
  settings: Settings,
  { color }: { color: boolean },
): string {
  const paint = painter(color);
  const usable = withoutWrong(settings, diagnosis.findings);
  const { now, all } = reachOf(checks, usable);
  return [
    ...titled(paint, `${settings.baseUrl} answers`, carrierLines(diagnosis)),
    ...titled(paint, 'What is there', findingLines(diagnosis.findings, paint)),
    ...titled(paint, 'What can be judged with it', [
      `  ${now.checks} of ${all.checks} checks, of ${now.requirements} of ${all.requirements} requirements${reservation(diagnosis)}`,
    ]),
    ...titled(paint, 'What each missing setting would unlock', unlockLines(unlocksOf(checks, usable))),
    ...titled(paint, 'Before you allow deletions', riskLines(settings)),
    paint('bold', 'A config to paste into a file, for --config'),
    '',
    sampleConfig(diagnosis, settings),
  ].join('\n');
}

/** The settings without what turned out to be of no use. */
function withoutWrong(settings: Settings, findings: readonly Finding[]): Settings {
  const wrong = new Set(findings.flatMap(({ setting, state }) => (state === 'wrong' ? [setting] : [])));
  const fixtures = Object.entries(settings.fixtures).filter(([name]) => !wrong.has(`fixtures.${name}`));
  const otherApiKey = wrong.has('otherApiKey') ? undefined : settings.otherApiKey;
  return { ...settings, otherApiKey, fixtures: Object.fromEntries(fixtures) };
}

function reservation({ findings }: Diagnosis): string {
  return findings.some(({ state }) => state === 'partly')
    ? '; some fewer, where something above is there in part only'
    : '';
}

function titled(paint: Paint, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [paint('bold', title), '', ...lines, ''];
}

function carrierLines({ carriers, onlyCarrier }: Diagnosis): string[] {
  const rows = carriers.map(({ request, header, bearer }) => [request, header, bearer]);
  const other = onlyCarrier === 'header' ? 'as a bearer token' : 'in X-API-Key';
  return [
    ...aligned([['', 'X-API-Key', 'Authorization: Bearer'], ...rows]),
    ...(onlyCarrier === undefined
      ? []
      : ['', `  The key is not accepted ${other}. Either is to be enough, so checks will fail.`]),
  ];
}

const marks = { fine: 'ok', partly: 'partly', missing: 'missing', wrong: 'wrong', unknown: 'unclear' } as const;
const formats = { fine: 'green', partly: 'yellow', missing: 'dim', wrong: 'red', unknown: 'yellow' } as const;

function findingLines(findings: readonly Finding[], paint: Paint): string[] {
  return findings.map(
    ({ setting, state, note }) =>
      `  ${paint(formats[state], marks[state].padEnd(8))} ${setting.padEnd(30)} ${oneLine(note)}`,
  );
}

function unlockLines(unlocks: readonly Unlock[]): string[] {
  const rows = unlocks.map(({ setting, alone, withOthers }) => [setting, inWords(alone), inWords(withOthers)]);
  return rows.length === 0 ? [] : aligned([['', 'alone', 'with the others that are missing'], ...rows]);
}

function inWords({ checks, requirements }: Reach): string {
  return checks === 0 ? 'nothing' : `${plural(checks, 'check')} of ${plural(requirements, 'requirement')}`;
}

function riskLines({ fixtures }: Settings): string[] {
  const { disposableFiles = [] } = fixtures;
  const drives =
    disposableFiles.length === 0
      ? 'On a broken server every file of a drive named in disposableFiles is at risk.'
      : riskOf(disposableFiles);
  return [
    `  ${drives}`,
    '  The suite deletes only trees that it made itself; a server that misreads the path may take more.',
    '  Name drives whose loss would hurt nobody.',
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
