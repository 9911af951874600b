/** A file of the target that the user vouches for. */
export interface FileFixture {
  driveId: string;
  id: string;
}

/** Data on the target that the user vouches for: what the lists cannot give. */
export interface Fixtures {
  /** An agent, and a revision of it that may be published. */
  agent?: { id: string; revisionId: string };
  /** Files that may be moved, and are moved back. */
  files?: FileFixture[];
  /** Files that may be moved and deleted. */
  disposableFiles?: FileFixture[];
  mcpServer?: { id: string };
}

/** What `--config` may hold. The schema is `config.schema.json`. */
export interface Config {
  baseUrl?: string;
  apiKey?: string;
  otherApiKey?: string;
  headers?: Record<string, string>;
  allowWrites?: boolean;
  allowDestructive?: boolean;
  fixtures?: Fixtures;
  openPoints?: { treePathParameter?: string };
  timeoutMs?: number;
  settleMs?: number;
  maxRequests?: number;
  randomSeed?: number;
  hostMcpServer?: boolean;
  hostMcpUrl?: string;
}

/** How a run is done, with everything decided. */
export interface Settings {
  /** Ends with no slash. */
  baseUrl: string;
  apiKey: string;
  otherApiKey: string | undefined;
  /** What every request carries, for gateways. */
  headers: Readonly<Record<string, string>>;
  allowWrites: boolean;
  allowDestructive: boolean;
  fixtures: Fixtures;
  treePathParameter: string | undefined;
  timeoutMs: number;
  /** Within this time everything settles, by the word of the user. */
  settleMs: number;
  maxRequests: number;
  randomSeed: number;
  /** Whether to start a real MCP server and have the target list its tools. */
  hostMcpServer: boolean;
  /** Under which URL the target reaches it, when that is not the loopback address. */
  hostMcpUrl: string | undefined;
}

export const defaultTimeoutMs = 10_000;
export const defaultSettleMs = 5_000;
export const defaultMaxRequests = 10_000;

/** The settings of a config: defaults for what it does not say. */
export function toSettings(config: Config & { baseUrl: string; apiKey: string }): Settings {
  return {
    baseUrl: config.baseUrl.replace(/\/+$/, ''),
    apiKey: config.apiKey,
    otherApiKey: config.otherApiKey,
    headers: config.headers ?? {},
    allowWrites: config.allowWrites ?? false,
    allowDestructive: config.allowDestructive ?? false,
    fixtures: config.fixtures ?? {},
    treePathParameter: config.openPoints?.treePathParameter,
    timeoutMs: config.timeoutMs ?? defaultTimeoutMs,
    settleMs: config.settleMs ?? defaultSettleMs,
    maxRequests: config.maxRequests ?? defaultMaxRequests,
    randomSeed: config.randomSeed ?? 1,
    hostMcpServer: config.hostMcpServer ?? false,
    hostMcpUrl: config.hostMcpUrl,
  };
}
