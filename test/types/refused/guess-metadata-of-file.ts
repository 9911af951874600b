/** The inner shape of metadata is not stated (section 2). */
import createClient from 'openapi-fetch';
import type { paths } from '../../../openapi/types.strict.ts';

const params = { path: { driveId: 'd', fileId: 'f' } };
const { data } = await createClient<paths>().GET('/drives/{driveId}/files/{fileId}', { params });
export const author: string = data?.metadata?.author; // refused: TS2322 'unknown' is not assignable to type 'string'
