// What `conformance doctor` prints, and the config that it writes.
import { createRedact } from '../../lib/secrets.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { columns, oneLine, plural, quoted } from '../../lib/text.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import { headerOf, secretsOf } from '../target/credentials.ts';
import { type Diagnosis, type Discovered, enoughDisposableFiles, type Finding } from './doctor.ts';
import { type NeedName, settingsOf, unmet } from './needs.ts';
import { riskOf } from './plan.ts';
import { type FileFixture, fillIn, type Settings } from './settings.ts';

/** A number of checks, and the number of requirements that they judge. */
interface Coverage {
  checks: number;
  requirements: number;
}

/** A missing setting, and the checks that it would enable. */
interface Unlock {
  setting: string;
  /** The checks that need no other missing setting. */
  alone: Coverage;
  /** The checks that need it, and may need other missing settings too. */
  withOthers: Coverage;
}

/** The checks that can judge with the settings, and all checks. `absent`: the data that the target lacks. */
export function coverageOf(
  checks: readonly RegisteredCheck[],
  settings: Settings,
  absent: readonly NeedName[] = [],
): { now: Coverage; all: Coverage } {
  return { now: count(checks.filter(({ needs }) => unmet(needs, settings, absent).length === 0)), all: count(checks) };
}

/** Every missing setting with the checks that it would enable, those with most checks first. */
export function unlocksOf(
  checks: readonly RegisteredCheck[],
  settings: Settings,
  absent: readonly NeedName[] = [],
): Unlock[] {
  const blocked = checks
    .map((check) => ({ check, missing: settingsOf(unmet(check.needs, settings, absent)) }))
    .filter(({ missing }) => missing.length > 0);
  return [...new Set(blocked.flatMap(({ missing }) => missing))]
    .map((setting) => {
      const asking = blocked.filter(({ missing }) => missing.includes(setting));
      const alone = asking.filter(({ missing }) => missing.length === 1);
      return {
        setting,
        alone: count(alone.map(({ check }) => check)),
        withOthers: count(asking.map(({ check }) => check)),
      };
    })
    .sort((a, b) => b.withOthers.checks - a.withOthers.checks);
}

function count(checks: readonly RegisteredCheck[]): Coverage {
  const requirements = new Set(checks.flatMap((check) => check.requirements.map(({ id }) => id)));
  return { checks: checks.length, requirements: requirements.size };
}

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
  const unlocks = unlocksOf(checks, usable, diagnosis.absent);
  const isPartial = diagnosis.findings.some(({ state }) => state === 'partly');
  return [
    ...titled(paint, `${createRedact(secretsOf(settings))(settings.baseUrl)} responds`, authHeaderLines(diagnosis)),
    ...titled(paint, 'Available', findingLines(diagnosis.findings, paint)),
    ...titled(paint, 'Can be judged now', [
      `  ${now.checks} of ${all.checks} checks, covering ${now.requirements} of ${all.requirements} requirements${isPartial ? '; fewer where something above is only partly available' : ''}`,
    ]),
    ...titled(paint, 'What each missing setting would enable', unlockLines(unlocks)),
    ...titled(paint, 'Before you allow deletions', riskLines(settings)),
    ...configLines(diagnosis, settings, paint, { ...files, unlocks }),
  ].join('\n');
}

function configLines(
  diagnosis: Diagnosis,
  settings: Settings,
  paint: Paint,
  { given, written, unlocks }: ConfigFiles & { unlocks: readonly Unlock[] },
): string[] {
  const missing = missingConfig(diagnosis, settings);
  if (written !== undefined) return nextSteps(paint, oneLine(written), missing === '');
  if (missing === '') return [nothingMissing(diagnosis, unlocks), ''];
  if (given !== undefined) return [paint('bold', `Missing in ${oneLine(given)}`), '', missing];
  return [paint('bold', 'Config file for --config, ready to paste'), '', sampleConfig(diagnosis, settings)];
}

