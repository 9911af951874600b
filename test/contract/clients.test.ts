/** The contract as clients see it: what two generators make of it, and that the result works against the mock. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import createClient, { type Client } from 'openapi-fetch';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ContractDocument, SchemaObject } from '../../openapi/contract/document.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { loadUsualContract } from '../../openapi/contract/usual-input.ts';
import { type components, createMock, loadDocument, type Mock, type paths } from '../../src/index.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { checkoutOptions, complaintsOf, exportedType, strangerOptions } from '../types/compiler.ts';
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

let mock: Mock;
let ids: Ids;

beforeEach(async () => {
  mock = await createMock();
  ids = idsOf(mock);
});

afterEach(() => mock.close());

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

describe('openapi-fetch with the checked-in types', () => {
  let client: Client<paths>;

  beforeEach(() => {
    client = createClient<paths>({ baseUrl: mock.url, headers: { 'X-API-Key': key } });
  });

  test('lists and publishes agents', async () => {
    const listed = await client.GET('/agents');
    const agents: Schemas['Agent'][] = known(listed.data);
    expect(agents).toContainEqual(
      expect.objectContaining({ id: ids.agentId, isPublished: true, createdAt: timestamp }),
    );

    const { agentId, revisionId } = ids;
    const published = await client.POST('/agents/{agentId}/publish', {
      params: { path: { agentId } },
      body: { revisionId },
    });
    const result: Schemas['PublishResult'] = known(published.data);
    expect(result).toMatchObject({ id: agentId, isPublished: true, hasChanges: false });
  });

  test('creates and lists drives', async () => {
    const created = await client.POST('/drives', { body: { name: 'Field reports' } });
    const drive: Schemas['Drive'] = known(created.data);
    expect(created.response.status).toBe(201);
    expect(drive).toMatchObject({ name: 'Field reports', createdAt: timestamp });

    const listed = await client.GET('/drives', { params: { query: { limit: 1, offset: 1 } } });
    const page: Schemas['DrivePage'] = known(listed.data);
    expect(page.data).toHaveLength(1);
    expect(page.pagination).toMatchObject({ limit: 1, offset: 1 });
  });

  test('reads and moves a drive file', async () => {
    const path = { driveId: ids.driveId, fileId: ids.fileId };
    const read = await client.GET('/drives/{driveId}/files/{fileId}', { params: { path } });
    const file: Schemas['DriveFile'] = known(read.data);
    expect(file).toMatchObject({ kind: 'file', id: ids.fileId, path: ids.filePath });

    const body = { path: '/elsewhere/renamed.txt' };
    const moved = await client.PATCH('/drives/{driveId}/files/{fileId}', { params: { path }, body });
    const after: Schemas['DriveFile'] = known(moved.data);
    expect(after).toMatchObject({ id: ids.fileId, path: '/elsewhere/renamed.txt', size: file.size });
  });

  test('deletes a tree', async () => {
    const path = { driveId: ids.driveId };
    const count = mock.engine.store.organizations[0]?.filesOf(ids.driveId).size;
    const deleted = await client.DELETE('/drives/{driveId}/items/tree', { params: { path, query: { path: '/' } } });
    const deletion: Schemas['TreeDeletion'] = known(deleted.data);
    expect(deletion).toEqual({ message: expect.any(String), jobId: expect.any(String), documentCount: count });
  });

  test('registers and lists MCP servers and lists tools', async () => {
    const body = { name: 'Issue tracker', url: 'https://mcp.example.com/issues' };
    const created = await client.POST('/mcp-servers', { body });
    const server: Schemas['McpServer'] = known(created.data);
    expect(server).toMatchObject({ ...body, type: 'streamableHttp' });

    const listed = await client.GET('/mcp-servers');
    const servers: Schemas['McpServer'][] = known(listed.data);
    expect(servers).toContainEqual(server);

    const params = { path: { mcpServerId: ids.mcpServerId } };
    const tools: Schemas['McpToolList'] = known(
      (await client.GET('/mcp-servers/{mcpServerId}/tools', { params })).data,
    );
    expect(tools.tools).toContainEqual({ name: expect.any(String), description: expect.any(String) });
  });

  test('returns a refusal as a problem', async () => {
    const params = { path: { mcpServerId: 'nowhere' } };
    const { data, error } = await client.GET('/mcp-servers/{mcpServerId}/tools', { params });
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ status: 404, title: 'Not found' });
  });

  test('has types that match the contract', () => {
    const path = fileURLToPath(new URL('../types/fetch-view.ts', import.meta.url));
    const program = ts.createProgram([path], checkoutOptions());
    expect(complaintsOf(program)).toEqual([]);
    expectTypesOfContract(placesOf(program, path, 'FetchView'), loadUsualContract());
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

interface GeneratedUse {
  callAll(url: string, key: string, ids: Ids): Promise<Record<string, unknown>>;
}

describe('a client generated by @hey-api/openapi-ts', () => {
  let folder: TemporaryFolder;
  let program: ts.Program;

  beforeAll(async () => {
    folder = temporaryFolder('client');
    await generateInto(folder);
    const options = { ...strangerOptions([]), outDir: folder.at('out'), rootDir: folder.path };
    program = ts.createProgram([folder.at('use.ts')], options);
  });

  afterAll(() => {
    vi.unstubAllEnvs();
    folder.remove();
  });

  test('type-checks', () => {
    expect(complaintsOf(program)).toEqual([]);
  });

  test('works with every operation of the mock', async () => {
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

test('any, unknown and {} are found at every depth of a type', () => {
  const folder = temporaryFolder('hollow');
  try {
    const sample = '{ a: any; b?: unknown; c: {}; d: { e: Array<any> }; f: string; g: { [key: string]: unknown } }';
    writeFileSync(folder.at('sample.ts'), `export interface Sample ${sample}`);
    const program = ts.createProgram([folder.at('sample.ts')], strangerOptions([]));
    const places = placesOf(program, folder.at('sample.ts'), 'Sample');
    expect(hollow(places)).toEqual(['a', 'b', 'c', 'd.e[]', 'g[*]']);
  } finally {
    folder.remove();
  }
});
