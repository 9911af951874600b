/**
 * The contract as clients see it: what two generators make of it, and that the result works against the mock. What the
 * types refuse and what they take is in test/types/refused.ts and test/types/accepted.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import createClient from 'openapi-fetch';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ContractDocument, SchemaObject } from '../../openapi/contract/document.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { loadUsualContract } from '../../openapi/contract/usual-input.ts';
import { type components, loadDocument, type Mock, type paths } from '../../src/index.ts';
import { useMock } from '../support/control.ts';
import { isFull } from '../support/depth.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { type Complaint, checkoutOptions, complaintsOf, exportedType, strangerOptions } from '../types/compiler.ts';
import { hollow, type Places, placesOfContract, placesOfType } from '../types/places.ts';

type Schemas = components['schemas'];

/** The ids of resources of the demo with which every operation succeeds. */
interface Ids {
  agentId: string;
  revisionId: string;
  driveId: string;
  fileId: string;
  filePath: string;
  mcpServerId: string;
}

const key = 'demo-key';
const contract = loadDocument();
const operationIds = operationsOf(contract).map(({ operationId }) => operationId);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

const fileAt = (name: string) => fileURLToPath(new URL(`../types/${name}.ts`, import.meta.url));

async function useDemo(): Promise<{ mock: Mock; ids: Ids }> {
  const mock = await useMock();
  return { mock, ids: idsOf(mock) };
}

function idsOf({ engine }: Mock): Ids {
  const organization = known(engine.store.organizations[0]);
  const agent = known(organization.agents.all().find(({ revisions }) => revisions.length > 0));
  const drive = known(organization.drives.all().find(({ id }) => organization.filesOf(id).size > 0));
  const file = known(organization.filesOf(drive.id).first());
  const server = known(organization.mcpServers.all().find(({ tools }) => tools.length > 0));
  const revisionId = known(agent.revisions.at(-1)).id;
  const driveIds = { driveId: drive.id, fileId: file.id, filePath: file.path };
  return { agentId: agent.id, revisionId, ...driveIds, mcpServerId: server.id };
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The demo seed lacks what this test needs.');
  return value;
}

test('openapi-fetch with the checked-in types works with every operation of the mock', async () => {
  const { mock, ids } = await useDemo();
  const client = createClient<paths>({ baseUrl: mock.url, headers: { 'X-API-Key': key } });
  const agents: Schemas['Agent'][] = known((await client.GET('/agents')).data);
  expect(agents).toContainEqual(expect.objectContaining({ id: ids.agentId, isPublished: true, createdAt: timestamp }));
  const { agentId, revisionId, driveId, fileId, mcpServerId } = ids;
  const published = await client.POST('/agents/{agentId}/publish', {
    ...{ params: { path: { agentId } }, body: { revisionId } },
  });
  const result: Schemas['PublishResult'] = known(published.data);
  expect(result).toMatchObject({ id: agentId, isPublished: true, hasChanges: false });

  const created = await client.POST('/drives', { body: { name: 'Field reports' } });
  const drive: Schemas['Drive'] = known(created.data);
  expect(created.response.status).toBe(201);
  expect(drive).toMatchObject({ name: 'Field reports', createdAt: timestamp });
  const drives = await client.GET('/drives', { params: { query: { limit: 1, offset: 1 } } });
  const page: Schemas['DrivePage'] = known(drives.data);
  expect(page).toMatchObject({ data: { length: 1 }, pagination: { limit: 1, offset: 1 } });

  const at = { params: { path: { driveId, fileId } } };
  const file: Schemas['DriveFile'] = known((await client.GET('/drives/{driveId}/files/{fileId}', at)).data);
  expect(file).toMatchObject({ kind: 'file', id: fileId, path: ids.filePath });
  const body = { path: '/elsewhere/renamed.txt' };
  const moved = await client.PATCH('/drives/{driveId}/files/{fileId}', { ...at, body });
  const after: Schemas['DriveFile'] = known(moved.data);
  expect(after).toMatchObject({ id: fileId, path: '/elsewhere/renamed.txt', size: file.size });
  const count = mock.engine.store.organizations[0]?.filesOf(driveId).size;
  const tree = { params: { path: { driveId }, query: { path: '/' } } };
  const deletion: Schemas['TreeDeletion'] = known((await client.DELETE('/drives/{driveId}/items/tree', tree)).data);
  expect(deletion).toEqual({ message: expect.any(String), jobId: expect.any(String), documentCount: count });

  const tracker = { name: 'Issue tracker', url: 'https://mcp.example.com/issues' };
  const server: Schemas['McpServer'] = known((await client.POST('/mcp-servers', { body: tracker })).data);
  expect(server).toMatchObject({ ...tracker, type: 'streamableHttp' });
  const servers: Schemas['McpServer'][] = known((await client.GET('/mcp-servers')).data);
  expect(servers).toContainEqual(server);
  const toolsOf = (id: string) =>
    client.GET('/mcp-servers/{mcpServerId}/tools', { params: { path: { mcpServerId: id } } });
  const tools: Schemas['McpToolList'] = known((await toolsOf(mcpServerId)).data);
  expect(tools.tools).toContainEqual({ name: expect.any(String), description: expect.any(String) });
  const { data, error } = await toolsOf('nowhere');
  expect(data).toBeUndefined();
  expect(error).toMatchObject({ status: 404, title: 'Not found' });
});

