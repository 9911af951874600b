// In a separate file: the package's types include it, and must not need Node's types.

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
