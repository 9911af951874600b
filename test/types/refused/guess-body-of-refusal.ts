/** The shape of error bodies is not shown (section 7). */
import createClient from 'openapi-fetch';
import type { paths } from '../../../openapi/types.strict.ts';

const { error } = await createClient<paths>().GET('/agents');
export const detail = error?.detail; // refused: TS2339 'detail' does not exist
