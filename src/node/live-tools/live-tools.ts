import type { Listing } from '../../domain/mcp-servers.ts';
import { noteListing } from '../../domain/mcp-servers.ts';
import type { Organization } from '../../domain/organizations.ts';
import type { McpServer } from '../../domain/resources.ts';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { askForTools } from './ask-for-tools.ts';
import type { Guard } from './guarded-fetch.ts';
import { NoTools } from './no-tools.ts';
import { type Limits, Question } from './question.ts';

/** The settings for requests to MCP servers. */
export interface LiveSettings {
  limits: Limits;
  /** How long the tools of a server are cached, in milliseconds. Failures are not cached. */
  cacheMs: number;
  guard: Guard;
}

/** Requests the tools of MCP servers when they are listed. */
export interface LiveTools {
  /** Requests the tools that a call needs. Undefined where it needs none, or where they are known. */
  prepare(call: Call): Promise<void> | undefined;
  /** Aborts all requests. */
  close(): void;
}

/** The state of one MCP server: until when its tools are cached, and the request that is under way. */
interface Known {
  untilMs: number;
  asking?: Promise<void>;
}

export function createLiveTools(engine: Engine, settings: LiveSettings): LiveTools {
  const open = new Set<Question>();
  // By organization: a reset makes new ones, and forgets with them.
  const known = new WeakMap<Organization, Map<string, Known>>();
  const ask = (server: McpServer): Promise<Listing> => {
    const question = new Question(settings.limits);
    open.add(question);
    question.signal.addEventListener('abort', () => open.delete(question), { once: true });
    return askForTools(server, question, settings.guard);
  };
  return {
    prepare: (call) => {
      const isAsked = call.operationId === 'listMcpServerTools' && engine.runtime.profile.toolsOfNewServer === 'live';
      const organization = isAsked ? engine.callerOf(call) : undefined;
      const server = organization?.mcpServersById.get(call.pathParameters.mcpServerId ?? '');
      if (organization === undefined || server === undefined) return undefined;
      const servers = known.get(organization) ?? new Map<string, Known>();
      known.set(organization, servers);
      return refresh(servers, server, settings.cacheMs, async () => {
        const listing = await ask(server);
        noteListing(organization, server.id, listing);
        return 'tools' in listing;
      });
    },
    close: () => {
      for (const question of open) question.fail(new NoTools('CLOSED', 'the mock was stopped.'));
    },
  };
}

/** Requests the tools when the cached ones are too old. Calls that come meanwhile wait for the same answer. */
function refresh(
  servers: Map<string, Known>,
  { id }: McpServer,
  cacheMs: number,
  ask: () => Promise<boolean>,
): Promise<void> | undefined {
  const before = servers.get(id);
  if (before?.asking !== undefined) return before.asking;
  if (before !== undefined && performance.now() < before.untilMs) return undefined;
  const asking = ask().then(
    (isKnown) => void servers.set(id, { untilMs: isKnown ? performance.now() + cacheMs : 0 }),
    (error: unknown) => {
      servers.delete(id);
      throw error;
    },
  );
  servers.set(id, { untilMs: 0, asking });
  return asking;
}
