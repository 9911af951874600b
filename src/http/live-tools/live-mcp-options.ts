// In a file of its own: the types of the package reach this one, and none of Node's.

/** How MCP servers are asked for their tools. Everything may be left out. */
export interface LiveMcpOptions {
  /** How long a server may take, in milliseconds. Default 5000. */
  timeoutMs?: number;
  /** How long its answer is taken for its tools, in milliseconds. Default 30000; with 0 each listing asks. */
  cacheMs?: number;
  /** Hosts that may be asked beside this machine: `<host>` or `<host>:<port>`; `*` is every public one. */
  allow?: readonly string[];
}
