/** One request and its answer, as the log is told of it. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
}
