import type { Profile } from '../../openapi/contract/profile.ts';
import { madeUp, nameFor } from './names.ts';
import { enlist, type Organization } from './organizations.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import type { McpServer, McpTool } from './resources.ts';

// The URL of a server created without one: open point `requiredFields.createMcpServer`.
const madeUpUrl = 'http://127.0.0.1/mcp';

const plausibleTools: readonly McpTool[] = [
  { name: 'search', description: 'Finds records by text.' },
  { name: 'get_record', description: 'Reads one record by its id.' },
  { name: 'create_record', description: 'Adds a record and returns its id.' },
];

/** Registers an MCP server for the organization (4.8). */
export function createMcpServer(
  organization: Organization,
  sent: { name?: string | undefined; url?: string | undefined },
): McpServer | Refusal {
  const { profile, clock } = organization.runtime;
  const named = nameFor(organization, sent.name, 'Untitled MCP server', organization.mcpServersById);
  if (isRefusal(named)) return named;
  const url = urlFor(organization, sent.url);
  if (typeof url !== 'string') return url;
  const now = clock.nowMs();
  const server: McpServer = {
    id: organization.ids('mcpServer'),
    organizationId: organization.id,
    ...named,
    url,
    type: profile.mcpDefaultType,
    tools: profile.toolsOfNewServer === 'plausible' ? plausibleTools : [],
    createdAtMs: now,
    updatedAtMs: now,
  };
  organization.mcpServersById.set(server.id, server);
  enlist(organization, { kind: 'listMcpServer', id: server.id });
  return server;
}

// Open point `duplicates.urls`.
function urlFor({ runtime: { profile }, mcpServersById }: Organization, sent: string | undefined): string | Refusal {
  const isAllowed = profile['duplicates.urls'] === 'allowed';
  const taken = new Set(isAllowed ? [] : mcpServersById.values().map((other) => other.url));
  const url = keptUrl(sent ?? madeUp(madeUpUrl, taken, '-'), profile.mcpUrlRules);
  if (!taken.has(url)) return url;
  return refuse(
    'conflict',
    `The URL ${JSON.stringify(url)} is already registered in this organization. Choose a different one.`,
  );
}

function keptUrl(url: string, rules: Profile['mcpUrlRules']): string {
  return rules === 'canonicalHttpUrl' && URL.canParse(url) ? new URL(url).href : url;
}

/** The tools that an MCP server listed, or why it listed none. */
export type Listing = { tools: readonly { name: string; description?: string | undefined }[] } | { problem: string };

/** Stores the listing of a server as its tools: open point `toolsOfNewServer: live`. */
export function noteListing(organization: Organization, serverId: string, listing: Listing): void {
  const known = organization.mcpServersById.get(serverId);
  if (known === undefined) return;
  const { toolsProblem: _, ...server } = known;
  const noted: McpServer =
    'problem' in listing
      ? { ...server, tools: [], toolsProblem: listing.problem }
      : { ...server, tools: listing.tools.flatMap(({ name, description }) => toTool(organization, name, description)) };
  organization.mcpServersById.set(serverId, noted);
  organization.mcpServers.replace(known, noted);
}

// Open point `toolWithoutDescription`.
function toTool({ runtime }: Organization, name: string, description: string | undefined): McpTool[] {
  if (description !== undefined) return [{ name, description }];
  if (runtime.profile.toolWithoutDescription === 'leftOut') return [];
  return [{ name, description: runtime.profile.toolWithoutDescription === 'name' ? name : '' }];
}