function nothingMissing({ findings }: Diagnosis, unlocks: readonly Unlock[]): string {
  const isWrong = findings.some(({ state }) => state === 'wrong');
  return `${unlocks.length > 0 ? 'Nothing else' : 'No setting'} is missing${isWrong ? '. Correct the settings marked as wrong' : ''}.`;
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
const formats = { fine: 'good', partly: 'warning', missing: 'dim', wrong: 'bad', unknown: 'warning' } as const;

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

const { ofOneDrive, ofAnother } = enoughDisposableFiles;

/** A config to paste, in YAML: known values are filled in; those that only the user knows are comments to complete. */
export function sampleConfig(diagnosis: Diagnosis, settings: Settings): string {
  return configText(diagnosis, settings, () => true);
}

/** The part of {@link sampleConfig} that was not given; empty if nothing is missing. */
function missingConfig(diagnosis: Diagnosis, settings: Settings): string {
  const missing = diagnosis.findings.filter(({ state }) => state === 'missing').map(({ setting }) => setting);
  return missing.length === 0 ? '' : configText(diagnosis, settings, (setting) => missing.includes(setting));
}

/** The lines about a setting. Without its `#`, a line of a comment that has no blank after it is part of the config. */
type Part = readonly [setting: string, lines: readonly string[]];

function configText(diagnosis: Diagnosis, settings: Settings, isShown: (setting: string) => boolean): string {
  const shown = (parts: readonly Part[]) => parts.flatMap(([setting, lines]) => (isShown(setting) ? lines : []));
  const fixtures = shown(fixtureParts(diagnosis, settings));
  const head = fixtures.every((line) => /^ *#/.test(line)) ? '#fixtures:' : 'fixtures:';
  return [...shown(generalParts(settings)), ...(fixtures.length === 0 ? [] : [head]), ...fixtures, ''].join('\n');
}

// Keyed by the settings that the doctor checks.
function generalParts(settings: Settings): Part[] {
  const { allowWrites, allowDestructive } = settings;
  return [
    ['otherApiKey', ['# The keys stay in the environment: AGENT_PLATFORM_API_KEY and AGENT_PLATFORM_OTHER_API_KEY.']],
    ['baseUrl', [`baseUrl: ${text(createRedact(secretsOf(settings))(settings.baseUrl))}`]],
    ['--allow-writes', [`allowWrites: ${allowWrites}  # true: may create, publish and move`]],
    ['--allow-destructive', [`allowDestructive: ${allowDestructive}  # true: may delete the disposable files`]],
    ['headers', headerLines(settings)],
    ['openPoints.treePathParameter', treeLines(settings)],
  ];
}

function fixtureParts(diagnosis: Diagnosis, settings: Settings): Part[] {
  const { files, disposableFiles } = settings.fixtures;
  const aboutFiles = 'Files that the run may move; it moves them back. Two files of one drive enable the most checks.';
  const aboutDisposable = `Files that the run may delete: ${ofOneDrive} of one drive and ${ofAnother} of another. A broken server may delete any file in these drives.`;
  return [
    ['fixtures.agent', agentLines(diagnosis, settings)],
    ['fixtures.files', listLines(diagnosis, 'files', files, aboutFiles)],
    ['fixtures.disposableFiles', listLines(diagnosis, 'disposableFiles', disposableFiles, aboutDisposable)],
    ['fixtures.mcpServer', mcpServerLines(diagnosis, settings)],
  ];
}

const unknown = JSON.stringify(fillIn);

/** A text as YAML and JSON write it. */
function text(value: string): string {
  return JSON.stringify(value);
}

/** A comment with the name of something on the target, which may contain anything. */
function nameComment(thing: Discovered | undefined): string {
  return thing === undefined ? '' : `  # ${oneLine(thing.name).slice(0, 60)}`;
}

function headerLines({ headers }: Settings): string[] {
  const names = Object.keys(headers);
  return names.length === 0 ? [] : [`# headers: as given to the doctor (${names.join(', ')}); they may hold secrets`];
}

function treeLines({ treePathParameter }: Settings): string[] {
  if (treePathParameter !== undefined) return ['openPoints:', `  treePathParameter: ${text(treePathParameter)}`];
  return [
    '# The query parameter that carries the path of DELETE /drives/{driveId}/items/tree:',
    '#openPoints:',
    `  #treePathParameter: ${unknown}`,
  ];
}

function agentLines({ agents }: Diagnosis, { fixtures }: Settings): string[] {
  const declared = fixtures.agent;
  if (declared !== undefined) {
    const agent = agents.find(({ id }) => id === declared.id);
    const { id, revisionId } = declared;
    return [`  agent:${nameComment(agent)}`, `    id: ${text(id)}`, `    revisionId: ${text(revisionId)}`];
  }
  const agent = agents.find(({ isPublished }) => isPublished === false) ?? agents[0];
  return [
    '  # An unpublished agent, and one of its revisions. No operation lists revisions.',
    `  #agent:${nameComment(agent)}`,
    `    #id: ${agent === undefined ? unknown : text(agent.id)}`,
    `    #revisionId: ${unknown}`,
  ];
}

function listLines({ drives }: Diagnosis, name: string, files: readonly FileFixture[] = [], about: string): string[] {
  const item = (driveId: string, id: string) => `- { driveId: ${driveId}, id: ${id} }`;
  if (files.length > 0) {
    return [`  ${name}:`, ...files.map(({ driveId, id }) => `    ${item(text(driveId), text(id))}`)];
  }
  const [drive] = drives;
  return [
    `  # ${about} No operation lists files.`,
    `  #${name}:`,
    `    #${item(drive === undefined ? unknown : text(drive.id), unknown)}${nameComment(drive)}`,
  ];
}

function mcpServerLines({ mcpServers, serverWithTools }: Diagnosis, { fixtures }: Settings): string[] {
  const id = fixtures.mcpServer?.id ?? serverWithTools ?? mcpServers[0]?.id;
  if (id === undefined) return ['  #mcpServer:', `    #id: ${unknown}`];
  return [`  mcpServer:${nameComment(mcpServers.find((server) => server.id === id))}`, `    id: ${text(id)}`];
}
