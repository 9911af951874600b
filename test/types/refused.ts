/** What must not compile, each at its marked line, and with what the compiler says. */
import createClient from 'openapi-fetch';
import type { components, paths as StatedPaths } from '../../openapi/types.strict.ts';
import { handlers } from '../../src/engine/operations.ts';
import { createMock, type Profile, type paths } from '../../src/index.ts';

const client = createClient<paths>();
const stated = createClient<StatedPaths>();
const file = { path: { driveId: 'd', fileId: 'f' } };

// A drive is created with a name.
export const created = client.POST('/drives', {
  body: {}, // refused: TS2322 Property 'name' is missing
});

// A drive file moves to a path, and a path is a string.
export const moved = client.PATCH('/drives/{driveId}/files/{fileId}', {
  params: file,
  body: {
    path: 7, // refused: TS2322 Type 'number' is not assignable
  },
});

// What a publication answers is not shown (4.2), nor the shape of error bodies (section 7).
const { data: publication } = await stated.POST('/agents/{agentId}/publish', {
  ...{ params: { path: { agentId: 'a' } }, body: { revisionId: 'r' } },
});
export const revisionId = publication?.revisionId; // refused: TS2339 'revisionId' does not exist
const { data: agents = [], error } = await stated.GET('/agents');
export const detail = error?.detail; // refused: TS2339 'detail' does not exist

// That a listed agent has a name is not stated: only a table lists it (section 2).
export const ofAgents: string[] = agents.map(({ name }) => name); // refused: TS2322 'string | undefined'

// The fields of a new drive are stated (4.3), those of a listed one are not (4.4); nor is that pagination has a total.
const { data: page } = await stated.GET('/drives');
export const ofDrives: string[] = page?.data.map(({ name }) => name) ?? []; // refused: TS2322 '(string | undefined)[]'
export const last: number = page === undefined ? 0 : page.pagination.total; // refused: TS2322 'number | undefined'

// The inner shape of metadata is not stated (section 2), and a file has one of three statuses.
const { data: read } = await stated.GET('/drives/{driveId}/files/{fileId}', { params: file });
export const author: string = read?.metadata?.author; // refused: TS2322 'unknown' is not assignable to type 'string'
export function isFailed({ status }: components['schemas']['DriveFile']): boolean {
  return status === 'failed'; // refused: TS2367 no overlap
}

// An open point has its choices, and no others; an option that does not exist is not ignored.
export const profile: Partial<Profile> = {
  listOrder: 'newest', // refused: TS2322 Type '"newest"' is not assignable
};
export const mock = createMock({
  prot: 1, // refused: TS2353 'prot' does not exist
});

// Every operation of the contract needs its handler, and no other one has any.
const { deleteDriveTree: _, ...others } = handlers;
export const fewer: typeof handlers = others; // refused: TS2741 Property 'deleteDriveTree' is missing
export const more: typeof handlers = {
  ...handlers,
  listUsers: handlers.listAgents, // refused: TS2353 'listUsers' does not exist
};
