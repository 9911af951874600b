/** A drive file moves to a path, and a path is a string. */
import createClient from 'openapi-fetch';
import type { paths } from '../../../src/index.ts';

export const moved = createClient<paths>().PATCH('/drives/{driveId}/files/{fileId}', {
  params: { path: { driveId: 'd', fileId: 'f' } },
  body: {
    path: 7, // refused: TS2322 Type 'number' is not assignable
  },
});
