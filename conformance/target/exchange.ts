import type { OperationId } from '../../openapi/contract/operations.ts';

/** Why there was no response. */
export type TransportFailure = 'timeout' | 'refused' | 'reset' | 'unreadable' | 'tooLarge' | 'certificate' | 'other';

/** One request and its result, as evidence: redacted, with shortened bodies. */
export interface Exchange {
  operation?: OperationId;
  /** Identifies the request in the target's log. */
  requestId?: string;
  request: {
    method: string;
    url: string;
    /** Keys are shown as `<API_KEY>`. */
    headers: Record<string, string>;
    body?: string;
  };
  /** Absent if no response came. */
  response?: { status: number; headers: Record<string, string>; body: string };
  /** Set if no response came. */
  failure?: { kind: TransportFailure; message: string };
  durationMs: number;
}
