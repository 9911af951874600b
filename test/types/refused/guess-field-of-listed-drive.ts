/** The fields of a new drive are stated (4.3), those of a listed one are not (4.4). */
import createClient from 'openapi-fetch';
import type { paths } from '../../../openapi/types.strict.ts';

const { data } = await createClient<paths>().GET('/drives');
export const names: string[] = data?.data.map(({ name }) => name) ?? []; // refused: TS2322 '(string | undefined)[]'
