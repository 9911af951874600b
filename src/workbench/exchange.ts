/** One request and its response, for the log. */
export interface Exchange {
  method: string;
  path: string;
  /** {@link noStatus} if a fault lost the response. */
  status: number;
  durationMs: number;
  requestId: string;
  /** The open points that shaped the response, as in `X-Open-Points`; absent if the engine did not create it. */
  openPoints?: string | undefined;
  /** Further notes for the log: why the call was refused, which sandboxes were retired for it. */
  notes?: readonly string[];
}

/** The status of a response that was never sent. */
export const noStatus = 0;
