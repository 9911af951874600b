/** One request and its response, for the log. */
export interface Exchange {
  method: string;
  path: string;
  /** {@link noStatus} where a fault lost the response. */
  status: number;
  durationMs: number;
  requestId: string;
  /** The open points that shaped the response, as `X-Open-Points` names them; absent where it was no response of the engine. */
  openPoints?: string | undefined;
  /** What the log says besides: why the call was refused, which sandboxes were retired for it. */
  notes?: readonly string[];
}

/** In place of the status of a response that was never sent. */
export const noStatus = 0;
