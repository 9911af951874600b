import { styleText } from 'node:util';
import type { Operation } from '../../openapi/contract/operations.ts';
import type { Organization } from '../domain/organizations.ts';
import type { Mock } from '../http/create-mock.ts';
import { columns } from './help.ts';

/** What a person sees when the mock has started: where it is, what to try, and what it will not do. */
export function banner(mock: Mock, version: string): string {
  const { organizations } = mock.engine.store;
  const origin = new URL(mock.url).origin;
  const keys = organizations.map(
    (organization) => `${keyOf(mock, organization)} ${styleText('dim', organization.name)}`,
  );
  return [
    `${styleText('bold', 'Agent Platform mock')} ${version}`,
    '',
    columns([
      ['Base URL', styleText('cyan', mock.url)],
      ['API keys', keys.join(', ')],
      ['Contract', styleText('cyan', `${origin}/openapi.json`)],
      ['Control', controlLine(mock)],
    ]),
    '',
    `  Try it:  ${curlLine(mock)}`,
    '',
    ...mock.engine.operations.map((operation) => `  ${operationLine(mock, operation, organizations[0])}`),
    '',
    ...(mock.engine.worlds.rules.hasOpenKeys
      ? [styleText('dim', '  Any unknown key opens a world of its own, a fresh copy of the first organization.')]
      : []),
    styleText('dim', '  State is in memory: it is gone when this stops. Ctrl+C stops it.'),
    ...(mock.profile.toolsOfNewServer === 'live'
      ? [styleText('dim', '  MCP servers are really asked for their tools, on allowed hosts only (--live-mcp).')]
      : []),
    styleText(
      'dim',
      '  Where the specification is silent, this mock plays a choice; --set <open point>=<choice> plays another.',
    ),
    '',
    '',
  ].join('\n');
}

function controlLine({ adminUrl }: Mock): string {
  if (adminUrl === undefined) return styleText('dim', 'none; --admin-token offers it beyond this machine');
  return `${styleText('cyan', adminUrl)} ${styleText('dim', 'reset, journal, worlds, faults')}`;
}

function keyOf(mock: Mock, organization: Organization): string {
  return mock.keys.find((key) => mock.engine.store.organizationOf(key) === organization) ?? '';
}

/** A line that answers when it is pasted into a shell. */
function curlLine(mock: Mock): string {
  return `curl -H ${quoted(`X-API-Key: ${mock.keys[0]}`)} ${quoted(`${mock.url}/drives?limit=2`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function operationLine(mock: Mock, operation: Operation, organization: Organization | undefined): string {
  const ids = organization === undefined ? {} : sampleIds(organization);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (template, name: string) => ids[name] ?? template);
  return `${operation.method.padEnd(6)} ${styleText('cyan', mock.url + path)}${styleText('dim', inputHint(mock, operation, ids))}`;
}

/** What an operation needs beside its path, as far as it cannot be guessed. */
function inputHint(mock: Mock, { operationId }: Operation, ids: Record<string, string | undefined>): string {
  switch (operationId) {
    case 'deleteDriveTree':
      return `?${mock.profile.treePathParameter}=/…`;
    case 'publishAgentRevision':
      return ids.revisionId === undefined ? '' : `  {"revisionId":"${ids.revisionId}"}`;
    default:
      return '';
  }
}

/** Ids of the starting state that fill the path templates. */
function sampleIds(organization: Organization): Record<string, string | undefined> {
  const drive = organization.drives.all().find(({ id }) => organization.filesOf(id).size > 0);
  const agent = organization.agents.all().find(({ revisions }) => revisions.length > 0);
  const server = organization.mcpServers.all().find(({ tools }) => tools.length > 0);
  return {
    agentId: agent?.id,
    revisionId: agent?.revisions.at(-1)?.id,
    driveId: drive?.id ?? organization.drives.page(0, 1)[0]?.id,
    fileId: drive === undefined ? undefined : organization.filesOf(drive.id).first()?.id,
    mcpServerId: server?.id,
  };
}