describe.runIf(isFull)('the checked-in types', () => {
  let program: ts.Program;

  // Not outside of a hook: that runs where the tests are skipped, too.
  beforeAll(() => {
    program = ts.createProgram(['accepted', 'refused', 'fetch-view'].map(fileAt), checkoutOptions());
  });

  /** The complaints that the marks of a file ask for; their message is a part of the compiler's. */
  function marked(): Complaint[] {
    const lines = readFileSync(fileAt('refused'), 'utf8').split('\n');
    return lines.flatMap((text, index) => {
      const [, code, message] = /\/\/ refused: (TS\d+) (.+)$/.exec(text) ?? [];
      return code && message ? [{ file: 'refused.ts', line: index + 1, code, message }] : [];
    });
  }

  test('refuse what must not compile, at its marked lines, and nothing else', () => {
    const complaints = complaintsOf(program, (path) => path.includes('/test/types/'));
    expect(complaints).toEqual(marked().map((one) => ({ ...one, message: expect.stringContaining(one.message) })));
    expect(complaints).toHaveLength(13);
  });

  test('match the contract', () => {
    expectTypesOfContract(placesOf(program, fileAt('fetch-view'), 'FetchView'), loadUsualContract());
  });
});

/** Uses the generated client for every operation, as a user would write it. */
const useOfGeneratedClient = `
import { createClient } from './client/client/index.js';
import * as api from './client/index.js';

interface Ids { agentId: string; revisionId: string; driveId: string; fileId: string; mcpServerId: string }

export async function callAll(baseUrl: string, key: string, ids: Ids) {
  const client = createClient({ baseUrl, auth: key, throwOnError: false });
  const { agentId, revisionId, driveId, fileId, mcpServerId } = ids;
  const call = { client, throwOnError: true } as const;
  const agents: api.Agent[] = (await api.listAgents(call)).data;
  const published: api.PublishResult | void =
    (await api.publishAgentRevision({ ...call, path: { agentId }, body: { revisionId } })).data;
  const drive: api.Drive = (await api.createDrive({ ...call, body: { name: 'Field reports' } })).data;
  const page: api.DrivePage = (await api.listDrives({ ...call, query: { limit: 1, offset: 1 } })).data;
  const file: api.DriveFile = (await api.getDriveFile({ ...call, path: { driveId, fileId } })).data;
  const moved: api.DriveFile =
    (await api.updateDriveFile({ ...call, path: { driveId, fileId }, body: { path: '/a b/ü.txt' } })).data;
  const deletion: api.TreeDeletion =
    (await api.deleteDriveTree({ ...call, path: { driveId }, query: { tree: { path: '/a b' } } })).data;
  const server: api.McpServer =
    (await api.createMcpServer({ ...call, body: { name: 'Tracker', url: 'https://mcp.example.com/issues' } })).data;
  const servers: api.McpServer[] = (await api.listMcpServers(call)).data;
  const tools: api.McpToolList = (await api.listMcpServerTools({ ...call, path: { mcpServerId } })).data;
  const refused = await api.getDriveFile({ client, path: { driveId, fileId: 'nowhere' } });
  const problem: api.ErrorBody | undefined = refused.error;
  return { agents, published, drive, page, file, moved, deletion, server, servers, tools, problem };
}

type Input<Call extends (...parameters: never) => unknown> = NonNullable<Parameters<Call>[0]>;
interface Seen<Call extends (...parameters: never) => Promise<{ data: unknown }>> {
  path: 'path' extends keyof Input<Call> ? Input<Call>['path'] : never;
  query: 'query' extends keyof Input<Call> ? Input<Call>['query'] : never;
  body: 'body' extends keyof Input<Call> ? Input<Call>['body'] : never;
  success: Awaited<ReturnType<Call>>['data'];
}
export interface View {
  ${operationIds.map((id) => `${id}: Seen<typeof api.${id}>;`).join('\n  ')}
}
`;

