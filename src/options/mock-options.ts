import { defineOptions, inGroup } from '../../lib/options.ts';
import { logOptions, longestMs, servingOptions, withPort } from './shared-options.ts';

const latencyForm = {
  words: 'milliseconds from 0 to 600000, or a range such as 100-400',
  isMet: (text: string) => parseLatency(text) !== undefined,
};

const clockForm = {
  words: 'an ISO date-time with a zone, such as 2026-03-02T08:15:00Z',
  isMet: (text: string) => parseClock(text) !== undefined,
};

/** The options of `createMock`, by name. */
export const mockOptions = defineOptions({
  ...inGroup('Address', {
    port: {
      short: 'p',
      kind: 'integer',
      maximum: 65_535,
      default: 4010,
      isCommon: true,
      help: 'Port to listen on; 0 picks a free port and prints it',
    },
    host: servingOptions.host,
    httpsCert: { kind: 'file', isCommon: true, help: 'Serve HTTPS with this PEM certificate and --https-key' },
    httpsKey: { kind: 'file', isCommon: true, help: 'Private key of the certificate, a PEM file' },
  }),
  ...inGroup('Data', {
    seed: {
      kind: 'file',
      default: 'demo',
      isCommon: true,
      help: 'Initial data: a YAML or JSON file, or the built-in demo',
    },
    state: {
      kind: 'file',
      defaultText: 'in memory only',
      isCommon: true,
      help: 'Keep the state in this file; starting with the same file resumes from it. An existing file overrides --seed, --random-seed and --clock',
    },
    openKeys: {
      kind: 'switch',
      isCommon: true,
      help: 'Give each unknown API key its own sandbox, a fresh copy of the first organization in the seed',
    },
    maxSandboxes: {
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 1_000,
      help: 'Maximum number of sandboxes. At the limit, a new sandbox replaces the least recently used one; unchanged sandboxes that an unknown key opened go first',
    },
    clock: {
      kind: 'text',
      placeholder: '<ISO time>',
      form: clockForm,
      isCommon: true,
      help: 'Freeze the clock at this time, for example 2026-03-02T08:15:00Z',
    },
    randomSeed: {
      kind: 'integer',
      minimum: Number.MIN_SAFE_INTEGER,
      default: 1,
      defaultText: '1; with --vary a new one at each start, which is printed',
      help: 'Random seed for generated ids and for --vary. Runs with the same random seed and --clock return identical responses. A state file keeps the random seed of its first start',
    },
  }),
  ...inGroup('Behaviour', {
    profile: servingOptions.profile,
    set: servingOptions.set,
    vary: {
      kind: 'text',
      values: ['hidden', 'visible'],
      bare: 'visible',
      isCommon: true,
      help: 'Make random choices where --profile and --set make none. hidden: only where no correct client can notice the choice; visible (same as --vary): everywhere. foreignResources and what needs real MCP servers keep their choices',
    },
    latency: {
      kind: 'text',
      placeholder: '<ms>[-<ms>]',
      form: latencyForm,
      isCommon: true,
      help: 'Delay each response by this many milliseconds, or by a random time in this range. A reset restores this delay if the admin API changed it',
    },
    openPointsHeader: {
      kind: 'switch',
      sets: false,
      help: 'Omit the response header X-Open-Points, which names the open points that shaped the response',
    },
  }),
  ...inGroup('Admin API', {
    adminToken: {
      kind: 'text',
      placeholder: '<token>',
      secret: '<token>',
      help: 'Bearer token for the admin API. Without a token, the admin API is open on loopback addresses only',
    },
    adminOrigins: {
      name: 'admin-origin',
      kind: 'text',
      placeholder: '<origin>',
      isRepeatable: true,
      help: 'Allow pages from this origin to use the admin API, for example http://localhost:5173',
    },
    admin: { kind: 'switch', sets: false, contradicts: ['adminToken', 'adminOrigins'], help: 'Turn off the admin API' },
    requestLogLimit: {
      kind: 'integer',
      maximum: 1_000_000,
      default: 1_000,
      help: 'Maximum number of exchanges in the request log; 0 turns it off',
    },
  }),
});

