/** What one question to an MCP server may cost. */
export interface Limits {
  timeoutMs: number;
  /** Of all that it sends, in whatever number of answers. */
  limitBytes: number;
  pageCount: number;
  toolCount: number;
}

/** Far more than people can use, and little enough to be kept. */
export const generousLimits: Omit<Limits, 'timeoutMs'> = {
  limitBytes: 8 * 1024 * 1024,
  pageCount: 100,
  toolCount: 10_000,
};
