import type { paths } from 'agent-platform-contract/types';
import createClient from 'openapi-fetch';

/** The names of all agents. That a listed agent has a name is open, so the types ask what to show without one. */
export async function agentNames(baseUrl: string, apiKey: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });
  const { data = [] } = await client.GET('/agents');
  return data.map(({ name }) => name ?? 'Unnamed');
}
