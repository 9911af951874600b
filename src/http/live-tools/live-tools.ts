import { missingPackage } from '../../../lib/optional-packages.ts';
import { withDefaults } from '../../../lib/options.ts';
import { requireOptions } from '../../app/require-options.ts';
import { StartError } from '../../app/start-error.ts';
import { type Listing, noteListing } from '../../domain/mcp-servers.ts';
import type { Organization } from '../../domain/organizations.ts';
import type { McpServer } from '../../domain/resources.ts';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { type LiveMcpOptions, liveMcpOptions } from '../../options/mock-options.ts';
import { requireOrigin } from '../cors.ts';
import { allowedHosts, parseHostRule } from './allowed-hosts.ts';
import { askForTools } from './ask-for-tools.ts';
import type { Guard } from './guarded-fetch.ts';
import { NoTools } from './no-tools.ts';
import { generousLimits, type Limits, Question } from './question.ts';

/** The settings for requests to MCP servers. */
interface LiveSettings {
  limits: Limits;
  /** How long the tools of a server are cached, in milliseconds. Failures are not cached. */
  cacheMs: number;
  guard: Guard;
  /** The origins of pages from other machines that may call the mock. */
  origins: readonly string[];
}

/** What is known about one MCP server: how long its tools are cached, and the pending request. */
interface Known {
  untilMs: number;
  asking?: Promise<void>;
}

/** Requests the tools of MCP servers when a call lists them. */
export function createLiveTools(engine: Engine, settings: LiveSettings, ownPort: Guard['ownPort']) {
  const open = new Set<Question>();
  // By organization: a reset creates new organizations, so their entries are forgotten.
  const known = new WeakMap<Organization, Map<string, Known>>();
  const ask = (server: McpServer): Promise<Listing> => {
    const question = new Question(settings.limits);
    open.add(question);
    question.signal.addEventListener('abort', () => open.delete(question), { once: true });
    return askForTools(server, question, { ...settings.guard, ownPort });
  };
  return {
    /** Requests the tools that a call needs. Undefined if it needs none or they are cached. */
    prepare: (call: Call) => {
      const isAsked =
        call.operationId === 'listMcpServerTools' &&
        engine.appliedFor(call.headers).profile.toolsOfNewServer === 'live';
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
    /** Aborts all requests. */
    close: () => {
      for (const question of open) question.fail(new NoTools('CLOSED', 'the mock was stopped.'));
    },
  };
}

/** Requests the tools if the cached ones are too old. Calls that arrive meanwhile wait for the same result. */
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

/** The settings from the options. Throws a {@link StartError}. */
export function toLiveSettings(liveMcp: true | LiveMcpOptions): LiveSettings {
  const given = liveMcp === true ? {} : liveMcp;
  requireOptions(liveMcpOptions, given, {}, 'liveMcp.');
  const { timeoutMs, cacheMs, allow = [], origins = [] } = withDefaults(liveMcpOptions, given);
  const rules = allow.map((text) => {
    const rule = parseHostRule(text);
    if (rule !== undefined) return rule;
    const remedy = 'Write it as <host> or <host>:<port>, such as mcp.example.com:8443; * allows every public host.';
    throw new StartError('OPTION_INVALID', `${JSON.stringify(text)} is not a host. ${remedy}`);
  });
  for (const origin of origins) if (origin !== '*') requireOrigin(origin);
  const missing = missingPackage('--live-mcp (liveMcp in code)', '@modelcontextprotocol/sdk');
  if (missing !== undefined) throw new StartError('PACKAGE_MISSING', missing);
  return { limits: { timeoutMs, ...generousLimits }, cacheMs, guard: { allowed: allowedHosts(rules) }, origins };
}
