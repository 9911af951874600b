/** That pagination has a total is not stated (4.4). */
import createClient from 'openapi-fetch';
import type { paths } from '../../../openapi/types.strict.ts';

const { data } = await createClient<paths>().GET('/drives');
export const last: number = data === undefined ? 0 : data.pagination.total; // refused: TS2322 'number | undefined'
