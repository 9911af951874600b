/** The right twins of `refused.ts`: all of this compiles. */
import createClient from 'openapi-fetch';
import type { components as DefaultComponents, paths as DefaultPaths } from '../../openapi/types.default.gen.ts';
import type { components, paths as StatedPaths } from '../../openapi/types.strict.ts';
import type { Handler } from '../../src/engine/operations.ts';
import { handlers } from '../../src/engine/operations.ts';
import { createMock, type OperationId, type Profile, type paths } from '../../src/index.ts';

const client = createClient<paths>();
const path = { driveId: 'd', fileId: 'f' };

export const moved = client.PATCH('/drives/{driveId}/files/{fileId}', { params: { path }, body: { path: '/a.txt' } });

export const created = client.POST('/drives', { body: { name: 'Field reports' } });

export const wrapped: { [Id in OperationId]: Handler<Id> } = { ...handlers, listAgents: () => [] };

export const profile: Partial<Profile> = {
  listOrder: 'newestFirst',
  'pagingDefaults.limit': 'all',
  'successStatus.createDrive': 202,
};

export const mock = createMock({ port: 0, profile });

// For a whole open point, for some of its cases, and for none.
export const wholePoint = createMock({
  profile: { errorStatus: { default: 422, notFound: 410 }, successStatus: 200 },
  set: { errorBody: undefined, duplicates: 'refused' },
});

// What is stated, and the guesses of the default profile, for which there are types of their own.
const stated = createClient<StatedPaths>();
const guessed = createClient<DefaultPaths>();
const directory = { driveId: 'd' };

export const deletedBy = (name: string) =>
  stated.DELETE('/drives/{driveId}/items/tree', { params: { path: directory, query: { [name]: '/a' } } });

export const deleted = guessed.DELETE('/drives/{driveId}/items/tree', {
  params: { path: directory, query: { path: '/a' } },
});

export async function newDriveName(): Promise<string | undefined> {
  const { data } = await stated.POST('/drives', { body: { name: 'Field reports' } });
  return data?.name.trim();
}

export async function toolNames(): Promise<string[]> {
  const params = { path: { mcpServerId: 's' } };
  const { data } = await stated.GET('/mcp-servers/{mcpServerId}/tools', { params });
  return data?.tools.map(({ name, description }) => `${name}: ${description}`) ?? [];
}

export async function agentNames(): Promise<string[]> {
  const { data, error } = await guessed.GET('/agents');
  if (data === undefined) throw new Error(error.detail);
  return data.map(({ name }) => name);
}

export const status: components['schemas']['DriveFile']['status'] = 'ready';
export const drive: DefaultComponents['schemas']['Drive']['name'] = 'Field reports';
