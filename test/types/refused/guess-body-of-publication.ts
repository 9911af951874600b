/** What a publication answers is not shown (4.2). */
import createClient from 'openapi-fetch';
import type { paths } from '../../../openapi/types.strict.ts';

const params = { path: { agentId: 'a' } };
const { data } = await createClient<paths>().POST('/agents/{agentId}/publish', { params, body: { revisionId: 'r' } });
export const revisionId = data?.revisionId; // refused: TS2339 'revisionId' does not exist
