/** A drive is created with a name. */
import createClient from 'openapi-fetch';
import type { paths } from '../../../src/index.ts';

export const created = createClient<paths>().POST('/drives', {
  body: {}, // refused: TS2322 Property 'name' is missing
});
