import type { FileFixture, Settings } from '../config/settings.ts';
import { oneLine } from '../reporters/text.ts';
import type { Diagnosis, Discovered } from './diagnosis.ts';
import { enoughDisposableFiles } from './doctor-fixtures.ts';

/** A config to paste, in YAML: what is known stands in it, and what only the user knows is a comment to be filled in. */
export function sampleConfig(diagnosis: Diagnosis, settings: Settings): string {
  const fixtures = [
    ...agentLines(diagnosis, settings),
    ...fileLines(diagnosis, settings),
    ...disposableLines(diagnosis, settings),
    ...mcpServerLines(diagnosis, settings),
  ];
  const isEmpty = fixtures.every((line) => line.startsWith('#'));
  return [
    '# The keys stay in the environment: AGENT_PLATFORM_API_KEY and AGENT_PLATFORM_OTHER_API_KEY.',
    `baseUrl: ${text(settings.baseUrl)}`,
    `allowWrites: ${settings.allowWrites}  # true: may create, publish and move`,
    `allowDestructive: ${settings.allowDestructive}  # true: may delete the disposable files`,
    ...headerLines(settings),
    ...treeLines(settings),
    `${isEmpty ? '# ' : ''}fixtures:`,
    ...fixtures.map((line) => (line.startsWith('#') ? `# ${line.slice(1)}` : line)),
    '',
  ].join('\n');
}

const unknown = '"FILL IN"';

/** A text as YAML and JSON write it. */
function text(value: string): string {
  return JSON.stringify(value);
}

/** A remark on something of the target, whose name may hold anything. */
function called(thing: Discovered | undefined): string {
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
    '# openPoints:',
    `#   treePathParameter: ${unknown}`,
  ];
}

// A line that begins with # is one that the user has to complete.
function agentLines({ agents }: Diagnosis, { fixtures }: Settings): string[] {
  const named = fixtures.agent;
  if (named !== undefined) {
    const agent = agents.find(({ id }) => id === named.id);
    return [`  agent:${called(agent)}`, `    id: ${text(named.id)}`, `    revisionId: ${text(named.revisionId)}`];
  }
  const agent = agents.find(({ isPublished }) => isPublished === false) ?? agents[0];
  return [
    '#  # An agent that is not published yet, and a revision of it. No operation lists revisions.',
    `#  agent:${called(agent)}`,
    `#    id: ${agent === undefined ? unknown : text(agent.id)}`,
    `#    revisionId: ${unknown}`,
  ];
}

function fileLines(diagnosis: Diagnosis, { fixtures }: Settings): string[] {
  return listLines(
    diagnosis,
    'files',
    fixtures.files,
    'Files that may be moved, and are moved back. Two of one drive show most.',
  );
}

function disposableLines(diagnosis: Diagnosis, { fixtures }: Settings): string[] {
  const { ofOneDrive, ofAnother } = enoughDisposableFiles;
  const about = `Files that may be deleted, ${ofOneDrive} of one drive and ${ofAnother} of another. On a broken server every file of their drives is at risk.`;
  return listLines(diagnosis, 'disposableFiles', fixtures.disposableFiles, about);
}

function listLines({ drives }: Diagnosis, name: string, files: readonly FileFixture[] = [], about: string): string[] {
  if (files.length > 0)
    return [`  ${name}:`, ...files.map((file) => `    - ${pair(text(file.driveId), text(file.id))}`)];
  const drive = drives[0];
  return [
    `#  # ${about} No operation lists files.`,
    `#  ${name}:`,
    `#    - ${pair(drive === undefined ? unknown : text(drive.id), unknown)}${called(drive)}`,
  ];
}

function pair(driveId: string, id: string): string {
  return `{ driveId: ${driveId}, id: ${id} }`;
}

function mcpServerLines({ mcpServers, serverWithTools }: Diagnosis, { fixtures }: Settings): string[] {
  const id = fixtures.mcpServer?.id ?? serverWithTools ?? mcpServers[0]?.id;
  if (id === undefined) return ['#  mcpServer:', `#    id: ${unknown}`];
  return [`  mcpServer:${called(mcpServers.find((server) => server.id === id))}`, `    id: ${text(id)}`];
}
