import type { OperationId } from '../../openapi/contract/operations.ts';

/** Why no response came. */
export type TransportFailure = 'timeout' | 'refused' | 'reset' | 'unreadable' | 'tooLarge' | 'certificate' | 'other';

/** One request and its result, as evidence: redacted, with shortened bodies. */
export interface Exchange {
  operation?: OperationId;
  /** With which the request is found in the log of the target. */
  requestId?: string;
  request: {
    method: string;
    url: string;
    /** The key is shown as `<API_KEY>`. */
    headers: Record<string, string>;
    body?: string;
  };
  /** Absent if no response came. */
  response?: { status: number; headers: Record<string, string>; body: string };
  /** Set if no response came. */
  failure?: { kind: TransportFailure; message: string };
  durationMs: number;
}
