/** The right twins of `refused/`: all of this compiles. */
import createClient from 'openapi-fetch';
import type { Handler } from '../../src/engine/handler.ts';
import { handlers } from '../../src/engine/operations/index.ts';
import { createMock, type OperationId, type Profile, type paths } from '../../src/index.ts';

const client = createClient<paths>();
const path = { driveId: 'd', fileId: 'f' };

export const moved = client.PATCH('/drives/{driveId}/files/{fileId}', { params: { path }, body: { path: '/a.txt' } });

export const created = client.POST('/drives', { body: { name: 'Field reports' } });

export const wrapped: { [Id in OperationId]: Handler<Id> } = { ...handlers, listAgents: () => [] };

export const profile: Partial<Profile> = { listOrder: 'newestFirst', defaultLimit: 'all', createStatus: 202 };

export const mock = createMock({ port: 0, profile });
