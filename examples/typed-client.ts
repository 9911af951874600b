import type { paths } from 'agent-platform-contract/types';
import createClient from 'openapi-fetch';

/** The names of all agents. */
export async function agentNames(baseUrl: string, apiKey: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });
  const { data = [] } = await client.GET('/agents');
  return data.map(({ name }) => name);
}
