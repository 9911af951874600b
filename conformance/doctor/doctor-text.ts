import { createRedact } from '../../lib/secrets.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { columns, oneLine, type Paint, painter, plural, quoted } from '../../lib/text.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import { riskOf } from '../plan/plan-text.ts';
import { headerOf, secretsOf } from '../target/credentials.ts';
import type { Diagnosis, Finding } from './diagnosis.ts';
import { missingConfig, sampleConfig } from './sample-config.ts';
import { type Coverage, coverageOf, type Unlock, unlocksOf } from './unlocks.ts';

/** The config files of a doctor call. */
interface ConfigFiles {
  /** The config that the doctor was given. */
  given?: string | undefined;
  /** The config that the doctor wrote. */
  written?: string | undefined;
}

/**
 * The text of the doctor: how the target responds, what data exists, what is missing, and what it would enable. It ends
 * with a config, unless that was written to a file; if a config was given, only with what is missing in it.
 */
export function describeDiagnosis(
  diagnosis: Diagnosis,
  checks: readonly RegisteredCheck[],
  settings: Settings,
  { color, ...files }: { color: boolean } & ConfigFiles,
): string {
  const paint = painter(color);
  const usable = withoutWrong(settings, diagnosis.findings);
  const { now, all } = coverageOf(checks, usable, diagnosis.absent);
  const isPartial = diagnosis.findings.some(({ state }) => state === 'partly');
  return [
    ...titled(paint, `${createRedact(secretsOf(settings))(settings.baseUrl)} responds`, authHeaderLines(diagnosis)),
    ...titled(paint, 'Available', findingLines(diagnosis.findings, paint)),
    ...titled(paint, 'Can be judged now', [
      `  ${now.checks} of ${all.checks} checks, of ${now.requirements} of ${all.requirements} requirements${isPartial ? '; fewer where something above is only partly available' : ''}`,
    ]),
    ...titled(
      paint,
      'What each missing setting would enable',
      unlockLines(unlocksOf(checks, usable, diagnosis.absent)),
    ),
    ...titled(paint, 'Before you allow deletions', riskLines(settings)),
    ...configLines(diagnosis, settings, paint, files),
  ].join('\n');
}

function configLines(
  diagnosis: Diagnosis,
  settings: Settings,
  paint: Paint,
  { given, written }: ConfigFiles,
): string[] {
  const missing = missingConfig(diagnosis, settings);
  if (written !== undefined) return nextSteps(paint, oneLine(written), missing === '');
  if (missing === '') return [nothingMissing(diagnosis), ''];
  if (given !== undefined) return [paint('bold', `Missing in ${oneLine(given)}`), '', missing];
  return [paint('bold', 'Config file for --config, ready to paste'), '', sampleConfig(diagnosis, settings)];
}

function nothingMissing({ findings }: Diagnosis): string {
  const isWrong = findings.some(({ state }) => state === 'wrong');
  return `No setting is missing${isWrong ? '. Correct the settings marked as wrong' : ''}.`;
}

function nextSteps(paint: Paint, file: string, isWhole: boolean): string[] {
  const run = shownCommand('conformance', ['--config', quoted(file)]);
  const step = isWhole
    ? `Run: ${run}`
    : `Fill in what is missing in ${file} (remove the # before each setting), then run: ${run}`;
  return [paint('bold', 'Next'), '', `  ${step}`, ''];
}

/** The settings without those that turned out to be wrong. */
function withoutWrong(settings: Settings, findings: readonly Finding[]): Settings {
  const wrong = new Set(findings.flatMap(({ setting, state }) => (state === 'wrong' ? [setting] : [])));
  const fixtures = Object.entries(settings.fixtures).filter(([name]) => !wrong.has(`fixtures.${name}`));
  const otherApiKey = wrong.has('otherApiKey') ? undefined : settings.otherApiKey;
  return { ...settings, otherApiKey, fixtures: Object.fromEntries(fixtures) };
}

function titled(paint: Paint, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [paint('bold', title), '', ...lines, ''];
}

function authHeaderLines({ authHeaders, onlyAuthHeader }: Diagnosis): string[] {
  const rows = authHeaders.map(({ request, header, bearer }) => [request, header, bearer]);
  const other = onlyAuthHeader === 'header' ? 'as a bearer token' : `in ${headerOf.header}`;
  return [
    ...columns([['', headerOf.header, `${headerOf.bearer}: Bearer`], ...rows]),
    ...(onlyAuthHeader === undefined
      ? []
      : ['', `  The target does not accept the key ${other}. Both auth headers must work, so checks will fail.`]),
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
  return rows.length === 0 ? [] : columns([['', 'alone', 'with the other missing settings'], ...rows]);
}

function inWords({ checks, requirements }: Coverage): string {
  return checks === 0 ? 'nothing' : `${plural(checks, 'check')} of ${plural(requirements, 'requirement')}`;
}

function riskLines({ fixtures }: Settings): string[] {
  const { disposableFiles = [] } = fixtures;
  const drives =
    disposableFiles.length === 0
      ? 'On a broken server, every file in a drive named in disposableFiles is at risk.'
      : riskOf(disposableFiles);
  return [
    `  ${drives}`,
    '  The suite deletes only trees that it created, but a server that misreads the path may delete more.',
    '  Name only drives that you can afford to lose.',
  ];
}
