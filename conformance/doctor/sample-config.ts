import { createRedact } from '../../lib/secrets.ts';
import { oneLine } from '../../lib/text.ts';
import { type FileFixture, fillIn, type Settings } from '../config/settings.ts';
import { secretsOf } from '../target/credentials.ts';
import type { Diagnosis, Discovered } from './diagnosis.ts';
import { enoughDisposableFiles } from './doctor-fixtures.ts';

const { ofOneDrive, ofAnother } = enoughDisposableFiles;

/** A config to paste, in YAML: known values are filled in; those that only the user knows are comments to complete. */
export function sampleConfig(diagnosis: Diagnosis, settings: Settings): string {
  return configText(diagnosis, settings, () => true);
}

/** The part of {@link sampleConfig} that was not given; empty if nothing is missing. */
export function missingConfig(diagnosis: Diagnosis, settings: Settings): string {
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
