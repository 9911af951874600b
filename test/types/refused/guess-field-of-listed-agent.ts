/** That a listed agent has a name is not stated: only a table lists it (section 2). */
import createClient from 'openapi-fetch';
import type { paths } from '../../../openapi/types.strict.ts';

const { data = [] } = await createClient<paths>().GET('/agents');
export const names: string[] = data.map(({ name }) => name); // refused: TS2322 'string | undefined'