/** A delay in milliseconds from the text of `latency`, such as `200` or `100-400`. Undefined if the text is not one. */
export function parseLatency(text: string): { delayMs: number } | { fromMs: number; toMs: number } | undefined {
  const [from, to = from] = /^\d{1,6}(-\d{1,6})?$/.test(text) ? text.split('-').map(Number) : [];
  if (from === undefined || to === undefined || from > to || to > 600_000) return undefined;
  return text.includes('-') ? { fromMs: from, toMs: to } : { delayMs: from };
}

/** The time of `clock` in milliseconds. Undefined if the text is not an ISO date-time with a zone. */
export function parseClock(text: string): number | undefined {
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const day = text.slice(0, 10);
  // Date.parse takes 30 February for 2 March.
  const isTime = isIso && !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(day);
  return isTime ? Date.parse(text) : undefined;
}

/** The options of `liveMcp`. */
export const liveMcpOptions = defineOptions({
  allow: {
    name: 'live-mcp-allow',
    kind: 'text',
    placeholder: '<host>[:port]',
    isRepeatable: true,
    help: 'Also contact MCP servers on the given host. Without this option, --live-mcp contacts only those on the machine that runs the mock. * allows every public host',
  },
  origins: {
    name: 'live-mcp-origin',
    kind: 'text',
    placeholder: '<origin>',
    isRepeatable: true,
    help: 'With --live-mcp, allow pages from this origin to call the mock; * allows all. Pages from this machine (http://localhost, any port) are always allowed',
  },
  timeoutMs: {
    name: 'live-mcp-timeout',
    kind: 'integer',
    placeholder: '<ms>',
    minimum: 1,
    maximum: longestMs,
    default: 5_000,
    help: 'Timeout for an MCP server, in milliseconds',
  },
  // In code alone.
  cacheMs: {
    kind: 'integer',
    maximum: longestMs,
    default: 30_000,
    help: 'Cache the tools of an MCP server for this long, in milliseconds; 0 turns caching off',
  },
});

/** How the mock requests the tools of MCP servers. All options are optional. */
export interface LiveMcpOptions {
  /** The time limit for a server, in milliseconds. Default 5000. */
  timeoutMs?: number;
  /** How long tools are cached, in milliseconds. Default 30000; 0 turns caching off. */
  cacheMs?: number;
  /** Allowed hosts besides this machine: `<host>` or `<host>:<port>`; `*` allows every public host. */
  allow?: readonly string[];
  /** The origins of the pages that may call the mock, besides pages of this machine; `*` allows every page. */
  origins?: readonly string[];
}

/** The options of `agent-platform-contract mock`. */
export const mockFlags = defineOptions({
  ...mockOptions,
  port: withPort(mockOptions.port),
  // Sandboxes are opened by unknown keys and by the admin API, which also shows the log.
  maxSandboxes: { ...mockOptions.maxSandboxes, idleWith: ['admin'], despite: ['openKeys'] },
  requestLogLimit: { ...mockOptions.requestLogLimit, idleWith: ['admin'] },
  ...inGroup('Data', {
    watch: {
      kind: 'switch',
      contradicts: ['state'],
      isCommon: true,
      help: 'Reload the --seed and --profile files when they change. The log says what was reloaded and what was kept',
    },
  }),
  ...inGroup('Real MCP servers', {
    liveMcp: {
      kind: 'switch',
      help: 'Fetch tools from real MCP servers. This sets the open point toolsOfNewServer to live. By default the mock makes no outbound connections',
    },
    liveMcpAllow: liveMcpOptions.allow,
    liveMcpOrigins: liveMcpOptions.origins,
    liveMcpTimeout: liveMcpOptions.timeoutMs,
  }),
  ...logOptions,
});
