import type { OperationId } from '../../openapi/contract/operations.ts';

/** Why no answer came. */
export type TransportFailure = 'timeout' | 'refused' | 'reset' | 'unreadable' | 'tooLarge' | 'other';

/** One request and what came of it, as evidence: redacted, bodies cut. */
export interface Exchange {
  operation?: OperationId;
  request: {
    method: string;
    url: string;
    /** The key stands as `<API_KEY>`. */
    headers: Record<string, string>;
    body?: string;
  };
  /** Absent when no answer came. */
  response?: { status: number; headers: Record<string, string>; body: string };
  /** Set when no answer came. */
  failure?: { kind: TransportFailure; message: string };
  durationMs: number;
}