const sample = '{ a: any; b?: unknown; c: {}; d: { e: Array<any> }; f: string; g: { [key: string]: unknown } }';

interface GeneratedUse {
  callAll(url: string, key: string, ids: Ids): Promise<Record<string, unknown>>;
}

describe.runIf(isFull)('a client generated by @hey-api/openapi-ts', () => {
  let folder: TemporaryFolder;
  let program: ts.Program;

  beforeAll(async () => {
    folder = temporaryFolder('client');
    await generateInto(folder);
    writeFileSync(folder.at('sample.ts'), `export interface Sample ${sample}`);
    const options = { ...strangerOptions([]), outDir: folder.at('out'), rootDir: folder.path };
    program = ts.createProgram([folder.at('use.ts'), folder.at('sample.ts')], options);
  });

  afterAll(() => {
    vi.unstubAllEnvs();
    folder.remove();
  });

  test('type-checks', () => {
    expect(complaintsOf(program, (path) => path.startsWith(folder.path))).toEqual([]);
  });

  test('works with every operation of the mock', async () => {
    const { mock, ids } = await useDemo();
    program.emit();
    const { callAll }: GeneratedUse = await import(pathToFileURL(folder.at('out', 'use.js')).href);
    const answers = await callAll(mock.url, key, ids);
    expect(answers).toMatchObject({
      agents: expect.arrayContaining([expect.objectContaining({ id: ids.agentId })]),
      published: { id: ids.agentId, isPublished: true, hasChanges: false },
      drive: { name: 'Field reports' },
      page: { data: [{ id: expect.any(String) }], pagination: { limit: 1, offset: 1 } },
      file: { id: ids.fileId, path: ids.filePath },
      moved: { id: ids.fileId, path: '/a b/ü.txt', name: 'ü.txt' },
      deletion: { documentCount: 1 },
      servers: expect.arrayContaining([answers.server]),
      tools: { tools: expect.arrayContaining([{ name: expect.any(String), description: expect.any(String) }]) },
      problem: { status: 404, title: 'Not found' },
    });
  });

  test('has types that match the contract', () => {
    expectTypesOfContract(placesOf(program, folder.at('use.ts'), 'View'), contract);
  });

  test('has any, unknown and {} found at every depth of a type', () => {
    const places = placesOf(program, folder.at('sample.ts'), 'Sample');
    expect(hollow(places)).toEqual(['a', 'b', 'c', 'd.e[]', 'g[*]']);
  });
});

async function generateInto(folder: TemporaryFolder): Promise<void> {
  // The generator looks for a configuration file, with a loader that would leave a cache behind.
  vi.stubEnv('JITI_FS_CACHE', 'false');
  await generateClient({
    input: fileURLToPath(new URL('../../openapi/openapi.yaml', import.meta.url)),
    output: { path: folder.at('client'), module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
  });
  writeFileSync(folder.at('package.json'), '{ "type": "module" }');
  writeFileSync(folder.at('use.ts'), useOfGeneratedClient);
}

function placesOf(program: ts.Program, path: string, name: string): Places {
  return placesOfType(program.getTypeChecker(), exportedType(program, path, name));
}

/** The only places whose type the contract leaves open, and the open point that says so. */
const openPlaces = {
  'publishAgentRevision.success': 'publishBody',
  'getDriveFile.success.metadata[*]': 'metadataShape',
  'updateDriveFile.success.metadata[*]': 'metadataShape',
};

function expectTypesOfContract(places: Places, document: ContractDocument): void {
  expect(hollow(places).sort()).toEqual(Object.keys(openPlaces).sort());
  // Of `unknown`, an answer that is there leaves `{}`.
  const said = Object.fromEntries(
    Object.entries(places).map(([name, type]) => [name, type === '{}' ? 'unknown' : type]),
  );
  expect(said).toEqual(placesOfContract(document));
}

test('the contract marks its untyped places with their open points', () => {
  const { PublishResult, DriveFile } = (contract.components?.schemas ?? {}) as Record<string, SchemaObject>;
  const metadata = DriveFile?.properties?.metadata as SchemaObject | undefined;
  const marks = [PublishResult?.['x-open-point'], metadata?.['x-open-point']];
  expect(marks).toEqual(['publishBody', ['metadataShape', 'missingValues']]);
});

test('the comparison of types covers every operation', () => {
  const seen = new Set(Object.keys(placesOfContract(contract)).map((name) => name.split(/[.[]/)[0] as OperationId));
  expect([...seen]).toEqual(operationIds);
  expect(seen.size).toBe(10);
});
