import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Exchange, TransportFailure } from './exchange.ts';

/** One request as it goes out. */
export interface Sending {
  operation: OperationId;
  method: string;
  /** Below the base URL, percent-encoded, with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Whether the key is valid, so that the answer counts as one to a valid caller. */
  isAuthenticated: boolean;
  /** Whether it goes over the one connection that is kept open for such requests. */
  onKeptConnection?: boolean;
  timeoutMs?: number;
}

/** What came of a request. */
export interface Reply {
  sending: Sending;
  /** 0 when no answer came. */
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body to the letter; undefined when it is no UTF-8. */
  text: string | undefined;
  /** The value of the body where it is JSON. */
  json: unknown;
  isJson: boolean;
  hasBody: boolean;
  /** Status 200 to 299. */
  isSuccess: boolean;
  failure?: TransportFailure;
  /** Whether the target answers so for a file that does not exist, where that is no usual code for it. */
  isUnknown?: boolean;
  exchange: Exchange;
  receivedAtMs: number;
}
